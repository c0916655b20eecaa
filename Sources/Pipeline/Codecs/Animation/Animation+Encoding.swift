extension Animation {
  /// Gives `write` one frame after the other, each of the size of the canvas, with its delay in
  /// thousandths of a second: none is negative.
  ///
  /// - Throws: `.noFrames`, `.unevenFrame`, `.decode`, and what `write` does.
  func forEachFrame(
    of size: PixelSize, as format: ImageFormat,
    write: (_ frame: Bitmap, _ milliseconds: Int) throws(EncodeError) -> Void
  ) throws(EncodeError) {
    guard frameCount > 0 else { throw .noFrames(format) }
    for index in 0..<frameCount {
      let frame: Bitmap
      do { frame = try self.frame(at: index) } catch { throw .decode(error) }
      guard frame.size == size else {
        throw .unevenFrame(index: index, frame.size, canvas: size)
      }
      try write(frame, max(0, delays[index].wholeMilliseconds))
    }
  }
}

extension Duration {
  /// Thousandths of a second, rounded towards zero; the nearest there is, where it is too long.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = Int(seconds).multipliedReportingOverflow(by: 1_000)
    let (sum, isStillTooLong) = product.addingReportingOverflow(
      Int(attoseconds / 1_000_000_000_000_000))
    guard !isTooLong, !isStillTooLong else { return seconds < 0 ? .min : .max }
    return sum
  }
}

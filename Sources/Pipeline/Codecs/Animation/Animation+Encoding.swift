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

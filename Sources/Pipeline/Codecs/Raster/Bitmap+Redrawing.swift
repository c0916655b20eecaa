extension Bitmap {
  /// This bitmap turned upright from `orientation` and shrunk by `factor`; itself if neither.
  func redrawn(orientation: Orientation, factor: Int = 1) throws(DecodeError) -> Bitmap {
    guard orientation != .up || factor > 1 else { return self }
    let target = try RasterTarget(
      sourceSize: size, hasAlpha: hasAlpha, orientation: orientation, factor: factor)
    withUnsafeBytes { bytes in
      for row in 0..<height {
        guard let base = bytes.baseAddress else { return }
        target.commitCopy(
          of: (base + row * bytesPerRow).assumingMemoryBound(to: UInt8.self))
      }
    }
    return target.finish()
  }
}

extension DecodedImage {
  /// The encoder for an image whose format is up to us: GIF if it is animated, PNG if pixels may
  /// be less than opaque, else JPEG.
  public var suitableEncoder: any ImageEncoder {
    if animation != nil { return GIFEncoder() }
    return bitmap.hasAlpha ? PNGEncoder() : JPEGEncoder()
  }
}

extension JPEGEncoder {
  /// Encodes at the highest quality, up to `quality`, that needs no more than `byteCount` bytes.
  ///
  /// - Throws: `.sizeLimitUnreachable` when even quality 1 needs more.
  public func encode(
    _ image: DecodedImage, fitting byteCount: Int
  ) throws(EncodeError) -> ImageBytes {
    try searchQuality(1...quality, fitting: byteCount) { quality throws(EncodeError) in
      var encoder = self
      encoder.quality = quality
      return try encoder.encode(image)
    }
  }
}

extension WebPEncoder {
  /// Encodes lossily at the highest quality, up to the one set (100 if lossless), that needs no
  /// more than `byteCount` bytes.
  ///
  /// - Throws: `.sizeLimitUnreachable` when even quality 0 needs more.
  public func encode(
    _ image: DecodedImage, fitting byteCount: Int
  ) throws(EncodeError) -> ImageBytes {
    var highest = 100
    if case .lossy(let quality) = compression { highest = min(max(quality, 0), 100) }
    return try searchQuality(0...highest, fitting: byteCount) { quality throws(EncodeError) in
      var encoder = self
      encoder.compression = .lossy(quality: quality)
      return try encoder.encode(image)
    }
  }
}

/// Halves the range of qualities until the best that fits is found.
private func searchQuality(
  _ range: ClosedRange<Int>, fitting byteCount: Int,
  encode: (Int) throws(EncodeError) -> ImageBytes
) throws(EncodeError) -> ImageBytes {
  let finest = try encode(range.upperBound)
  if finest.count <= byteCount { return finest }
  var best: ImageBytes?
  var smallest = finest.count
  var (low, high) = (range.lowerBound, range.upperBound - 1)
  while low <= high {
    let middle = (low + high) / 2
    let encoded = try encode(middle)
    smallest = min(smallest, encoded.count)
    if encoded.count <= byteCount {
      best = encoded
      low = middle + 1
    } else {
      high = middle - 1
    }
  }
  guard let best else { throw .sizeLimitUnreachable(byteCount: byteCount, smallest: smallest) }
  return best
}

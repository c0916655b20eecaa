private import CJPEGShims

/// Writes JPEGs. Pixels that are not opaque are laid on a background first.
public struct JPEGEncoder: ImageEncoder {
  /// How much of the colours' detail is kept.
  public enum ChromaSubsampling: Sendable, Hashable, CaseIterable {
    /// All of it (4:4:4).
    case none
    /// Half of it, side by side (4:2:2).
    case horizontal
    /// A quarter of it (4:2:0).
    case quarter
  }

  /// 1 (small) to 100 (fine).
  public var quality: Int
  /// Whether the picture comes in scans, each finer than the last.
  public var isProgressive: Bool
  /// How much of the colours' detail is kept.
  public var subsampling: ChromaSubsampling
  /// What shows through pixels that are not opaque.
  public var background: Pixel
  /// What is written beside the pixels.
  public var metadata: ImageMetadata

  /// Makes an encoder; qualities outside 1...100 are taken as the nearest.
  public init(
    quality: Int = 85, isProgressive: Bool = false, subsampling: ChromaSubsampling = .quarter,
    background: Pixel = Pixel(red: 255, green: 255, blue: 255), metadata: ImageMetadata = .none
  ) {
    self.quality = min(max(quality, 1), 100)
    self.isProgressive = isProgressive
    self.subsampling = subsampling
    self.background = background
    self.metadata = metadata
  }

  /// `JPEG`.
  public var format: ImageFormat { .jpeg }

  /// Encodes the picture, or the first frame of an animation; sides of at most 65,500 pixels.
  public func encode(_ image: DecodedImage) throws(EncodeError) -> ImageBytes {
    let bitmap = image.bitmap.laid(on: background)
    guard bitmap.width <= 65_500, bitmap.height <= 65_500 else {
      throw .tooLarge(bitmap.size, .jpeg)
    }
    let exif = metadata.exif.map { ImageBytes(Array("Exif\0\0".utf8) + $0.prefix($0.count)) }
    return try bitmap.withUnsafeBytes { rows throws(EncodeError) in
      try (exif ?? ImageBytes()).withUnsafeBytes { exif throws(EncodeError) in
        try (metadata.profile ?? ImageBytes()).withUnsafeBytes { profile throws(EncodeError) in
          var picture = flow_jpeg_picture()
          picture.pixels = rows.baseAddress?.assumingMemoryBound(to: UInt8.self)
          picture.stride = bitmap.bytesPerRow
          picture.width = UInt32(bitmap.width)
          picture.height = UInt32(bitmap.height)
          picture.quality = Int32(quality)
          picture.is_progressive = isProgressive ? 1 : 0
          picture.horizontal_sampling = subsampling == .none ? 1 : 2
          picture.vertical_sampling = subsampling == .quarter ? 2 : 1
          picture.exif = exif.baseAddress?.assumingMemoryBound(to: UInt8.self)
          picture.exif_count = exif.count
          picture.profile = profile.baseAddress?.assumingMemoryBound(to: UInt8.self)
          picture.profile_count = profile.count
          return try encode(&picture)
        }
      }
    }
  }

  private func encode(_ picture: inout flow_jpeg_picture) throws(EncodeError) -> ImageBytes {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: 200)
    let status = flow_jpeg_encode(&picture, &bytes, &count, &message)
    defer { flow_jpeg_free(bytes) }
    switch status {
    case FLOW_JPEG_OK: return ImageBytes(UnsafeBufferPointer(start: bytes, count: count))
    case FLOW_JPEG_NO_MEMORY: throw .outOfMemory
    default: throw .failed(.jpeg, reason: message.sentence)
    }
  }
}

extension Bitmap {
  /// This bitmap on an opaque ground; itself when it is opaque.
  func laid(on background: Pixel) -> Bitmap {
    guard hasAlpha else { return self }
    return Bitmap(size: size, hasAlpha: false) { target in
      withUnsafeBytes { source in
        let ground = [background.red, background.green, background.blue]
        for start in stride(from: 0, to: source.count, by: 4) {
          let alpha = UInt32(source[start + 3])
          for channel in 0..<3 {
            let mixed =
              UInt32(source[start + channel]) * alpha + UInt32(ground[channel]) * (255 - alpha)
            target[start + channel] = UInt8((mixed + 127) / 255)
          }
          target[start + 3] = 255
        }
      }
    }
  }
}

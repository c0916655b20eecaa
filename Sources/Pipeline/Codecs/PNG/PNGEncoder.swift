private import CPNGShims

/// Writes PNGs: with a palette where the colours fit into one, else RGB or RGBA; animations with all
/// their frames, as APNG in RGBA.
public struct PNGEncoder: ImageEncoder {
  /// Effort of compression, 0 (none, fast) to 9.
  public var level: Int
  /// Whether up to 256 colours become a palette; the pixels are the same.
  public var usesPalette: Bool
  /// What is written beside the pixels.
  public var metadata: ImageMetadata

  /// Makes an encoder; levels outside 0...9 are taken as the nearest.
  public init(level: Int = 6, usesPalette: Bool = true, metadata: ImageMetadata = .none) {
    self.level = min(max(level, 0), 9)
    self.usesPalette = usesPalette
    self.metadata = metadata
  }

  /// `PNG`.
  public var format: ImageFormat { .png }

  /// Encodes the picture or the animation; delays in milliseconds.
  public func encode(_ image: DecodedImage) throws(EncodeError) -> ImageBytes {
    guard let animation = image.animation else {
      return try encode(image.bitmap, usesPalette: usesPalette, keepsAlpha: image.bitmap.hasAlpha)
    }
    var writer = PNGAnimationWriter(
      frameCount: animation.frameCount, loopCount: animation.loopCount, size: image.size)
    try animation.forEachFrame(of: image.size, as: .png) { frame, delay throws(EncodeError) in
      // All frames have the header of the first.
      let still = try encode(frame, usesPalette: false, keepsAlpha: true)
      do throws(DecodeError) {
        try writer.add(still, milliseconds: delay)
      } catch {
        throw .decode(error)
      }
    }
    return writer.finish()
  }

  private func encode(
    _ bitmap: Bitmap, usesPalette: Bool, keepsAlpha: Bool
  ) throws(EncodeError) -> ImageBytes {
    if usesPalette, let indexed = IndexedPicture(bitmap, limit: 256) {
      return try indexed.indexes.withUnsafeBytes { indexes throws(EncodeError) in
        try indexed.palette.withUnsafeBytes { palette throws(EncodeError) in
          var picture = picture(bitmap, rows: indexes, stride: bitmap.width)
          picture.channels = 1
          picture.palette = palette.baseAddress?.assumingMemoryBound(to: UInt8.self)
          picture.palette_count = Int32(palette.count / 4)
          return try encode(&picture)
        }
      }
    }
    return try bitmap.withUnsafeBytes { rows throws(EncodeError) in
      var picture = picture(bitmap, rows: rows, stride: bitmap.bytesPerRow)
      picture.channels = 4
      picture.keeps_alpha = keepsAlpha ? 1 : 0
      return try encode(&picture)
    }
  }

  private func picture(
    _ bitmap: Bitmap, rows: UnsafeRawBufferPointer, stride: Int
  ) -> flow_png_picture {
    var picture = flow_png_picture()
    picture.pixels = rows.baseAddress?.assumingMemoryBound(to: UInt8.self)
    picture.stride = stride
    picture.width = UInt32(bitmap.width)
    picture.height = UInt32(bitmap.height)
    picture.level = Int32(level)
    return picture
  }

  private func encode(_ picture: inout flow_png_picture) throws(EncodeError) -> ImageBytes {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: 200)
    let status = (metadata.exif ?? ImageBytes()).withUnsafeBytes { exif in
      (metadata.profile ?? ImageBytes()).withUnsafeBytes { profile in
        picture.exif = exif.baseAddress?.assumingMemoryBound(to: UInt8.self)
        picture.exif_count = exif.count
        picture.profile = profile.baseAddress?.assumingMemoryBound(to: UInt8.self)
        picture.profile_count = profile.count
        return flow_png_encode(&picture, &bytes, &count, &message)
      }
    }
    defer { flow_png_free(bytes) }
    switch status {
    case FLOW_PNG_OK: return ImageBytes(UnsafeBufferPointer(start: bytes, count: count))
    case FLOW_PNG_NO_MEMORY: throw .outOfMemory
    default: throw .failed(.png, reason: message.sentence)
    }
  }
}

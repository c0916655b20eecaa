private import CWebP

/// Writes WebPs: lossy or lossless, with alpha, animations with all their frames.
public struct WebPEncoder: ImageEncoder {
  /// How pixels are kept.
  public enum Compression: Sendable, Hashable {
    /// Nearly as they are; 0 (small) to 100 (fine).
    case lossy(quality: Int)
    /// Exactly, but for the colours of fully transparent pixels.
    case lossless
  }

  /// How pixels are kept.
  public var compression: Compression
  /// How long the encoder tries: 0 (fast) to 6 (small).
  public var effort: Int
  /// What is written beside the pixels.
  public var metadata: ImageMetadata

  /// Makes an encoder; numbers out of range are taken as the nearest.
  public init(
    compression: Compression = .lossy(quality: 80), effort: Int = 4,
    metadata: ImageMetadata = .none
  ) {
    self.compression = compression
    self.effort = min(max(effort, 0), 6)
    self.metadata = metadata
  }

  /// `WebP`.
  public var format: ImageFormat { .webp }

  /// Encodes the picture or the animation; sides of at most 16,383 pixels.
  public func encode(_ image: DecodedImage) throws(EncodeError) -> ImageBytes {
    guard image.size.width <= 16_383, image.size.height <= 16_383 else {
      throw .tooLarge(image.size, .webp)
    }
    let encoded: ImageBytes
    if let animation = image.animation {
      encoded = try encode(animation, size: image.size)
    } else {
      encoded = try encodeStill(image.bitmap)
    }
    guard metadata != .none else { return encoded }
    return try addMetadata(to: encoded)
  }

  private var config: WebPConfig {
    get throws(EncodeError) {
      var config = WebPConfig()
      guard WebPConfigInit(&config) != 0 else {
        throw .failed(.webp, reason: "libwebp is of another version")
      }
      config.method = Int32(effort)
      switch compression {
      case .lossy(let quality): config.quality = Float(min(max(quality, 0), 100))
      case .lossless:
        config.lossless = 1
        config.quality = 75
      }
      return config
    }
  }

  private func encodeStill(_ bitmap: Bitmap) throws(EncodeError) -> ImageBytes {
    var config = try config
    var writer = WebPMemoryWriter()
    WebPMemoryWriterInit(&writer)
    defer { WebPMemoryWriterClear(&writer) }
    return try withPicture(bitmap) { picture throws(EncodeError) in
      try withUnsafeMutablePointer(to: &writer) { writer throws(EncodeError) in
        picture.writer = WebPMemoryWrite
        picture.custom_ptr = UnsafeMutableRawPointer(writer)
        guard WebPEncode(&config, &picture) != 0 else { throw Self.error(of: picture) }
        return ImageBytes(
          UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
      }
    }
  }

  /// Milliseconds that a frame has room for.
  private static let longestDelay = 0xFF_FFFF

  private func encode(_ animation: Animation, size: PixelSize) throws(EncodeError) -> ImageBytes {
    var config = try config
    var options = WebPAnimEncoderOptions()
    guard WebPAnimEncoderOptionsInit(&options) != 0 else {
      throw .failed(.webp, reason: "libwebp is of another version")
    }
    options.anim_params.loop_count = Int32(min(max(animation.loopCount, 0), 65_535))
    guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options)
    else { throw .outOfMemory }
    defer { WebPAnimEncoderDelete(encoder) }
    var time: Int32 = 0
    try animation.forEachFrame(of: size, as: .webp) { frame, delay throws(EncodeError) in
      try withPicture(frame) { picture throws(EncodeError) in
        guard WebPAnimEncoderAdd(encoder, &picture, time, &config) != 0 else {
          throw .failed(.webp, reason: String(cString: WebPAnimEncoderGetError(encoder)))
        }
      }
      let (end, isTooLong) = time.addingReportingOverflow(Int32(min(delay, Self.longestDelay)))
      guard !isTooLong else {
        throw .tooLong(.webp, limit: .milliseconds(Int64(Int32.max)))
      }
      time = end
    }
    var data = WebPData()
    defer { WebPDataClear(&data) }
    guard WebPAnimEncoderAdd(encoder, nil, time, nil) != 0,
      WebPAnimEncoderAssemble(encoder, &data) != 0
    else { throw .failed(.webp, reason: String(cString: WebPAnimEncoderGetError(encoder))) }
    return ImageBytes(UnsafeBufferPointer(start: data.bytes, count: data.size))
  }

  private func withPicture<Result>(
    _ bitmap: Bitmap, _ body: (inout WebPPicture) throws(EncodeError) -> Result
  ) throws(EncodeError) -> Result {
    var picture = WebPPicture()
    guard WebPPictureInit(&picture) != 0 else {
      throw .failed(.webp, reason: "libwebp is of another version")
    }
    defer { WebPPictureFree(&picture) }
    picture.use_argb = compression == .lossless ? 1 : 0
    picture.width = Int32(bitmap.width)
    picture.height = Int32(bitmap.height)
    let isImported = bitmap.withUnsafeBytes { bytes in
      let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return bitmap.hasAlpha
        ? WebPPictureImportRGBA(&picture, base, Int32(bitmap.bytesPerRow))
        : WebPPictureImportRGBX(&picture, base, Int32(bitmap.bytesPerRow))
    }
    guard isImported != 0 else { throw .outOfMemory }
    return try body(&picture)
  }

  private static func error(of picture: WebPPicture) -> EncodeError {
    switch picture.error_code {
    case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: .outOfMemory
    default: .failed(.webp, reason: "libwebp's error \(picture.error_code.rawValue)")
    }
  }

  private func addMetadata(to encoded: ImageBytes) throws(EncodeError) -> ImageBytes {
    let mux = encoded.withUnsafeBytes { buffer in
      var data = WebPData(
        bytes: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), size: buffer.count)
      return WebPMuxCreate(&data, 1)
    }
    guard let mux else { throw .outOfMemory }
    defer { WebPMuxDelete(mux) }
    for (name, block) in [("EXIF", metadata.exif), ("ICCP", metadata.profile)] {
      guard let block else { continue }
      let result = block.withUnsafeBytes { buffer in
        var data = WebPData(
          bytes: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), size: buffer.count)
        return WebPMuxSetChunk(mux, name, &data, 1)
      }
      guard result == WEBP_MUX_OK else {
        throw .failed(.webp, reason: "its \(name) block cannot be written")
      }
    }
    var data = WebPData()
    defer { WebPDataClear(&data) }
    guard WebPMuxAssemble(mux, &data) == WEBP_MUX_OK else {
      throw .failed(.webp, reason: "its blocks cannot be put together")
    }
    return ImageBytes(UnsafeBufferPointer(start: data.bytes, count: data.size))
  }
}

private import CWebP

/// libwebp's incremental decoder of one still picture. Its failures are thrown.
final class WebPReader {
  // SAFETY: libwebp keeps a pointer to the configuration, so it has an address of its own, freed
  // after the decoder; the pixels it writes to are kept by `target`.
  private let config: UnsafeMutablePointer<WebPDecoderConfig>
  private let decoder: OpaquePointer
  private let target: RasterTarget

  /// Opens a decoder that writes to `target`, scaling to its size where that is another than `size`.
  init(size: PixelSize, target: RasterTarget) throws(DecodeError) {
    guard let room = target.wholeRoom else { throw .outOfMemory(byteCount: 0) }
    let config = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
    config.initialize(to: WebPDecoderConfig())
    guard WebPInitDecoderConfig(config) != 0 else {
      config.deallocate()
      throw .corrupt(.webp, reason: "libwebp is of another version")
    }
    config.pointee.output.colorspace = MODE_RGBA
    config.pointee.output.is_external_memory = 1
    config.pointee.output.u.RGBA.rgba = room.baseAddress
    config.pointee.output.u.RGBA.stride = Int32(target.stride)
    config.pointee.output.u.RGBA.size = room.count
    if target.size != size {
      config.pointee.options.use_scaling = 1
      config.pointee.options.scaled_width = Int32(target.size.width)
      config.pointee.options.scaled_height = Int32(target.size.height)
    }
    guard let decoder = WebPIDecode(nil, 0, config) else {
      config.deallocate()
      throw .outOfMemory(byteCount: 0)
    }
    self.config = config
    self.decoder = decoder
    self.target = target
  }

  deinit {
    WebPIDelete(decoder)
    WebPFreeDecBuffer(&config.pointee.output)
    config.deallocate()
  }

  /// Decodes as far as `bytes`, all that are known by now, reach; `true` when that was all.
  func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> Bool {
    let status = WebPIUpdate(
      decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    switch status {
    case VP8_STATUS_OK:
      target.commit(upTo: target.size.height)
      return true
    case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA:
      var row: Int32 = 0
      if WebPIDecGetRGB(decoder, &row, nil, nil, nil) != nil, row > 0 {
        target.commit(upTo: Int(row))
      }
      return false
    case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(byteCount: 0)
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupportedFeature(.webp, name: "unknown features")
    default: throw .corrupt(.webp, reason: "the compressed pixels break the format's rules")
    }
  }
}

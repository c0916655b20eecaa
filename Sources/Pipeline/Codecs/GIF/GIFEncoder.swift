private import CGIF

/// Writes GIFs, animations with all their frames. More than 256 colours are reduced.
public struct GIFEncoder: ImageEncoder {
  /// Makes an encoder.
  public init() {}

  /// `GIF`.
  public var format: ImageFormat { .gif }

  /// Encodes the picture or the animation; sides of at most 65,535 pixels, delays in hundredths.
  public func encode(_ image: DecodedImage) throws(EncodeError) -> ImageBytes {
    guard image.size.width <= 65_535, image.size.height <= 65_535 else {
      throw .tooLarge(image.size, .gif)
    }
    let writer = try GIFWriter(size: image.size)
    guard let animation = image.animation else {
      try writer.write(PalettePicture(image.bitmap), size: image.size, milliseconds: 0)
      return try writer.finish()
    }
    if animation.loopCount != 1 {
      // The file says how often it plays again.
      try writer.writeRepeats(max(animation.loopCount - 1, 0))
    }
    try animation.forEachFrame(of: image.size, as: .gif) { frame, delay throws(EncodeError) in
      try writer.write(PalettePicture(frame), size: image.size, milliseconds: delay)
    }
    return try writer.finish()
  }
}

/// giflib's writer into memory.
private final class GIFWriter {
  private final class Output {
    var bytes: [UInt8] = []
  }

  private let output = Output()
  private var file: UnsafeMutablePointer<GifFileType>?

  init(size: PixelSize) throws(EncodeError) {
    var code: Int32 = 0
    // SAFETY: the output is kept as long as the writer, which closes the file before it goes.
    let context = Unmanaged.passUnretained(output).toOpaque()
    file = EGifOpen(
      context,
      { file, bytes, count in
        guard let context = file?.pointee.UserData, let bytes else { return 0 }
        Unmanaged<Output>.fromOpaque(context).takeUnretainedValue().bytes.append(
          contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
      }, &code)
    guard file != nil else { throw Self.error(code) }
    EGifSetGifVersion(file, true)
    try check(EGifPutScreenDesc(file, Int32(size.width), Int32(size.height), 8, 0, nil))
  }

  deinit {
    var code: Int32 = 0
    if file != nil { EGifCloseFile(file, &code) }
  }

  func writeRepeats(_ count: Int) throws(EncodeError) {
    let number = min(count, 65_535)
    let block = [1, UInt8(number & 0xFF), UInt8(number >> 8)]
    try check(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
    try check(EGifPutExtensionBlock(file, 11, Array("NETSCAPE2.0".utf8)))
    try check(EGifPutExtensionBlock(file, 3, block))
    try check(EGifPutExtensionTrailer(file))
  }

  func write(
    _ picture: PalettePicture, size: PixelSize, milliseconds: Int
  ) throws(EncodeError) {
    let hundredths = (min(milliseconds, 655_350) + 5) / 10
    // A frame with holes must not show the one before it.
    let disposal: UInt8 = picture.transparentIndex == nil ? 1 : 2
    let control = [
      disposal << 2 | (picture.transparentIndex == nil ? 0 : 1), UInt8(hundredths & 0xFF),
      UInt8(hundredths >> 8), picture.transparentIndex ?? 0,
    ]
    try check(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, control))
    var paletteCount = 2
    while paletteCount < picture.colors.count { paletteCount *= 2 }
    var colors = picture.colors.map { GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue) }
    colors += Array(
      repeating: GifColorType(Red: 0, Green: 0, Blue: 0), count: paletteCount - colors.count)
    guard let palette = GifMakeMapObject(Int32(paletteCount), colors) else { throw .outOfMemory }
    defer { GifFreeMapObject(palette) }
    try check(EGifPutImageDesc(file, 0, 0, Int32(size.width), Int32(size.height), false, palette))
    for row in 0..<size.height {
      // giflib masks the line in place.
      var line = Array(picture.indexes[(row * size.width)..<((row + 1) * size.width)])
      try check(EGifPutLine(file, &line, Int32(size.width)))
    }
  }

  func finish() throws(EncodeError) -> ImageBytes {
    var code: Int32 = 0
    let closed = EGifCloseFile(file, &code)
    file = nil
    guard closed == GIF_OK else { throw Self.error(code) }
    return ImageBytes(output.bytes)
  }

  private func check(_ status: Int32) throws(EncodeError) {
    guard status == GIF_OK else { throw Self.error(file?.pointee.Error ?? 0) }
  }

  private static func error(_ code: Int32) -> EncodeError {
    if code == E_GIF_ERR_NOT_ENOUGH_MEM { return .outOfMemory }
    let text = GifErrorString(code).map { String(cString: $0) }
    return .failed(.gif, reason: text ?? "giflib's error \(code)")
  }
}

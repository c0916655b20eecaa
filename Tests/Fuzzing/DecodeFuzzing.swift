import Pipeline

#if canImport(Glibc)
  import Glibc
#endif

/// What libFuzzer calls for each input: decodes it at once, then in pieces with previews, and looks
/// at the first frames. Built by `Scripts/fuzz.sh`. With `DAMAGE_WALK` in the environment the input
/// is cut and damaged everywhere instead.
@_cdecl("LLVMFuzzerTestOneInput")
public func decodeOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  if let walk = getenv("DAMAGE_WALK") {
    walkDamage(Array(bytes), everyPrefix: strcmp(walk, "prefixes") == 0)
    return 0
  }
  var options = DecodingOptions()
  options.limits.pixels = 1 << 20
  options.limits.frames = 50
  options.limits.framePixels = 1 << 22
  options.acceptsPartial = count % 2 == 0
  if count % 3 == 0 { options.targetSize = PixelSize(width: 16, height: 16) }
  decodeEveryWay(ImageBytes(bytes), options)
  return 0
}

/// Decodes whole and in pieces; stops the run when the pixels depend on it.
func decodeEveryWay(
  _ bytes: ImageBytes, _ options: DecodingOptions, inPieces: Bool = true
) {
  _ = try? DecoderRegistry.standard.probe(bytes)
  guard let whole = try? DecoderRegistry.standard.decode(bytes, options: options) else { return }
  for index in 0..<min(4, whole.frameCount) { _ = try? whole.animation?.frame(at: index) }
  guard inPieces else { return }
  let pieces = try? decodeInPieces(bytes, options)
  // Pixels may depend on where bytes were cut only where they are damaged anyway.
  if let pieces, pieces.isComplete, whole.isComplete, whole.notes.isEmpty {
    precondition(pieces.bitmap == whole.bitmap, "the pixels depend on how bytes come")
    precondition(pieces.frameCount == whole.frameCount, "frames depend on how bytes come")
  }
}

private func decodeInPieces(
  _ bytes: ImageBytes, _ options: DecodingOptions
) throws(DecodeError) -> DecodedImage {
  let decoder = try DecoderRegistry.standard.decoder(
    for: bytes.prefix(FormatSniffer.wantedByteCount))
  let session = decoder.makeSession(options: options)
  let step = max(1, bytes.count / 5)
  for end in stride(from: step, to: bytes.count, by: step) {
    try session.append(bytes.beginning(end))
    _ = session.preview()
  }
  try session.append(bytes)
  return try session.finish()
}

import Pipeline
import Testing

/// Damaged bytes come to the same, however they are fed.
struct DamagedFeedingTests {
  /// A file, where a failing case shows its name.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var encoder: any ImageEncoder
    var hasAlpha = false
  }

  private static let cases = [
    Case(testDescription: "lossy WebP", encoder: WebPEncoder(compression: .lossy(quality: 80))),
    Case(
      testDescription: "lossy WebP with alpha",
      encoder: WebPEncoder(compression: .lossy(quality: 60)), hasAlpha: true),
    Case(testDescription: "lossless WebP", encoder: WebPEncoder(compression: .lossless)),
    Case(testDescription: "PNG", encoder: PNGEncoder(), hasAlpha: true),
    Case(testDescription: "GIF", encoder: GIFEncoder()),
    Case(testDescription: "JPEG", encoder: JPEGEncoder()),
    Case(testDescription: "progressive JPEG", encoder: JPEGEncoder(isProgressive: true)),
  ]

  /// The same numbers in every run.
  private struct Numbers {
    var state: UInt64 = 88_172_645_463_325_252

    mutating func next(below limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
  }

  /// What a decode comes to.
  private enum Outcome: Equatable {
    case picture(Bitmap, isComplete: Bool)
    case failure(DecodeError)
  }

  private static func outcome(
    of bytes: ImageBytes, _ options: DecodingOptions, previews: Bool = false, step: () -> Int
  ) -> Outcome {
    do throws(DecodeError) {
      let session = try DecoderRegistry.standard.decoder(for: bytes.prefix(16))
        .makeSession(options: options)
      var end = 0
      while end < bytes.count {
        end = min(bytes.count, end + step())
        try session.append(bytes.beginning(end))
        if previews, session.preview() != nil { _ = session.partialAnimation() }
      }
      let image = try session.finish()
      return .picture(image.bitmap, isComplete: image.isComplete)
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: cases)
  func `damaged bytes give the same pixels or the same error, however they are cut`(
    _ file: Case
  ) throws {
    let picture = CodecFixtures.picture(width: 90, height: 70, hasAlpha: file.hasAlpha)
    let whole = try file.encoder.encode(picture)
    var numbers = Numbers()
    for round in 0..<150 {
      var bytes = whole.prefix(whole.count)
      for _ in 0...(round % 3) {
        bytes[numbers.next(below: bytes.count)] = UInt8(numbers.next(below: 256))
      }
      if round % 4 == 0 { bytes.removeLast(numbers.next(below: bytes.count / 2)) }
      var options = DecodingOptions()
      options.limits.pixels = 1_000_000
      options.acceptsPartial = round % 2 == 0
      let damaged = ImageBytes(bytes)
      let atOnce = Self.outcome(of: damaged, options) { bytes.count }
      let inPieces = Self.outcome(of: damaged, options) { 1 + numbers.next(below: 40) }
      #expect(inPieces == atOnce, "round \(round)")
    }
  }

  @Test(arguments: [GIFEncoder() as any ImageEncoder, PNGEncoder(), WebPEncoder()])
  func `damaged animations come to the same with previews and without`(
    _ encoder: any ImageEncoder
  ) throws {
    let whole = try encoder.encode(
      CodecFixtures.animation(count: 3, size: PixelSize(width: 40, height: 30)))
    var numbers = Numbers()
    for round in 0..<150 {
      var bytes = whole.prefix(whole.count)
      for _ in 0...(round % 2) {
        bytes[numbers.next(below: bytes.count)] = UInt8(numbers.next(below: 256))
      }
      var options = DecodingOptions()
      options.limits.pixels = 1_000_000
      options.acceptsPartial = round % 2 == 0
      let damaged = ImageBytes(bytes)
      let atOnce = Self.outcome(of: damaged, options) { bytes.count }
      let inPieces = Self.outcome(of: damaged, options, previews: true) {
        1 + numbers.next(below: 60)
      }
      #expect(inPieces == atOnce, "round \(round)")
    }
  }
}

import Synchronization

/// The session of one image, opened when its first bytes come.
// SAFETY: `session` and `elapsed` are touched by one job at a time; `DecodeState` sees to that.
final class DecodeSessionSlot: @unchecked Sendable {
  private struct Stop {
    var isCancelled = false
    var flag: CancellationFlag?
  }

  private static let signatureByteCount = 16

  private let stop = Mutex(Stop())
  private let decoders: DecoderRegistry
  private var session: (any DecodingSession)?
  /// Which attempt of the transfer the session's bytes are of.
  private var revision: UInt64 = 0
  private var elapsed = Duration.zero

  init(decoders: DecoderRegistry) { self.decoders = decoders }

  /// Stops the session at its next look; any thread.
  func cancel() {
    let flag = stop.withLock { stop in
      stop.isCancelled = true
      return stop.flag
    }
    flag?.cancel()
  }

  /// A preview, the image, or nothing yet.
  func decode(_ work: DecodeState.Work) throws(DecodeError) -> LoadEvent? {
    let start = ContinuousClock.now
    defer { elapsed += start.duration(to: .now) }
    let bytes = work.encoded.bytes
    if !work.encoded.isComplete, session == nil, bytes.count < FormatSniffer.wantedByteCount {
      // Pictures tell what they are by fewer bytes than what is none.
      guard bytes.count >= Self.signatureByteCount,
        decoders.decoders.contains(where: { $0.accepts(prefix: bytes.prefix(bytes.count)) })
      else { return nil }
    }
    if work.encoded.revision != revision {
      // The transfer began anew: what was decoded is not of these bytes.
      session = nil
      revision = work.encoded.revision
    }
    let session = try openSession(for: work)
    try session.append(bytes)
    if work.encoded.isComplete {
      // What may come behind it is another picture.
      defer { self.session = nil }
      let image = try session.finishChecked(work.request.decoding)
      return .image(loaded(image, work, decode: elapsed + start.duration(to: .now)))
    }
    guard work.request.decoding.previews, let bitmap = session.preview() else { return nil }
    let image = DecodedImage(
      bitmap: bitmap, animation: session.partialAnimation(), format: format, isComplete: false)
    return .preview(scaled(image, work.request))
  }

  private var format = ImageFormat.jpeg

  private func openSession(
    for work: DecodeState.Work
  ) throws(DecodeError) -> any DecodingSession {
    if let session { return session }
    let prefix = work.encoded.bytes.prefix(FormatSniffer.wantedByteCount)
    let decoder = try decoders.decoder(for: prefix)
    let opened = decoder.makeSession(options: work.request.decoding)
    let flag = opened.cancellation
    let isCancelled = stop.withLock { stop in
      stop.flag = flag
      return stop.isCancelled
    }
    if isCancelled { throw .cancelled }
    format = decoder.format
    elapsed = .zero
    session = opened
    return opened
  }

  private func loaded(
    _ image: DecodedImage, _ work: DecodeState.Work, decode: Duration
  ) -> LoadedImage {
    var metrics = work.request.timeline
    metrics.decode = decode
    return LoadedImage(
      image: scaled(image, work.request), encoded: work.encoded, origin: work.encoded.origin,
      request: work.request, metrics: metrics)
  }

  private func scaled(_ image: DecodedImage, _ request: ImageRequest) -> DecodedImage {
    var image = image
    image.scale = request.scale ?? ScaleSuffix.scale(ofKey: request.key ?? request.sourceName)
    return image
  }
}

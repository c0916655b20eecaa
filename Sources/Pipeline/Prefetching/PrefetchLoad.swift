import Flow
import Synchronization

/// How one source is loaded.
struct PrefetchLoad: Sendable {
  let pipeline: ImagePipeline
  let destination: Prefetcher.Destination

  /// Begins the load; tells what became of it, once, perhaps before this returns.
  func start(
    _ request: ImageRequest, whenDone: @escaping @Sendable (PrefetchOutcome) -> Void
  ) -> AnyCancellable {
    let load = destination == .memory ? pipeline.load(request) : pipeline.bytes(of: request)
    let (hasNews, isRefused) = (CancellationFlag(), CancellationFlag())
    return load.sink { completion in
      switch completion {
      case .finished where isRefused.isCancelled: whenDone(.failed)
      case .finished: whenDone(hasNews.isCancelled ? .finished : .skipped)
      case .failure: whenDone(.failed)
      }
    } receiveValue: { event in
      if event.isNews { hasNews.cancel() }
      if case .encoded(let encoded, let request) = event, destination == .disk, encoded.isComplete,
        !isPicture(encoded, of: request)
      {
        isRefused.cancel()
      }
    }
  }

  /// Whether a cache would keep it. What is none is remembered as a decoder's failure would be.
  private func isPicture(_ encoded: EncodedImage, of request: ImageRequest) -> Bool {
    let parts = pipeline.configuration
    do throws(DecodeError) {
      let prefix = encoded.bytes.prefix(FormatSniffer.wantedByteCount)
      _ = try parts.decoders.decoder(for: prefix)
      return true
    } catch {
      parts.failures?.note(.decode(error, source: request.sourceName), for: request)
      return false
    }
  }
}

extension LoadEvent {
  /// Whether it brings what was not where a prefetch wants it: pixels in memory, or, without
  /// decoding, bytes on disk.
  fileprivate var isNews: Bool {
    switch self {
    case .image(let loaded): loaded.origin != .memory
    case .encoded(let encoded, _): encoded.isComplete && encoded.origin != .disk
    case .request, .progress, .preview: false
    }
  }
}

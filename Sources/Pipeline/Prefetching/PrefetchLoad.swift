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
    let hasNews = CancellationFlag()
    return load.sink { completion in
      switch completion {
      case .finished: whenDone(hasNews.isCancelled ? .finished : .skipped)
      case .failure: whenDone(.failed)
      }
    } receiveValue: { event in
      if event.isNews { hasNews.cancel() }
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

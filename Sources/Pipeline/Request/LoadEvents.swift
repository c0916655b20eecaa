import Flow

/// The events of a load as an asynchronous sequence, asked for one at a time.
///
/// ```swift
/// for try await event in pipeline.events(for: request) {
///   if case .image(let loaded) = event { show(loaded.image) }
/// }
/// ```
/// Each loop begins the load anew, with its first question. Throws `LoadError`. Leaving the loop or
/// cancelling the task cancels the load; then the sequence ends. An image in memory comes without a
/// change of thread. A slow loop skips what is outdated, never the image.
public struct LoadEvents: AsyncSequence, Sendable {
  /// How far the image has come.
  public typealias Element = LoadEvent
  /// Why a load gave no image.
  public typealias Failure = LoadError

  let pipeline: ImagePipeline
  let request: ImageRequest

  /// Begins nothing yet.
  public func makeAsyncIterator() -> Iterator { Iterator(pipeline: pipeline, request: request) }

  /// One load; releasing it cancels.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Phase {
      /// → running, over.
      case notBegun(ImagePipeline, ImageRequest)
      case running(AsyncPublisher<LoadEvent, LoadError>.Iterator)
      /// The one event there was has been told.
      case over
    }

    private var phase: Phase

    fileprivate init(pipeline: ImagePipeline, request: ImageRequest) {
      phase = .notBegun(pipeline, request)
    }

    /// The next event; nil after the last one or when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async throws(LoadError)
      -> LoadEvent?
    {
      if case .notBegun(let pipeline, let request) = phase {
        phase = .over
        if Task.isCancelled { return nil }
        switch pipeline.memoryAnswer(to: request) {
        case .image(let hit): return .image(hit)
        case .missing(let storeCount):
          let load = pipeline.load(request, missingAt: storeCount)
          phase = .running(load.values.makeAsyncIterator())
        case .unknown: phase = .running(pipeline.load(request).values.makeAsyncIterator())
        }
      }
      guard case .running(var events) = phase else { return nil }
      let event = try await events.next(isolation: isolation)
      phase = .running(events)
      return event
    }

    /// The next event; nil after the last one or when the task is cancelled.
    public mutating func next() async throws(LoadError) -> LoadEvent? {
      try await next(isolation: nil)
    }
  }
}

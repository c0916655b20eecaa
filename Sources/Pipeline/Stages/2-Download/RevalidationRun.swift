import Flow
import Synchronization

/// One question to a server whether a stored response still holds, and what follows from the answer.
struct RevalidationRun: Sendable {
  let request: ImageRequest
  let revalidation: Revalidation
  /// Starts, or joins, the transfer of a request.
  let transfer: @Sendable (ImageRequest) -> AnyPublisher<TransferEvent, DownloadError>
  /// The load of the same request, asked for without conditions.
  let whole: @Sendable (ImageRequest) -> AnyPublisher<LoadEvent, LoadError>

  /// Asks the server, and goes on with what the purpose says.
  var events: AnyPublisher<LoadEvent, LoadError> {
    let start = ContinuousClock.now
    let (run, source) = (self, request.sourceName)
    var asked = request
    asked.transfer.headers += revalidation.conditions
    return transfer(asked)
      .mapError { LoadError.download($0, source: source) }
      .flatMap(maxPublishers: .max(1)) { run.answer(to: $0, since: start) }
      .catch { run.trouble($0, since: start) }
      .eraseToAnyPublisher()
  }

  /// Asks for the cache's sake; nobody waits, and what goes wrong is left as it is.
  func goOnAlone() {
    let task = LoneTask()
    task.hold(
      events.sink(receiveCompletion: { _ in task.end() }, receiveValue: { event in keep(event) }))
  }

  private func answer(
    to event: TransferEvent, since start: ContinuousClock.Instant
  ) -> AnyPublisher<LoadEvent, LoadError> {
    switch event {
    case .progress(let progress):
      return revalidation.purpose == .answer ? .event(.progress(progress)) : .nothing
    case .bytes(let encoded):
      if encoded.isComplete { return received(encoded, since: start) }
      // Whether it is another image is known at the end: till then nobody is shown parts of it.
      return revalidation.purpose == .answer ? .event(delivered(encoded, since: start)) : .nothing
    case .notModified(let response):
      guard let entry = revalidation.entry, entry.response.isConfirmed(by: response) else {
        return whole(request)
      }
      let confirmed = entry.confirmed(by: response)
      let answer = delivered(confirmed.encoded(.revalidated), since: start)
      return writing(confirmed, then: revalidation.purpose == .answer ? .event(answer) : .nothing)
    }
  }

  private func writing(
    _ entry: StoredEntry, then events: AnyPublisher<LoadEvent, LoadError>
  ) -> AnyPublisher<LoadEvent, LoadError> {
    guard request.caching.waitsForStore else {
      WorkerPool.files.submit(priority: .low) { _ in entry.write() }
      return events
    }
    return WorkerPool.files.publisher(priority: request.priority) { _ in entry.write() }
      .setFailureType(to: LoadError.self)
      .flatMap(maxPublishers: .max(1)) { _ in events }
      .eraseToAnyPublisher()
  }

  private func received(
    _ encoded: EncodedImage, since start: ContinuousClock.Instant
  ) -> AnyPublisher<LoadEvent, LoadError> {
    var encoded = encoded
    let isSame = revalidation.entry?.bytes == encoded.bytes
    encoded.verdict = isSame ? .revalidated : .changed
    guard isSame, revalidation.purpose != .answer, let entry = revalidation.entry else {
      return .event(delivered(encoded, since: start))
    }
    let response = encoded.stored(for: request, at: entry.cache.now) ?? entry.response
    return writing(entry.with(response), then: .nothing)
  }

  /// What is stored, where the server's words allow it in place of its trouble.
  private func trouble(
    _ error: LoadError, since start: ContinuousClock.Instant
  ) -> AnyPublisher<LoadEvent, LoadError> {
    guard revalidation.mayServeOnError, let entry = revalidation.entry,
      case .download(let failure, _) = error, failure.isServerTrouble
    else { return .failure(error) }
    return .event(delivered(entry.encoded(.stale), since: start))
  }

  private func delivered(
    _ encoded: EncodedImage, since start: ContinuousClock.Instant
  ) -> LoadEvent {
    var request = request.measuring(\.download, since: start)
    request.timeline.byteCount = encoded.bytes.count
    return .encoded(encoded, for: request)
  }

  /// What a server sent though nobody waits: kept if it is a picture, as far as its beginning tells.
  private func keep(_ event: LoadEvent) {
    guard case .encoded(let encoded, _) = event, encoded.isComplete, encoded.verdict == .changed,
      FormatSniffer.format(of: encoded.bytes.prefix(FormatSniffer.wantedByteCount)) != nil,
      let entry = revalidation.entry
    else { return }
    let request = request
    WorkerPool.files.submit(priority: .low) { _ in
      // Best effort: the next load asks again.
      _ = try? encoded.keep(for: request, in: entry.cache)
      entry.cache.removePixels(madeFrom: entry.key)
    }
  }
}

/// Holds a subscription that nobody else holds, until it ends.
private final class LoneTask: Sendable {
  private struct State {
    var subscription: AnyCancellable?
    var hasEnded = false
  }

  private let state = Mutex(State())

  func hold(_ subscription: AnyCancellable) {
    state.withLock { if !$0.hasEnded { $0.subscription = subscription } }
  }

  func end() {
    let held = state.withLock { state in
      state.hasEnded = true
      defer { state.subscription = nil }
      return state.subscription
    }
    withExtendedLifetime(held) {}
  }
}

extension DownloadError {
  /// Whether it is an error that `stale-if-error` covers: no answer, or one of trouble.
  fileprivate var isServerTrouble: Bool {
    switch self {
    case .hostNotFound, .connectionFailed, .timedOut, .incomplete: true
    case .refused(let status, _): HTTPFreshness.isServerTrouble(status: status)
    default: false
    }
  }
}

import Synchronization

/// Tries a transfer again when it failed in a way that can heal; hears each attempt, and passes on
/// what a single transfer would have said.
final class RetryingTransfer: TransferSink {
  /// Begins attempt number `attempt` and returns what stops it.
  typealias Attempt = @Sendable (_ attempt: Int, any TransferSink) -> (@Sendable () -> Void)?
  /// Runs something later.
  typealias Delay = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  private struct State {
    var attempt = 0
    var received = -1
    var stop: (@Sendable () -> Void)?
    var isStopped = false
  }

  private let state = Mutex(State())
  private let policy: TransferRetry
  private let sink: any TransferSink
  private let begin: Attempt
  private let delay: Delay

  init(
    policy: TransferRetry, sink: any TransferSink, delay: @escaping Delay,
    begin: @escaping Attempt
  ) {
    self.policy = policy
    self.sink = sink
    self.delay = delay
    self.begin = begin
  }

  /// Begins the next attempt, unless all were stopped meanwhile.
  func start() {
    guard let attempt = state.withLock({ $0.isStopped ? nil : $0.attempt }) else { return }
    guard let stop = begin(attempt, self) else { return }
    let isStopped = state.withLock { state in
      if !state.isStopped, state.attempt == attempt { state.stop = stop }
      return state.isStopped
    }
    if isStopped { stop() }
  }

  /// Stops the attempt that runs, and all to come.
  func stop() {
    let stop = state.withLock { state in
      state.isStopped = true
      defer { state.stop = nil }
      return state.stop
    }
    stop?()
  }

  func receive(_ event: TransferEvent) {
    guard case .progress(let progress) = event else { return sink.receive(event) }
    // A later attempt may begin anew: what is told never goes back.
    let isNew = state.withLock { state in
      guard state.attempt == 0 || progress.received > state.received else { return false }
      state.received = progress.received
      return true
    }
    if isNew { sink.receive(event) }
  }

  func receive(end failure: DownloadError?) {
    let wait: Duration? = state.withLock { state in
      guard let failure, !state.isStopped else { return nil }
      let wait = policy.delay(
        after: failure, attempt: state.attempt, chance: .random(in: 0...1))
      if wait != nil {
        state.attempt += 1
        state.stop = nil
      }
      return wait
    }
    guard let wait else { return sink.receive(end: failure) }
    delay(wait) { [self] in start() }
  }
}

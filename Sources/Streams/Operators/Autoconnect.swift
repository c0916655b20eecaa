import Synchronization

extension ConnectablePublisher {
  /// Connects when the first subscriber comes, and disconnects when the last has left.
  ///
  /// Fails, ends and delivers as the publisher does. Who cancels leaves; the last one to leave
  /// stops it.
  ///
  /// ```swift
  /// camera.makeConnectable().autoconnect()
  /// ```
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// What `autoconnect` returns.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    private struct State: Sendable {
      var subscribers = 0
      var connection: (any Cancellable)?
    }

    /// The source.
    public let upstream: Upstream
    private let state = Mutex(State())

    /// A publisher that connects `upstream` while it has subscribers.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber, and connects for the first.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let isFirst = state.withLock { state in
        state.subscribers += 1
        return state.subscribers == 1
      }
      let left = AnyCancellable { self.left() }
      upstream.handleEvents(
        receiveCompletion: { _ in left.cancel() }, receiveCancel: { left.cancel() }
      ).receive(subscriber: subscriber)
      guard isFirst else { return }
      let connection = upstream.connect()
      let isKept = state.withLock { state in
        if state.subscribers > 0 { state.connection = connection }
        return state.subscribers > 0
      }
      if !isKept { connection.cancel() }
    }

    private func left() {
      let connection = state.withLock { state -> (any Cancellable)? in
        state.subscribers -= 1
        return state.subscribers == 0 ? state.connection.take() : nil
      }
      connection?.cancel()
    }
  }
}

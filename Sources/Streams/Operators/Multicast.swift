import Synchronization

/// A publisher that starts when it is told to, not when it is subscribed.
///
/// Who subscribes before the start hears all of it. Cancelling the connection stops the source.
///
/// ```swift
/// let numbers = (1...3).publisher.makeConnectable()
/// let sum = numbers.reduce(0, +).sink { print("sum \($0)") }
/// let count = numbers.count().sink { print("count \($0)") }
/// let connection = numbers.connect()  // both hear the same run
/// ```
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts, on this thread. Cancelling, or releasing in an `AnyCancellable`, what it returns stops
  /// again.
  func connect() -> any Cancellable
}

extension Publisher {
  /// Feeds `subject` with this publisher, once connected; subscribers hear the subject.
  ///
  /// Everything is asked for at once. Fails and ends as the subject does, which the source ends;
  /// delivers where the source sends. A subscriber that cancels leaves; cancelling the connection
  /// stops the source.
  ///
  /// ```swift
  /// let frames = camera.multicast(subject: PassthroughSubject())
  /// let connection = frames.connect()
  /// ```
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self) { subject }
  }

  /// Feeds the subject that `createSubject` makes with this publisher, once connected. See
  /// `multicast(subject:)`.
  ///
  /// - Parameter createSubject: Called once, when a subscriber or a connection first needs it.
  public func multicast<S: Subject>(
    _ createSubject: @escaping @Sendable () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares this publisher and waits for `connect` before it starts.
  ///
  /// Fails, ends and delivers as the source does; cancelling the connection stops it. See
  /// `multicast(subject:)`.
  ///
  /// ```swift
  /// let frames = camera.makeConnectable()
  /// let connection = frames.connect()
  /// ```
  public func makeConnectable() -> Publishers.Multicast<Self, PassthroughSubject<Output, Failure>> {
    multicast(subject: PassthroughSubject())
  }
}

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
  /// What `multicast` returns.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    /// Makes the subject, once.
    public let createSubject: @Sendable () -> SubjectType
    private let made = Mutex<SubjectType?>(nil)
    private let connection = Mutex<AnyCancellable?>(nil)

    /// A publisher that feeds a subject with `upstream`.
    public init(upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    private var subject: SubjectType {
      if let subject = made.withLock({ $0 }) { return subject }
      let new = createSubject()
      return made.withLock { made in
        if let made { return made }
        made = new
        return new
      }
    }

    /// Attaches a subscriber to the subject.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      subject.receive(subscriber: subscriber)
    }

    /// Subscribes to the source, unless that is so already.
    public func connect() -> any Cancellable {
      let slot = SubscriptionSlot()
      let connection = AnyCancellable { [weak self] in
        slot.cancel()
        self?.connection.withLock { $0 = nil }
      }
      let running = self.connection.withLock { running in
        if running == nil { running = connection }
        return running
      }
      if let running, running !== connection { return running }
      let subject = subject
      upstream.receive(
        subscriber: SinkSubscriber(slot: slot) {
          subject.send($0)
        } receiveCompletion: {
          subject.send(completion: $0)
        })
      return connection
    }
  }

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

import Synchronization

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
}

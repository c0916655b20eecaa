/// Makes a new publisher for each subscriber, at the moment it subscribes.
///
/// Fails, ends, delivers and is cancelled as the publisher that was made.
///
/// ```swift
/// let now = Deferred { Just(ContinuousClock.now) }  // each subscriber gets its own time
/// ```
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// What the made publishers send.
  public typealias Output = DeferredPublisher.Output
  /// What the made publishers fail with.
  public typealias Failure = DeferredPublisher.Failure

  /// Called once per subscriber, on the subscribing thread.
  public let createPublisher: @Sendable () -> DeferredPublisher

  /// A publisher that subscribes to whatever `createPublisher` returns.
  @inlinable
  public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Attaches a subscriber to a new publisher.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    createPublisher().receive(subscriber: subscriber)
  }
}

/// Sends no value and fails as soon as it is subscribed.
///
/// Fails on the thread that subscribes, without being asked; not when it is cancelled in reply to
/// the subscription.
///
/// ```swift
/// let missing = Fail(outputType: Image.self, failure: LoadError.timedOut)
/// ```
public struct Fail<Output: Sendable, Failure: Error>: Publisher {
  /// The error it fails with.
  public let error: Failure

  /// A publisher that fails with `error`.
  @inlinable
  public init(error: Failure) { self.error = error }

  /// A publisher that fails with `failure`, of the given output type.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subscriber.end(with: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}

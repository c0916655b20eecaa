extension Optional where Wrapped: Sendable {
  /// Sends the value to each subscriber that asks, and finishes; finishes at once when there is
  /// none.
  ///
  /// Never fails. Delivers on the thread that asks. Cancelling before asking leaves the value
  /// unsent.
  ///
  /// ```swift
  /// Int("7").publisher  // 7
  /// ```
  @inlinable @inline(__always)
  public var publisher: Publishers.OfOptional<Wrapped> { Publishers.OfOptional(output: self) }
}

extension Publishers {
  /// What `publisher` of an optional returns.
  public struct OfOptional<Output: Sendable>: Publisher {
    /// It cannot fail.
    public typealias Failure = Never

    /// What it sends.
    public let output: Output?

    @inlinable @inline(__always)
    init(output: Output?) { self.output = output }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Never {
      if let output {
        OneValueSubscription.attach(subscriber, output)
      } else {
        subscriber.end(with: .finished)
      }
    }
  }
}

extension Publishers.OfOptional: Equatable where Output: Equatable {}

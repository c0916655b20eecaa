extension Publishers {
  /// Sends the elements of a sequence, as they are asked for, then finishes.
  public struct Sequence<Elements: Swift.Sequence & Sendable, Failure: Error>: Publisher
  where Elements.Element: Sendable {
    /// The elements' type.
    public typealias Output = Elements.Element

    /// What is sent. Each subscriber iterates anew.
    public let sequence: Elements

    /// A publisher of `sequence`.
    @inlinable @inline(__always)
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let source = SequenceSource(sequence.makeIterator(), subscriber)
      guard source.next != nil else { return subscriber.end(with: .finished) }
      subscriber.receive(
        subscription: ClosureSubscription(
          "Sequence", request: { source.request($0) }, cancel: { source.cancel() }))
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence where Self: Sendable, Element: Sendable {
  /// Sends the elements to each subscriber, as they are asked for, on the thread that asks.
  ///
  /// Never fails; finishes right after the last element; cancelling stops before the next one. At
  /// most one element is read ahead.
  ///
  /// ```swift
  /// let task = (1...3).publisher.sink { print($0) }
  /// ```
  @inlinable @inline(__always)
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

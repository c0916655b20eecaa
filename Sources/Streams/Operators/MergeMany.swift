extension Publisher {
  /// Sends what all these publishers of one type send, as it comes. See `merge(with:)`.
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany([self, other])
  }
}

extension Publishers {
  /// Sends what any number of publishers of one type send. See `merge(with:)`.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// What the sources send.
    public typealias Output = Upstream.Output
    /// What the sources fail with.
    public typealias Failure = Upstream.Failure

    /// The sources.
    public let publishers: [Upstream]

    /// A publisher of what all of `upstream` send; finishes at once when there is none.
    @inlinable
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// A publisher of what all of `upstream` send; finishes at once when there is none.
    @inlinable
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    /// The same with one source more.
    @inlinable
    public func merge(with other: Upstream) -> MergeMany<Upstream> {
      MergeMany(publishers + [other])
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (delivery, inners) = MergeStart.begin(subscriber, count: publishers.count)
      for (publisher, inner) in Swift.zip(publishers, inners) {
        publisher.receive(subscriber: inner)
      }
      _ = delivery
    }
  }
}

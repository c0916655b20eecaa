extension Publisher {
  /// Lets any number of subscribers share one subscription to this publisher.
  ///
  /// It is made when the first comes and cancelled when the last leaves; one who comes after that
  /// starts anew. Everything is asked for at once: a subscriber without demand misses values. Fails
  /// and ends as the source does; after the end new subscribers hear only the end. Delivers where
  /// the source sends, to all one after the other.
  ///
  /// - Parameter replay: How many of the newest values those get who come late. None unless given.
  ///
  /// ```swift
  /// let shared = load(url).share(replay: 1)
  /// ```
  @inlinable
  public func share(replay: Int = 0) -> Publishers.Share<Self> {
    Publishers.Share(upstream: self, replay: replay)
  }
}

extension Publishers {
  /// What `share` returns: a class, so that copies share as well.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    /// The source's.
    public typealias Output = Upstream.Output
    /// The source's.
    public typealias Failure = Upstream.Failure

    /// The source.
    public let upstream: Upstream
    @usableFromInline let core: SubjectCore<Output, Failure>

    /// A publisher that subscribes to `upstream` once for all, and repeats the newest `replay`
    /// values.
    @inlinable
    public init(upstream: Upstream, replay: Int = 0) {
      self.upstream = upstream
      core = SubjectCore(name: "Share", keep: replay, connect: { upstream.receive(subscriber: $0) })
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      core.attach(subscriber)
    }

    /// Whether both are the same object.
    public static func == (left: Share, right: Share) -> Bool { left === right }
  }
}

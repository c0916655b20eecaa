import Synchronization

/// Running streams by key, so that all who want the same share one subscription.
///
/// The first subscriber of a key starts its stream, the last to leave stops it and removes the key.
/// When a stream ends, its key is removed before the end is delivered: whoever subscribes in reply
/// starts a new one.
///
/// ```swift
/// let transfers = SharedPublishers<URL, Chunk, TransferError>(replay: .latest)
/// func bytes(of url: URL) -> some Publisher<Chunk, TransferError> {
///   transfer(url).shared(by: url, in: transfers)
/// }
/// ```
public final class SharedPublishers<Key: Hashable & Sendable, Output: Sendable, Failure: Error>:
  Sendable
{
  /// What those get who join a running stream.
  public enum Replay: Sendable, Equatable {
    /// Only what comes from then on.
    case nothing
    /// The latest value first, if there is one.
    case latest
    /// The latest values first, up to a number.
    case last(Int)

    var count: Int {
      switch self {
      case .nothing: 0
      case .latest: 1
      case .last(let count): Swift.max(0, count)
      }
    }
  }

  @usableFromInline typealias Core = SubjectCore<Output, Failure>

  private let replay: Replay
  private let running = Mutex<[Key: Core]>([:])

  /// A registry without streams.
  public init(replay: Replay = .nothing) { self.replay = replay }

  /// The keys whose streams are running.
  public var keys: [Key] { running.withLock { Array($0.keys) } }

  /// How many streams are running.
  public var count: Int { running.withLock { $0.count } }

  /// A publisher of the stream of `key`.
  ///
  /// - Parameters:
  ///   - key: What the stream is known by.
  ///   - make: Called when a subscriber comes and no stream of that key is running.
  @inlinable
  public func publisher<P: Publisher>(
    for key: Key, _ make: @escaping @Sendable () -> P
  ) -> Publishers.SharedByKey<Key, Output, Failure>
  where P.Output == Output, P.Failure == Failure {
    Publishers.SharedByKey(registry: self, key: key) { make().receive(subscriber: $0) }
  }

  @usableFromInline
  func core(
    for key: Key, connect: @escaping @Sendable (Connection<Output, Failure>) -> Void
  ) -> Core {
    running.withLock { running in
      if let core = running[key] { return core }
      let core = Core(
        name: "SharedByKey", keep: replay.count, closesWhenEmpty: true,
        onClose: { [weak self] core in self?.remove(core, key) }, connect: connect)
      running[key] = core
      return core
    }
  }

  @usableFromInline
  func remove(_ core: Core, _ key: Key) {
    let removed = running.withLock { running in
      running[key] === core ? running.removeValue(forKey: key) : nil
    }
    _ = removed
  }
}

extension Publisher {
  /// Shares this publisher with all who subscribe under the same key.
  ///
  /// While a stream of `key` runs in `registry`, its subscribers all hear that one, and this
  /// publisher is not subscribed. Fails, finishes and delivers as the running stream; the last to
  /// cancel stops it.
  ///
  /// ```swift
  /// let transfers = SharedPublishers<URL, Chunk, TransferError>(replay: .latest)
  /// let bytes = transfer(url).shared(by: url, in: transfers)
  /// ```
  @inlinable
  public func shared<Key: Hashable & Sendable>(
    by key: Key, in registry: SharedPublishers<Key, Output, Failure>
  ) -> Publishers.SharedByKey<Key, Output, Failure> {
    registry.publisher(for: key) { self }
  }
}

extension Publishers {
  /// What `shared(by:in:)` returns.
  public struct SharedByKey<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Publisher {
    /// Where the stream is registered while it runs.
    public let registry: SharedPublishers<Key, Output, Failure>
    /// Its key.
    public let key: Key
    @usableFromInline let connect: @Sendable (Connection<Output, Failure>) -> Void

    @inlinable
    init(
      registry: SharedPublishers<Key, Output, Failure>, key: Key,
      connect: @escaping @Sendable (Connection<Output, Failure>) -> Void
    ) {
      self.registry = registry
      self.key = key
      self.connect = connect
    }

    /// Attaches a subscriber to the running stream, or starts one.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      while true {
        let core = registry.core(for: key, connect: connect)
        if core.attach(subscriber) { return }
        // It closed between being found and being joined.
        registry.remove(core, key)
      }
    }
  }
}

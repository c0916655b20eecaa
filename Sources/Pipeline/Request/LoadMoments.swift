/// When a load's picture passed its stages. What did not happen is `nil`.
///
/// Of shared work these are the times of the load that began it.
public struct LoadMoments: Sendable, Hashable {
  private var times = Times()

  /// Nothing happened yet.
  public init() {}

  /// The load was asked for.
  public var began: ContinuousClock.Instant? {
    get { times.began.instant }
    set { times.began = Nanoseconds(newValue) }
  }

  /// The caches had answered.
  public var lookedUp: ContinuousClock.Instant? {
    get { times.lookedUp.instant }
    set { times.lookedUp = Nanoseconds(newValue) }
  }

  /// All bytes were at hand.
  public var lastByte: ContinuousClock.Instant? {
    get { times.lastByte.instant }
    set { times.lastByte = Nanoseconds(newValue) }
  }

  /// The pixels were made.
  public var decoded: ContinuousClock.Instant? {
    get { times.decoded.instant }
    set { times.decoded = Nanoseconds(newValue) }
  }

  /// The pixels were changed.
  public var transformed: ContinuousClock.Instant? {
    get { times.transformed.instant }
    set { times.transformed = Nanoseconds(newValue) }
  }

  /// The caches had been given it, or had taken over to write it.
  public var stored: ContinuousClock.Instant? {
    get { times.stored.instant }
    set { times.stored = Nanoseconds(newValue) }
  }
}

extension LoadMoments {
  fileprivate struct Times: Sendable, Hashable {
    var began = Nanoseconds()
    var lookedUp = Nanoseconds()
    var lastByte = Nanoseconds()
    var decoded = Nanoseconds()
    var transformed = Nanoseconds()
    var stored = Nanoseconds()
  }
}

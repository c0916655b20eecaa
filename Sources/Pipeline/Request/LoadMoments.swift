/// When a load's picture passed its stages. What did not happen is `nil`.
///
/// Of shared work these are the times of the load that began it.
public struct LoadMoments: Sendable, Hashable {
  /// The load was asked for.
  public var began: ContinuousClock.Instant?
  /// The caches had answered.
  public var lookedUp: ContinuousClock.Instant?
  /// All bytes were at hand.
  public var lastByte: ContinuousClock.Instant?
  /// The pixels were made.
  public var decoded: ContinuousClock.Instant?
  /// The pixels were changed.
  public var transformed: ContinuousClock.Instant?
  /// The caches had been given it, or had taken over to write it.
  public var stored: ContinuousClock.Instant?

  /// Nothing happened yet.
  public init() {}
}

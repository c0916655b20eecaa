/// A moment of virtual time.
public struct VirtualTime: InstantProtocol {
  /// The distance from the scheduler's start.
  public let offset: Duration

  /// The moment `offset` after the start.
  public init(offset: Duration = .zero) { self.offset = offset }

  /// The whole ticks since the start; what remains is dropped.
  public var ticks: Int { offset.ticks }

  /// The moment `duration` later.
  public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

  /// The time from here to `other`.
  public func duration(to other: Self) -> Duration { other.offset - offset }

  /// Whether the left moment is earlier.
  public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
}

extension VirtualTime: CustomStringConvertible {
  /// The distance from the start.
  public var description: String { "\(offset)" }
}

extension Duration {
  /// A number of ticks of virtual time, the columns of a marble string: a millisecond each.
  public static func ticks(_ count: Int) -> Duration { .milliseconds(count) }

  /// The whole ticks in it; what remains is dropped.
  var ticks: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

import Flow

/// What a recording subscriber asks for: at first, and in reply to each value.
public struct DemandScript: Sendable {
  /// Asked for when the subscription arrives.
  public let initial: Subscribers.Demand
  /// Asked for in reply to a value; it is given the value's number, counted from zero.
  public let reply: @Sendable (Int) -> Subscribers.Demand

  /// Asks for `initial`, and for what `reply` says at each value.
  public init(
    initial: Subscribers.Demand,
    reply: @escaping @Sendable (_ index: Int) -> Subscribers.Demand = { _ in .none }
  ) {
    self.initial = initial
    self.reply = reply
  }

  /// Everything at once.
  public static var unlimited: Self { Self(initial: .unlimited) }

  /// Nothing, until the test asks.
  public static var none: Self { Self(initial: .none) }

  /// `count` values and no more, until the test asks.
  public static func max(_ count: Int) -> Self { Self(initial: .max(count)) }

  /// One value at a time, the next in reply to each.
  public static var oneByOne: Self { Self(initial: .max(1)) { _ in .max(1) } }

  /// `initial` first, then the replies in order; nothing when they are used up.
  public static func replies(
    _ replies: [Subscribers.Demand], after initial: Subscribers.Demand
  ) -> Self {
    Self(initial: initial) { $0 < replies.count ? replies[$0] : .none }
  }
}

extension Subscribers {
  /// A number of values asked for. It never overflows: what is too large is unlimited.
  public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable {
    @usableFromInline let count: Int

    @inlinable @inline(__always)
    init(count: Int) { self.count = count }

    /// As many as there are.
    @inlinable @inline(__always)
    public static var unlimited: Demand { Demand(count: .max) }

    /// No values: the same as `.max(0)`.
    @inlinable @inline(__always)
    public static var none: Demand { Demand(count: 0) }

    /// At most `value` values. A negative number is a programming error.
    @inlinable @inline(__always)
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand cannot be negative")
      return Demand(count: value)
    }

    /// The number asked for; nil when unlimited.
    @inlinable public var max: Int? { count == .max ? nil : count }

    @inlinable @inline(__always)
    var isUnlimited: Bool { count == .max }

    /// Whether the left demand is smaller; unlimited is larger than any number.
    @inlinable
    public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }

    /// The sum; unlimited when either is, or when it would overflow.
    @inlinable @inline(__always)
    public static func + (left: Demand, right: Demand) -> Demand {
      let (sum, overflow) = left.count.addingReportingOverflow(right.count)
      return Demand(count: overflow ? .max : sum)
    }

    /// Adds in place, saturating.
    @inlinable @inline(__always)
    public static func += (left: inout Demand, right: Demand) { left = left + right }

    /// The difference, at least zero. Unlimited stays unlimited; a number less unlimited is zero.
    @inlinable
    public static func - (left: Demand, right: Demand) -> Demand {
      left.isUnlimited ? left : Demand(count: Swift.max(0, left.count &- right.count))
    }

    /// Subtracts in place, never below zero.
    @inlinable
    public static func -= (left: inout Demand, right: Demand) { left = left - right }

    /// The product, saturating.
    @inlinable
    public static func * (left: Demand, right: Int) -> Demand {
      if left.isUnlimited { return left }
      let (product, overflow) = left.count.multipliedReportingOverflow(by: right)
      return overflow ? .unlimited : .max(product)
    }

    /// Multiplies in place, saturating.
    @inlinable
    public static func *= (left: inout Demand, right: Int) { left = left * right }
  }
}

extension Subscribers.Demand {
  /// Adds a number, saturating.
  @inlinable
  public static func + (left: Self, right: Int) -> Self { left + .max(right) }
  /// Adds a number in place, saturating.
  @inlinable
  public static func += (left: inout Self, right: Int) { left = left + right }
  /// Subtracts a number, never below zero.
  @inlinable
  public static func - (left: Self, right: Int) -> Self { left - .max(right) }
  /// Subtracts a number in place, never below zero.
  @inlinable
  public static func -= (left: inout Self, right: Int) { left = left - right }
  /// Whether exactly `right` values are asked for.
  @inlinable
  public static func == (left: Self, right: Int) -> Bool { left.max == right }
  /// Whether another number than `right` is asked for.
  @inlinable
  public static func != (left: Self, right: Int) -> Bool { left.max != right }
  /// Whether fewer than `right` are asked for.
  @inlinable
  public static func < (left: Self, right: Int) -> Bool { left.count < right }
  /// Whether more than `right` are asked for.
  @inlinable
  public static func > (left: Self, right: Int) -> Bool { left.isUnlimited || left.count > right }
  /// Whether at most `right` are asked for.
  @inlinable
  public static func <= (left: Self, right: Int) -> Bool { !(left > right) }
  /// Whether at least `right` are asked for.
  @inlinable
  public static func >= (left: Self, right: Int) -> Bool { !(left < right) }
}

extension Subscribers.Demand: CustomStringConvertible {
  /// `unlimited`, or `max(n)`.
  public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
}

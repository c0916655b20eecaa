/// Names one load among those of a pipeline, in order of their beginning.
public struct LoadID: Sendable, Hashable, Comparable {
  /// Counts from 1.
  public let number: UInt64

  /// Whether `left` began earlier.
  public static func < (left: LoadID, right: LoadID) -> Bool { left.number < right.number }
}

extension LoadID: CustomStringConvertible {
  /// As `load 7`.
  public var description: String { "load \(number)" }
}

/// How urgent a load is.
public enum LoadPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// From what nobody waits for to what somebody looks at; `normal` unless said.
  case veryLow, low, normal, high, veryHigh

  /// Whether `left` is less urgent.
  public static func < (left: LoadPriority, right: LoadPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

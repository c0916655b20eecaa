/// How many bytes of a body have arrived. Never decreases within one load.
public struct LoadProgress: Sendable, Hashable {
  /// Body bytes so far.
  public var received: Int
  /// Body bytes in all; `nil` when the server did not say, or said it of compressed bytes.
  public var expected: Int?

  /// Describes progress.
  public init(received: Int, expected: Int?) {
    self.received = received
    self.expected = expected
  }

  /// 0…1, or `nil` when the size is unknown.
  public var fraction: Double? {
    guard let expected, expected > 0 else { return nil }
    return min(1, Double(received) / Double(expected))
  }
}

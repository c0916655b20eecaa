/// The `Retry-After` field of a response.
enum RetryAfter {
  /// The time to wait; `nil` when the field makes no sense.
  static func parse(_ field: String) -> Duration? {
    if let seconds = Int(field) { return seconds >= 0 ? .seconds(min(seconds, 86_400)) : nil }
    return nil
  }
}

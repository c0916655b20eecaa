#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The `Retry-After` field of a response: seconds, or the date of the next try.
enum RetryAfter {
  /// The time to wait from `now` (seconds since 1970), at most a day; `nil` when it makes no sense.
  static func parse(_ field: String, now: Int) -> Duration? {
    let seconds = Int(field) ?? HTTPDate.parse(field).map { max(0, $0 - now) }
    return seconds.flatMap { $0 >= 0 ? .seconds(min($0, 86_400)) : nil }
  }

  /// The same, from the present time.
  static func parse(_ field: String) -> Duration? {
    parse(field, now: Int(Date().timeIntervalSince1970))
  }
}

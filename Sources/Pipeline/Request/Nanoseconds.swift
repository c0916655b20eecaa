/// A time, or none, in eight bytes: metrics are copied with every event.
///
/// Instants take part as the time since a moment that is the same for the whole process. How to copy
/// the clock's own is looked up at run time.
struct Nanoseconds: Sendable, Hashable {
  private static let beginning = ContinuousClock.now
  private var count = Int64.min

  /// None.
  init() {}

  /// Of a stretch of time.
  init(_ duration: Duration?) {
    if let duration { count = duration.nanoseconds }
  }

  /// Of a moment.
  init(_ instant: ContinuousClock.Instant?) {
    self.init(instant.map { Self.beginning.duration(to: $0) })
  }

  /// As a stretch of time.
  var duration: Duration? { count == .min ? nil : .nanoseconds(count) }

  /// As a moment.
  var instant: ContinuousClock.Instant? { duration.map { Self.beginning.advanced(by: $0) } }
}

import Synchronization

/// Nanoseconds since 1970, moved by hand.
final class WallClock: Sendable {
  private let time = Mutex<Int64>(1_000_000_000_000_000_000)

  var now: Int64 { time.withLock { $0 } }

  func advance(_ nanoseconds: Int64) { time.withLock { $0 += nanoseconds } }
}

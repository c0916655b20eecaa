/// How often, and when, a transfer that failed is tried again.
///
/// Only what can heal is: trouble with the connection, time limits, and the statuses of a busy or
/// broken server. A `Retry-After` of the server's makes the wait longer, never shorter; when it asks
/// for more than `maximumDelay`, the transfer fails at once.
public struct TransferRetry: Sendable, Hashable {
  /// Attempts after the first.
  public var count: Int
  /// The wait before the first of them; each further wait is twice as long.
  public var firstDelay: Duration
  /// No wait is longer.
  public var maximumDelay: Duration
  /// The part of a wait, 0…1, that is left to chance, so that clients do not come back in step.
  public var jitter: Double

  /// Describes a policy.
  public init(
    count: Int, firstDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(30),
    jitter: Double = 0.5
  ) {
    self.count = count
    self.firstDelay = firstDelay
    self.maximumDelay = maximumDelay
    self.jitter = jitter
  }

  /// No further attempt.
  public static let never = TransferRetry(count: 0)

  /// The wait after `failure` of attempt number `attempt`, from 0; `nil` gives up.
  ///
  /// - Parameter chance: 0…1.
  func delay(after failure: DownloadError, attempt: Int, chance: Double) -> Duration? {
    guard attempt < count, failure.mayHeal else { return nil }
    let factor = Double(1 << min(attempt, 30))
    // Compared as numbers: durations trap where they can not be written.
    let reachesLimit = firstDelay.seconds * factor >= maximumDelay.seconds
    let longest = reachesLimit ? maximumDelay : max(firstDelay, .zero) * factor
    // What is no number leaves nothing to chance.
    let part = jitter > 0 ? min(jitter, 1) : 0
    let wait = longest * (1 - part * chance)
    guard case .refused(_, let asked?) = failure else { return wait }
    return asked <= maximumDelay ? max(wait, asked) : nil
  }
}

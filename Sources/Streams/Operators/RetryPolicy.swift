/// When and how often to try again after a failure.
///
/// ```swift
/// let policy = RetryPolicy<LoadError>(
///   attempts: 3, backoff: .exponential(from: .seconds(1), atMost: .seconds(30)), jitter: 0.2
/// ) { $0.mayHeal }
/// ```
public struct RetryPolicy<Failure: Error>: Sendable {
  /// How long to wait before the next attempt.
  public enum Backoff: Sendable, Equatable {
    /// Not at all.
    case none
    /// Always as long.
    case constant(Duration)
    /// Each time `factor` times as long as before, up to a limit.
    case exponential(from: Duration, factor: Double = 2, atMost: Duration)
  }

  /// How many times to try again, after the first attempt.
  public var attempts: Int
  /// How long to wait in between.
  public var backoff: Backoff
  /// How much of the wait is left to chance: 0.2 makes it up to a fifth shorter or longer.
  public var jitter: Double
  /// Whether a failure is worth another attempt.
  public var isWorthwhile: @Sendable (Failure) -> Bool
  /// A wait that the failure itself asks for; it is at least kept.
  public var requestedDelay: @Sendable (Failure) -> Duration?
  /// Where chance comes from: numbers from 0 up to 1.
  public var random: @Sendable () -> Double

  /// A policy.
  public init(
    attempts: Int, backoff: Backoff = .none, jitter: Double = 0,
    isWorthwhile: @escaping @Sendable (Failure) -> Bool = { _ in true },
    requestedDelay: @escaping @Sendable (Failure) -> Duration? = { _ in nil },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.attempts = attempts
    self.backoff = backoff
    self.jitter = jitter
    self.requestedDelay = requestedDelay
    self.random = random
    self.isWorthwhile = isWorthwhile
  }
}

/// How far the attempts have come: pure, knows no clock.
public struct RetryState<Failure: Error>: Sendable {
  /// What to do about a failure.
  public enum Decision: Sendable, Equatable {
    /// Let it pass.
    case giveUp
    /// Try again after that time.
    case tryAgain(after: Duration)
  }

  private let policy: RetryPolicy<Failure>
  /// How many failures there were.
  public private(set) var failures = 0

  /// The state before the first attempt.
  public init(_ policy: RetryPolicy<Failure>) { self.policy = policy }

  /// Decides about a failure.
  public mutating func failed(_ error: Failure) -> Decision {
    guard failures < policy.attempts, policy.isWorthwhile(error) else { return .giveUp }
    failures += 1
    var delay = wait
    if policy.jitter > 0, delay > .zero {
      let chance: Double = 2 * policy.random() - 1
      delay = delay * (1 + min(policy.jitter, 1) * chance)
    }
    if let requested = policy.requestedDelay(error) { delay = max(delay, requested) }
    return .tryAgain(after: delay)
  }

  private var wait: Duration {
    switch policy.backoff {
    case .none: return .zero
    case .constant(let delay): return delay
    case .exponential(let first, let factor, let limit):
      var delay = first
      for _ in 1..<max(failures, 1) where delay < limit {
        // Looked at as numbers first: durations trap where they can not be written.
        let next = delay.inSeconds * factor
        guard next < limit.inSeconds else { return limit }
        guard next > 0 else { return .zero }
        delay = delay * factor
      }
      return min(delay, limit)
    }
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

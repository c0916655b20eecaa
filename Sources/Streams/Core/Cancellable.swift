/// A running activity that can be stopped.
///
/// Cancelling is idempotent and may be done from any thread.
public protocol Cancellable: Sendable {
  /// Stops the activity and releases what it holds.
  func cancel()
}

import Flow
import Synchronization

/// One of those who wait for shared work, and how urgent it is to them. Withdrawn when released.
final class UrgencyVote: Sendable {
  private struct State {
    var priority: LoadPriority?
    var isWithdrawn = false
    var following: AnyCancellable?
  }

  private let state: Mutex<State>
  private let entry: UrgencyEntry
  private let onClose: @Sendable () -> Void

  /// - Parameter onClose: Called when the last vote was withdrawn, and it was this one.
  init(
    _ priority: LoadPriority?, in entry: UrgencyEntry, onClose: @escaping @Sendable () -> Void
  ) {
    state = Mutex(State(priority: priority))
    self.entry = entry
    self.onClose = onClose
  }

  deinit { withdraw() }

  /// How urgent the work is to all together: now, and whenever that changes.
  var urgency: AnyPublisher<LoadPriority, Never> { entry.urgency }

  /// Is as urgent as `priorities` says from now on.
  func follow(_ priorities: AnyPublisher<LoadPriority, Never>) {
    let task = priorities.sink { [weak self] in self?.move(to: $0) }
    let isLate = state.withLock { state in
      if !state.isWithdrawn { state.following = task }
      return state.isWithdrawn
    }
    if isLate { task.cancel() }
  }

  /// Takes part no more. Again, it has no effect.
  func withdraw() {
    let last: State? = state.withLock { state in
      guard !state.isWithdrawn else { return nil }
      defer { state = State(isWithdrawn: true) }
      return state
    }
    guard let last else { return }
    last.following?.cancel()
    if entry.remove(last.priority) { onClose() }
  }

  private func move(to new: LoadPriority) {
    let old: LoadPriority?? = state.withLock { state in
      guard !state.isWithdrawn, state.priority != new else { return nil }
      defer { state.priority = new }
      return .some(state.priority)
    }
    if let old { entry.move(old, to: new) }
  }
}

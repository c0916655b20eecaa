import Flow
import Synchronization

/// One of those who wait for shared work, and how urgent it is to them. Withdrawn when released.
final class UrgencyVote: Sendable {
  private enum State {
    case cast(LoadPriority?)
    case withdrawn
  }

  /// How urgent the work is to all together: now, and whenever that changes.
  let urgency: AnyPublisher<LoadPriority, Never>
  private let state: Mutex<State>
  private let following = Mutex<AnyCancellable?>(nil)
  private let change: @Sendable (_ from: LoadPriority?, _ to: LoadPriority?) -> Void

  /// - Parameter change: Moves the vote; to `nil` when it is withdrawn.
  init(
    _ priority: LoadPriority?, _ urgency: AnyPublisher<LoadPriority, Never>,
    change: @escaping @Sendable (_ from: LoadPriority?, _ to: LoadPriority?) -> Void
  ) {
    state = Mutex(.cast(priority))
    self.urgency = urgency
    self.change = change
  }

  deinit { withdraw() }

  /// Is as urgent as `priorities` says from now on.
  func follow(_ priorities: AnyPublisher<LoadPriority, Never>) {
    let task = priorities.sink { [weak self] in self?.move(to: $0) }
    following.withLock { $0 = task }
  }

  /// Takes part no more. Again, it has no effect.
  func withdraw() {
    let old: LoadPriority?? = state.withLock { state in
      guard case .cast(let old) = state else { return nil }
      state = .withdrawn
      return .some(old)
    }
    guard let old else { return }
    change(old, nil)
    following.withLock { $0.take() }?.cancel()
  }

  private func move(to new: LoadPriority) {
    let old: LoadPriority?? = state.withLock { state in
      guard case .cast(let old) = state, old != new else { return nil }
      state = .cast(new)
      return .some(old)
    }
    if let old { change(old, new) }
  }
}

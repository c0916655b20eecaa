import Flow
import Synchronization

/// How urgent one piece of work is to those who wait for it. Closed when the last has left.
final class UrgencyEntry: Sendable {
  private struct State {
    var ballot = UrgencyBallot()
    /// What has been told last.
    var told: LoadPriority
    /// Somebody is telling, and will tell what is newer, too.
    var isTelling = false
    var isClosed = false
  }

  private let state: Mutex<State>
  private let subject: CurrentValueSubject<LoadPriority, Never>

  init(_ priority: LoadPriority) {
    state = Mutex(State(told: priority))
    subject = CurrentValueSubject(priority)
  }

  /// The highest of all: now, and whenever it changes.
  var urgency: AnyPublisher<LoadPriority, Never> { subject.eraseToAnyPublisher() }

  /// Somebody joins. `false` when it is closed.
  func add(_ priority: LoadPriority?) -> Bool {
    let news: LoadPriority?? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.ballot.add(priority)
      return .some(Self.beginTelling(&state))
    }
    guard let news else { return false }
    tell(news)
    return true
  }

  /// Somebody changes their mind.
  func move(_ old: LoadPriority?, to new: LoadPriority) {
    tell(
      state.withLock { state in
        state.ballot.remove(old)
        state.ballot.add(new)
        return Self.beginTelling(&state)
      })
  }

  /// Somebody leaves. `true` when that closes it.
  func remove(_ priority: LoadPriority?) -> Bool {
    let (news, isClosed) = state.withLock { state in
      state.ballot.remove(priority)
      state.isClosed = state.ballot.isEmpty
      return (state.isClosed ? nil : Self.beginTelling(&state), state.isClosed)
    }
    tell(news)
    return isClosed
  }

  /// What the caller is to tell; when somebody is at it already, they do.
  private static func beginTelling(_ state: inout State) -> LoadPriority? {
    state.isTelling ? nil : news(&state)
  }

  private static func news(_ state: inout State) -> LoadPriority? {
    let highest = state.ballot.highest ?? state.told
    state.isTelling = highest != state.told
    state.told = highest
    return state.isTelling ? highest : nil
  }

  private func tell(_ news: LoadPriority?) {
    var next = news
    while let priority = next {
      subject.send(priority)
      next = state.withLock { Self.news(&$0) }
    }
  }
}

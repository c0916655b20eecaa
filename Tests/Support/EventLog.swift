import Foundation
import Synchronization

/// What happened at a server, and those who wait for it to happen.
final class EventLog: Sendable {
  private struct Waiter {
    let condition: @Sendable (ServerCounts) -> Bool
    let resume: @Sendable (Bool) -> Void
  }

  private struct State {
    var counts = ServerCounts()
    var sockets: Set<Int32> = []
    var isStopped = false
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state = Mutex(State())

  var counts: ServerCounts { state.withLock { $0.counts } }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Changes the counts, then wakes those whose condition holds now.
  func update(_ change: (inout ServerCounts) -> Void) {
    let woken = state.withLock { state in
      change(&state.counts)
      let counts = state.counts
      let ready = state.waiters.filter { $0.value.condition(counts) }
      for id in ready.keys { state.waiters[id] = nil }
      return Array(ready.values)
    }
    for waiter in woken { waiter.resume(true) }
  }

  func opened(_ socket: Int32) -> Bool {
    let isWelcome = state.withLock { state in
      guard !state.isStopped else { return false }
      state.sockets.insert(socket)
      return true
    }
    if isWelcome {
      update {
        $0.connections += 1
        $0.openConnections += 1
      }
    }
    return isWelcome
  }

  func closed(_ socket: Int32) {
    _ = state.withLock { $0.sockets.remove(socket) }
    Socket.close(socket)
    update { $0.openConnections -= 1 }
  }

  func stop(_ listener: Int32) {
    let sockets: Set<Int32>? = state.withLock { state in
      guard !state.isStopped else { return nil }
      state.isStopped = true
      for socket in state.sockets { Socket.shutDown(socket) }
      return state.sockets
    }
    if sockets != nil { Socket.shutDown(listener) }
  }

  func wait(
    within limit: Duration, until condition: @escaping @Sendable (ServerCounts) -> Bool
  ) async throws {
    let held = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let id: Int? = state.withLock { state in
        if condition(state.counts) { return nil }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = Waiter(condition: condition) {
          continuation.resume(returning: $0)
        }
        return state.lastWaiter
      }
      guard let id else { return continuation.resume(returning: true) }
      let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
        self.state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(false)
      }
    }
    if !held { throw WaitedTooLong(seen: String(describing: counts)) }
  }
}

/// A condition on a server did not come true in time.
public struct WaitedTooLong: Error {
  /// The counts at the end.
  public let seen: String
}

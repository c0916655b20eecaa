import Dispatch
import Synchronization

extension WorkerPool {
  /// Runs `body` for each number below `count`, here and on workers that have nothing else to do.
  ///
  /// Helping is the least urgent work there is: while jobs wait for a worker, the caller does it
  /// all. Returns when no call is running any more. Once `cancellation` is set, no further call
  /// begins. Callable from a worker.
  func share(
    _ count: Int, cancellation: CancellationFlag, _ body: @escaping @Sendable (Int) -> Void
  ) {
    let loop = SharedLoop(count: count, cancellation: cancellation, body: body)
    let helperCount = max(0, min(idleCount, count - 1))
    let helpers = (0..<helperCount).map { _ in
      submit(priority: .veryLow) { _ in loop.help(while: { self.waitingCount == 0 }) }
    }
    loop.runAndWait()
    for helper in helpers { helper.cancel() }
  }
}

/// Numbers that several threads take until none is left.
private final class SharedLoop: Sendable {
  private struct State {
    var next = 0
    var helperCount = 0
    var isClosed = false
  }

  private let count: Int
  private let cancellation: CancellationFlag
  private let body: @Sendable (Int) -> Void
  private let state = Mutex(State())
  private let lastHelperLeft = DispatchSemaphore(value: 0)

  init(count: Int, cancellation: CancellationFlag, body: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.cancellation = cancellation
    self.body = body
  }

  /// Takes numbers, then waits for the helpers that have some still.
  func runAndWait() {
    run()
    let waits = state.withLock { state in
      state.isClosed = true
      return state.helperCount > 0
    }
    if waits { lastHelperLeft.wait() }
    // What the helpers wrote is seen after this lock, which they held last.
    state.withLock { _ in }
  }

  /// Takes numbers as long as nobody else needs the worker, and none once the caller has left: the
  /// memory that `body` writes may be gone then.
  func help(while isFree: () -> Bool) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.helperCount += 1 }
      return state.isClosed
    }
    guard !isLate else { return }
    run(while: isFree)
    let isLast = state.withLock { state in
      state.helperCount -= 1
      return state.isClosed && state.helperCount == 0
    }
    if isLast { lastHelperLeft.signal() }
  }

  private func run(while goesOn: () -> Bool = { true }) {
    while !cancellation.isCancelled, goesOn(), let index = take() { body(index) }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}

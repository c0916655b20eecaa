import Synchronization

/// A value that will be there once, or a failure; the same for all subscribers.
///
/// The closure runs at once, when the future is made, and its promise may be kept on any thread;
/// only the first time counts. Cancelling a subscription does not stop the closure's work.
///
/// ```swift
/// let answer = Future<Int, Never> { promise in
///   DispatchQueue.global().async { promise(.success(42)) }
/// }
/// ```
public final class Future<Output: Sendable, Failure: Error>: Publisher {
  /// Keeps the promise; only the first call counts.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline let core: SubjectCore<Output, Failure>

  /// A future that `attemptToFulfill` fulfils.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let core = SubjectCore<Output, Failure>(name: "Future", keep: 1)
    let isKept = Once()
    self.core = core
    attemptToFulfill { result in
      guard isKept.isFirst() else { return }
      switch result {
      case .success(let value):
        core.send(value)
        core.send(completion: .finished)
      case .failure(let error): core.send(completion: .failure(error))
      }
    }
  }

  /// A future that an asynchronous closure fulfils, in a task of its own that starts at once.
  public convenience init(
    priority: TaskPriority? = nil,
    async operation: @escaping @Sendable () async throws(Failure) -> Output
  ) {
    self.init { promise in
      Task(priority: priority) {
        do throws(Failure) {
          promise(.success(try await operation()))
        } catch {
          promise(.failure(error))
        }
      }
    }
  }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    core.attach(subscriber)
  }
}

/// Tells the first caller from all others.
private final class Once: Sendable {
  private let done = Atomic<Bool>(false)

  func isFirst() -> Bool { !done.exchange(true, ordering: .acquiringAndReleasing) }
}

import Synchronization

/// Turns calls that nest or collide into a loop of the first caller.
@usableFromInline
struct WorkCount: ~Copyable, Sendable {
  private let count = Atomic<Int>(0)

  @usableFromInline init() {}

  /// Notes one piece of work. Returns whether the caller has to do it, and all that follows.
  @usableFromInline
  func add() -> Bool { count.add(1, ordering: .acquiringAndReleasing).oldValue == 0 }

  /// Notes that one piece is done. Returns whether there is another.
  @usableFromInline
  func take() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 }
}

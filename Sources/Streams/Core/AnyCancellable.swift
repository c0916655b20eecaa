import Synchronization

/// Owns a running activity: cancels it when told to, or when the last reference goes away.
///
/// Cancelling is idempotent, may be done from any thread, also from inside the activity's own
/// callbacks, and releases everything that the activity holds.
///
/// ```swift
/// var tasks: Set<AnyCancellable> = []
/// taps.sink { print($0) }.store(in: &tasks)
/// tasks.removeAll()  // stops it
/// ```
public final class AnyCancellable: Cancellable {
  @usableFromInline let canceller: Mutex<(any Canceller)?>

  /// Runs `cancel` once, at the first cancel or at the end of this object's life.
  @inlinable
  public init(_ cancel: @escaping @Sendable () -> Void) {
    canceller = Mutex(ClosureCanceller(cancel))
  }

  /// Cancels `canceller` once, at the first cancel or at the end of this object's life.
  @inlinable
  public init<C: Cancellable>(_ canceller: C) {
    self.canceller = Mutex(ClosureCanceller { canceller.cancel() })
  }

  @inlinable
  init(owning slot: SubscriptionSlot) { canceller = Mutex(slot) }

  deinit { cancel() }

  /// Stops the activity. Further calls do nothing.
  @inlinable
  public func cancel() {
    canceller.withLock { $0.take() }?.cancel()
  }
}

/// What an `AnyCancellable` can hold in one reference.
@usableFromInline
protocol Canceller: AnyObject, Cancellable {}

@usableFromInline
final class ClosureCanceller: Canceller {
  @usableFromInline let action: @Sendable () -> Void

  @inlinable
  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  @usableFromInline
  func cancel() { action() }
}

extension AnyCancellable: Hashable {
  /// Whether both are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Keeps the activity running for as long as it is in `set`.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Keeps the activity running for as long as it is in `collection`.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }
}

extension Cancellable {
  /// Wraps it and keeps it running for as long as it is in `set`.
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }

  /// Wraps it and keeps it running for as long as it is in `collection`.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }
}

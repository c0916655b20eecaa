import Synchronization

/// Owns a running activity: cancels it when told to, or when the last reference goes away.
///
/// Cancelling is idempotent, may be done from any thread, also from inside the activity's own
/// callbacks, and releases everything that the activity holds.
public final class AnyCancellable: Cancellable {
  @usableFromInline
  enum Action: Sendable {
    case object(any Cancellable)
    case closure(@Sendable () -> Void)
    case none
  }

  @usableFromInline let action: Mutex<Action>

  /// Runs `cancel` once, at the first cancel or at the end of this object's life.
  @inlinable
  public init(_ cancel: @escaping @Sendable () -> Void) {
    action = Mutex(.closure(cancel))
  }

  /// Cancels `canceller` once, at the first cancel or at the end of this object's life.
  @inlinable
  public init<C: Cancellable>(_ canceller: C) {
    action = Mutex(.object(canceller))
  }

  deinit { cancel() }

  /// Stops the activity. Further calls do nothing.
  @inlinable
  public func cancel() {
    let taken = action.withLock { action in
      let taken = action
      action = .none
      return taken
    }
    switch taken {
    case .object(let canceller): canceller.cancel()
    case .closure(let cancel): cancel()
    case .none: break
    }
  }
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

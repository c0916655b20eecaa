/// A way to a value that does not keep it: answers while somebody else does.
public struct WeakReference<Value: Sendable>: Sendable {
  let find: @Sendable () -> Value?

  /// Makes a reference; `find` gives the value while it lives, and is called under a lock: it does
  /// nothing but look.
  public init(find: @escaping @Sendable () -> Value?) { self.find = find }
}

/// Values that were dropped, by key, as long as they are held by somebody else.
///
/// References to values that are gone are swept once the level has doubled, so that it costs a
/// constant time per insertion and at most twice the memory of those that live.
struct WeakLevel<Key: Hashable, Value: Sendable> {
  private struct Entry {
    let reference: WeakReference<Value>
    let storedAt: ContinuousClock.Instant?
  }

  private var entries: [Key: Entry] = [:]
  private var sweepAt = 64

  var isEmpty: Bool { entries.isEmpty }
  var keys: [Key] { Array(entries.keys) }

  /// The value of `key`, and when it was stored, if that was said.
  func value(for key: Key) -> (value: Value, storedAt: ContinuousClock.Instant?)? {
    guard let entry = entries[key], let value = entry.reference.find() else { return nil }
    return (value, entry.storedAt)
  }

  mutating func insert(
    _ reference: WeakReference<Value>, storedAt: ContinuousClock.Instant?, for key: Key
  ) {
    entries[key] = Entry(reference: reference, storedAt: storedAt)
    guard entries.count >= sweepAt else { return }
    entries = entries.filter { $0.value.reference.find() != nil }
    sweepAt = max(64, entries.count * 2)
  }

  mutating func remove(_ key: Key) { entries.removeValue(forKey: key) }
}

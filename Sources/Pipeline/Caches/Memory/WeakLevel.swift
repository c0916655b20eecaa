/// A way to a value that does not keep it: answers while somebody else does.
public struct WeakReference<Value: Sendable>: Sendable {
  let find: @Sendable () -> Value?

  /// Makes a reference; `find` gives the value while it lives, and is called under a lock: it does
  /// nothing but look.
  public init(find: @escaping @Sendable () -> Value?) { self.find = find }
}

/// Values that are held by somebody else, by key.
///
/// References to values that are gone are swept once the level has doubled, so that it costs a
/// constant time per insertion and at most twice the memory of those that live.
struct WeakLevel<Key: Hashable, Value: Sendable> {
  private var references: [Key: WeakReference<Value>] = [:]
  private var sweepAt = 64

  var keys: [Key] { Array(references.keys) }

  func value(for key: Key) -> Value? { references[key]?.find() }

  mutating func insert(_ reference: WeakReference<Value>, for key: Key) {
    references[key] = reference
    guard references.count >= sweepAt else { return }
    references = references.filter { $0.value.find() != nil }
    sweepAt = max(64, references.count * 2)
  }

  mutating func remove(_ key: Key) { references.removeValue(forKey: key) }
}

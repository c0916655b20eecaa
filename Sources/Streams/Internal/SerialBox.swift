/// State of one subscription that only its signals touch.
// SAFETY: signals of one subscription arrive one at a time, each after the other.
@usableFromInline
final class SerialBox<Value>: @unchecked Sendable {
  @exclusivity(unchecked)
  @usableFromInline var value: Value

  @inlinable @inline(__always)
  init(_ value: Value) { self.value = value }
}

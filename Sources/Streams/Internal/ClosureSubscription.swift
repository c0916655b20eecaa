/// A subscription made of closures, formed where the types are concrete.
///
/// Handing out a generic source itself would run its whole loop unspecialised, as it is reached
/// through an existential.
@usableFromInline
final class ClosureSubscription: Subscription, CustomStringConvertible {
  @usableFromInline let name: StaticString
  @usableFromInline let onRequest: @Sendable (Subscribers.Demand) -> Void
  @usableFromInline let onCancel: @Sendable () -> Void

  @inlinable @inline(__always)
  init(
    _ name: StaticString, request: @escaping @Sendable (Subscribers.Demand) -> Void,
    cancel: @escaping @Sendable () -> Void
  ) {
    self.name = name
    onRequest = request
    onCancel = cancel
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) { onRequest(demand) }
  @usableFromInline func cancel() { onCancel() }
  @usableFromInline var description: String { "\(name)" }
}

/// A publisher whose type tells only what it sends.
///
/// It behaves exactly as the publisher it wraps.
public struct AnyPublisher<Output: Sendable, Failure: Error>: Publisher {
  @usableFromInline let attach: @Sendable (AnySubscriber<Output, Failure>) -> Void

  /// Wraps `publisher`.
  @inlinable @inline(__always)
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    // Formed here, where the type is concrete: the whole chain behind it stays specialised.
    let box = PublisherBox(publisher)
    attach = { box.publisher?.receive(subscriber: $0) }
  }

  /// Attaches a subscriber to the wrapped publisher.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let level = Trampoline.ascend()
    if Landing.isDue(at: level) {
      Landing.put(below: attach, above: AnySubscriber(subscriber))
    } else {
      attach(AnySubscriber(subscriber))
    }
    Trampoline.descend(to: level)
  }
}

/// Holds an erased publisher, and lets go of it without a deep stack when that holds another, and
/// so on a hundred thousand times.
// SAFETY: `publisher` is written by `deinit` alone.
@usableFromInline
final class PublisherBox<Contents: Publisher>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var publisher: Contents?

  @inlinable
  init(_ publisher: Contents) { self.publisher = publisher }

  @inlinable
  deinit {
    if Trampoline.enter() {
      publisher = nil
      Trampoline.leave()
    } else {
      let last = publisher.take()
      Trampoline.postpone { _ = last }
    }
  }
}

extension AnyPublisher: CustomStringConvertible {
  /// The name of the type.
  public var description: String { "AnyPublisher" }
}

extension Publisher {
  /// Hides this publisher's type; nothing else changes.
  ///
  /// Fails, ends and delivers as this publisher does; cancel passes through.
  ///
  /// ```swift
  /// func numbers() -> AnyPublisher<Int, Never> { [1, 2].publisher.eraseToAnyPublisher() }
  /// ```
  @inlinable @inline(__always)
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension AnyPublisher {
  /// Already erased: the same publisher, not wrapped again.
  @inlinable @inline(__always)
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { self }
}

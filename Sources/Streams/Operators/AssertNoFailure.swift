extension Publisher {
  /// Declares that this stream never fails; a failure stops the program with a message.
  ///
  /// For what cannot happen unless the program is wrong. Everything else passes, cancel included;
  /// values are delivered where the source sends them.
  ///
  /// ```swift
  /// load(bundledURL).assertNoFailure("the placeholder is part of the program")
  /// ```
  @inlinable @inline(__always)
  public func assertNoFailure(_ prefix: String = "", file: StaticString = #file, line: UInt = #line)
    -> Publishers.AssertNoFailure<Self>
  {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// What `assertNoFailure` returns.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The source's.
    public typealias Output = Upstream.Output
    /// It cannot fail.
    public typealias Failure = Never

    /// The source.
    public let upstream: Upstream
    /// What the message begins with.
    public let prefix: String
    /// Where the promise was made.
    public let file: StaticString
    /// Where the promise was made.
    public let line: UInt

    @inlinable @inline(__always)
    init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AssertNoFailureSubscriber<Upstream.Failure, S>(
          downstream: subscriber, prefix: prefix, file: file, line: line))
    }
  }
}

@usableFromInline
struct AssertNoFailureSubscriber<Failure: Error, Downstream: Subscriber>: RelaySubscriber {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let downstream: Downstream
  @usableFromInline let prefix: String
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @inlinable @inline(__always)
  init(downstream: Downstream, prefix: String, file: StaticString, line: UInt) {
    self.downstream = downstream
    self.prefix = prefix
    self.file = file
    self.line = line
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable @inline(__always)
  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion {
      preconditionFailure("\(prefix) failed: \(error)", file: file, line: line)
    }
    downstream.receive(completion: .finished)
  }
}

extension AssertNoFailureSubscriber: CustomStringConvertible {
  @usableFromInline var description: String { "AssertNoFailure" }
}

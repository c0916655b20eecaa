/// Something that happens in a stream, as a value.
///
/// ```swift
/// let recorded: [StreamEvent<Int, Never>] = [.value(1), .completion(.finished)]
/// recorded.publisher.dematerialize()  // 1
/// ```
public enum StreamEvent<Output: Sendable, Failure: Error>: Sendable {
  /// A value came.
  case value(Output)
  /// The stream ended.
  case completion(Subscribers.Completion<Failure>)
}

extension StreamEvent: Equatable where Output: Equatable, Failure: Equatable {}

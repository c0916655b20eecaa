import Flow

/// One thing that a subscriber heard.
public enum RecordedSignal<Value: Sendable, Failure: Error>: Sendable {
  /// A subscription arrived, which describes itself like this.
  case subscription(String)
  /// A value arrived.
  case value(Value)
  /// The stream ended.
  case completion(Subscribers.Completion<Failure>)
}

extension RecordedSignal: Equatable where Value: Equatable, Failure: Equatable {}

extension RecordedSignal: CustomStringConvertible {
  /// The signal in a few letters.
  public var description: String {
    switch self {
    case .subscription(let name): "subscription(\(name))"
    case .value(let value): "value(\(value))"
    case .completion(.finished): "finished"
    case .completion(.failure(let error)): "failure(\(error))"
    }
  }
}

/// A signal and the moment at which it was heard.
public struct TimedSignal<Value: Sendable, Failure: Error>: Sendable {
  /// The moment on the recorder's scheduler; the start when it has none.
  public let time: VirtualTime
  /// What was heard.
  public let signal: RecordedSignal<Value, Failure>
}

extension TimedSignal: Equatable where Value: Equatable, Failure: Equatable {}

extension TimedSignal: CustomStringConvertible {
  /// The tick and the signal.
  public var description: String { "\(time.ticks): \(signal)" }
}

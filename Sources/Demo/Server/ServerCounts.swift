/// What a server has seen, by path.
struct ServerCounts: Sendable, Equatable {
  /// Requests that came.
  var requests: [String: Int] = [:]
  /// Answers sent to the end.
  var completed: [String: Int] = [:]
  /// Answers during which the client closed the connection.
  var abandoned: [String: Int] = [:]

  /// All requests together.
  var allRequests: Int { requests.values.reduce(0, +) }
}

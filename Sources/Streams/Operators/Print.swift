extension Publisher {
  /// Prints everything that passes, and changes nothing.
  ///
  /// Fails, ends and delivers as the source does; cancel passes through, and is printed.
  ///
  /// - Parameters:
  ///   - prefix: What each line begins with.
  ///   - write: What to do with a line; printed unless given.
  ///
  /// ```swift
  /// load(url).print("load").sink { _ in } receiveValue: { _ in }
  /// ```
  @inlinable
  public func print(
    _ prefix: String = "",
    to write: @escaping @Sendable (String) -> Void = { Swift.print($0) }
  ) -> Publishers.HandleEvents<Self> {
    let start = prefix.isEmpty ? "" : prefix + ": "
    return handleEvents(
      receiveSubscription: { write("\(start)receive subscription: (\($0))") },
      receiveOutput: { write("\(start)receive value: (\($0))") },
      receiveCompletion: { completion in
        switch completion {
        case .finished: write("\(start)receive finished")
        case .failure(let error): write("\(start)receive error: (\(error))")
        }
      },
      receiveCancel: { write("\(start)receive cancel") },
      receiveRequest: { write("\(start)request \($0)") })
  }

  /// Writes everything that passes to `stream`, a line each, and changes nothing. See
  /// `print(_:to:)`.
  ///
  /// - Parameters:
  ///   - prefix: What each line begins with.
  ///   - stream: An object, or a value that writes elsewhere: each line goes to a copy.
  public func print<Target: TextOutputStream & Sendable>(
    _ prefix: String = "", to stream: Target
  ) -> Publishers.HandleEvents<Self> {
    print(prefix) { line in
      var stream = stream
      Swift.print(line, to: &stream)
    }
  }
}

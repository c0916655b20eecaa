extension Publisher {
  /// Shares this publisher and waits for `connect` before it starts.
  ///
  /// Fails, ends and delivers as the source does; cancelling the connection stops it. See
  /// `multicast(subject:)`.
  ///
  /// ```swift
  /// let frames = camera.makeConnectable()
  /// let connection = frames.connect()
  /// ```
  public func makeConnectable() -> Publishers.Multicast<Self, PassthroughSubject<Output, Failure>> {
    multicast(subject: PassthroughSubject())
  }
}

extension Publisher {
  /// Passes on the value at `index`, counted from zero, and then finishes, cancelling the source.
  ///
  /// Finishes without a value when the source is shorter; a negative index is a programming error.
  /// The values before it are asked for in addition to what is demanded. Fails and delivers as the
  /// source does; cancel passes through.
  ///
  /// ```swift
  /// ["a", "b", "c"].publisher.output(at: 1)  // b
  /// ```
  @inlinable @inline(__always)
  public func output(at index: Int) -> Publishers.PrefixCount<Publishers.DropFirst<Self>> {
    dropFirst(index).prefix(1)
  }

  /// Passes on the values whose number, counted from zero, is in `range`, and then finishes,
  /// cancelling the source. Otherwise as `output(at:)`.
  @inlinable @inline(__always)
  public func output<R: RangeExpression<Int>>(
    in range: R
  ) -> Publishers.PrefixCount<Publishers.DropFirst<Self>> {
    let range = range.relative(to: 0..<Int.max)
    return dropFirst(range.lowerBound).prefix(range.count)
  }
}

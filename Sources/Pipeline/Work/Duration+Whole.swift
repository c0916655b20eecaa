extension Duration {
  /// Whole nanoseconds; those beyond 292 years stop there.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds < 9_000_000_000, seconds > -9_000_000_000 else {
      return seconds < 0 ? .min / 2 : .max / 2
    }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Thousandths of a second, rounded towards zero; the nearest there is, where it is too long.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = Int(seconds).multipliedReportingOverflow(by: 1_000)
    let (sum, isStillTooLong) = product.addingReportingOverflow(
      Int(attoseconds / 1_000_000_000_000_000))
    guard !isTooLong, !isStillTooLong else { return seconds < 0 ? .min : .max }
    return sum
  }
}

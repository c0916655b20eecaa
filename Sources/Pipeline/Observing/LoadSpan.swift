/// A stretch of one load's time.
public struct LoadSpan: Sendable, Hashable {
  /// What a load's time is spent on, in this order.
  public enum Work: String, Sendable, Hashable, CaseIterable {
    /// The caches are asked.
    case lookup
    /// The transfer waits for its turn, or a file for its reader.
    case queued
    /// The connection is made.
    case connect
    /// The request is sent; nothing has come back.
    case waiting
    /// Bytes come in.
    case receiving
    /// Pixels are made, as far as that was not done while bytes came in.
    case decode
    /// Pixels are changed.
    case transform
    /// The caches are given the image.
    case store
  }

  /// What was done.
  public let work: Work
  /// From when.
  public let start: ContinuousClock.Instant
  /// Until when.
  public let end: ContinuousClock.Instant

  static func spans(of report: LoadRecord) -> [LoadSpan] {
    let moments = report.metrics.moments
    var parts: [(Work, ContinuousClock.Instant?)] = [(.lookup, moments.lookedUp)]
    if let transfer = report.transfer, let lastByte = moments.lastByte {
      let start = lastByte - transfer.lastByte
      parts += [
        (.queued, start), (.connect, start + transfer.connected),
        (.waiting, start + transfer.firstByte),
      ]
    }
    parts += [
      (.receiving, moments.lastByte), (.decode, moments.decoded),
      (.transform, moments.transformed), (.store, moments.stored),
    ]
    var spans: [LoadSpan] = []
    var time = report.began
    for case let (work, end?) in parts where end > time {
      let end = min(end, report.ended)
      if end > time { spans.append(LoadSpan(work: work, start: time, end: end)) }
      time = end
    }
    return spans
  }
}

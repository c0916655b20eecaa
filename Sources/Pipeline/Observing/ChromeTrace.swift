import Flow
import Synchronization

/// Records loads for a trace viewer: Chrome's `chrome://tracing`, Perfetto.
///
/// Each load is a bar with the bars of its stages below; loads that run at the same time lie in
/// lanes. Any thread.
///
/// ```swift
/// let trace = ChromeTrace()
/// let recording = trace.record(pipeline)
/// …
/// try Data(trace.json.utf8).write(to: file)
/// ```
public final class ChromeTrace: Sendable {
  private let records = Mutex<[LoadRecord]>([])
  private let capacity: Int

  /// Records nothing yet.
  ///
  /// - Parameter capacity: Loads that are kept; the first ones, and further ones are not. 100,000.
  public init(capacity: Int = 100_000) { self.capacity = max(0, capacity) }

  /// Records the loads of `pipeline` that end from now on, until what is returned is cancelled.
  public func record(_ pipeline: ImagePipeline) -> AnyCancellable {
    pipeline.activity.sink { event in
      if case .ended(let record) = event.step { self.add(record) }
    }
  }

  /// Adds one load.
  public func add(_ record: LoadRecord) {
    records.withLock { if $0.count < capacity { $0.append(record) } }
  }

  /// How many loads are recorded.
  public var count: Int { records.withLock { $0.count } }

  /// The trace so far, in the format of trace events: times in microseconds from the first load on.
  public var json: String {
    let records = records.withLock { $0 }.sorted { $0.began < $1.began }
    guard let start = records.first?.began else { return "{\"traceEvents\":[]}" }
    var lanes: [ContinuousClock.Instant] = []
    var events: [String] = []
    for record in records {
      let lane = lanes.firstIndex { $0 <= record.began } ?? lanes.count
      if lane == lanes.count { lanes.append(record.ended) } else { lanes[lane] = record.ended }
      let writer = TraceEventWriter(start: start, lane: lane + 1)
      events.append(writer.load(record))
      events += record.timeline.map { writer.span($0) }
    }
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n\(events.joined(separator: ",\n"))\n]}"
  }
}

/// Writes the bars of one lane.
private struct TraceEventWriter {
  let start: ContinuousClock.Instant
  let lane: Int

  func load(_ record: LoadRecord) -> String {
    var details = [
      "\"id\":\(record.id.number)", "\"outcome\":\(quoted(record.outcomeName))",
      "\"bytes\":\(record.metrics.byteCount)",
    ]
    if let origin = record.origin { details.append("\"origin\":\(quoted(origin.rawValue))") }
    if case .failed(let error) = record.outcome {
      details.append("\"error\":\(quoted(error.reason))")
    }
    return bar(
      record.source, "load", record.began, record.ended, details.joined(separator: ","))
  }

  func span(_ span: LoadSpan) -> String {
    bar(span.work.rawValue, "stage", span.start, span.end, "")
  }

  private func bar(
    _ name: String, _ category: String, _ from: ContinuousClock.Instant,
    _ to: ContinuousClock.Instant, _ details: String
  ) -> String {
    "{\"name\":\(quoted(name)),\"cat\":\"\(category)\",\"ph\":\"X\",\"pid\":1,\"tid\":\(lane),"
      + "\"ts\":\(microseconds(start.duration(to: from))),"
      + "\"dur\":\(microseconds(from.duration(to: to))),\"args\":{\(details)}}"
  }

  private func microseconds(_ time: Duration) -> String {
    let nanoseconds =
      Int(time.components.seconds) * 1_000_000_000
      + Int(time.components.attoseconds / 1_000_000_000)
    let rest = "\(nanoseconds % 1000)"
    return "\(nanoseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private func quoted(_ text: String) -> String {
    let inside = text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"\(inside)\""
  }
}

extension LoadRecord {
  /// How it ended, in one word.
  fileprivate var outcomeName: String {
    switch outcome {
    case .image: "image"
    case .bytes: "bytes"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

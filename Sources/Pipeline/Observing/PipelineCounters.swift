/// What a pipeline's loads came to since it was made.
public struct PipelineCounters: Sendable, Hashable {
  /// Loads that were asked for.
  public var begun = 0
  /// Loads that run now.
  public var running = 0
  /// Images and bytes delivered, by where they came from.
  public var delivered: [ImageOrigin: Int] = [:]
  /// Loads that failed, by the stage that did: `cacheLookup`, `download`, `decode`, `transform`.
  public var failed: [String: Int] = [:]
  /// Loads that nobody wanted any more.
  public var cancelled = 0
  /// Body bytes of what was delivered, by where they came from; shared ones count for each load.
  public var byteCount: [ImageOrigin: Int] = [:]
  /// Time spent in each stage by loads that came to an image, those from memory left out.
  public var stageTimes: [LoadSpan.Work: StageTime] = [:]

  /// Time spent in one stage.
  public struct StageTime: Sendable, Hashable {
    /// Loads that spent any.
    public var count = 0
    /// All of it.
    public var total = Duration.zero
  }

  /// Nothing was asked for yet.
  public init() {}

  mutating func add(_ report: LoadRecord) {
    switch report.outcome {
    case .image(let origin, _), .bytes(let origin):
      delivered[origin, default: 0] += 1
      byteCount[origin, default: 0] += report.metrics.byteCount
      for span in report.timeline {
        stageTimes[span.work, default: StageTime()].count += 1
        stageTimes[span.work, default: StageTime()].total += span.start.duration(to: span.end)
      }
    case .failed(let error): failed[error.stageName, default: 0] += 1
    case .cancelled: cancelled += 1
    }
  }
}

extension LoadError {
  /// The stage that failed, as counters and traces call it.
  var stageName: String {
    switch self {
    case .cacheLookup: "cacheLookup"
    case .download: "download"
    case .decode: "decode"
    case .transform: "transform"
    case .incompleteChain: "chain"
    }
  }
}

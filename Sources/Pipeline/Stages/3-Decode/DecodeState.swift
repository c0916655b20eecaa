import Flow

/// When a decode job is started, what it takes, and when the stage ends. Knows no lock, no thread.
struct DecodeState {
  /// Bytes and what is asked of them.
  struct Work {
    let encoded: EncodedImage
    let request: ImageRequest
  }

  enum Effect: Equatable {
    case nothing
    /// Start the one job, at this priority.
    case startJob(LoadPriority)
    /// Pass the completion on.
    case finish
  }

  private var waiting: Work?
  private var jobRuns = false
  private var upstreamFinished = false

  /// Newer bytes take the place of those that wait: they hold the same and more.
  mutating func received(_ work: Work) -> Effect {
    waiting = work
    guard !jobRuns else { return .nothing }
    jobRuns = true
    return .startJob(work.request.priority)
  }

  /// What the job does next; with `nil` the job has ended.
  mutating func takeWork() -> Work? {
    defer { waiting = nil }
    if waiting == nil { jobRuns = false }
    return waiting
  }

  mutating func upstreamDidFinish() -> Effect {
    upstreamFinished = true
    return jobRuns ? .nothing : .finish
  }

  /// Whether the job that has just ended was the last thing to wait for.
  var isDone: Bool { upstreamFinished && !jobRuns }
}

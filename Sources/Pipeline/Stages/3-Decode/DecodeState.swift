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
    /// Start it for parts that nobody waits for: behind all other work, so that whole pictures are
    /// made one after the other rather than many a little at a time.
    case startJobAhead
    /// If the job has not begun, it is urgent now.
    case raiseJob(LoadPriority)
    /// Stop what runs, and pass the completion on.
    case end(Subscribers.Completion<LoadError>)
  }

  /// In order of arrival: complete bytes keep their place, of growing ones only the newest wait.
  private var waiting: [Work] = []
  private var jobRuns = false
  /// Whether the job has complete bytes in hand.
  private var jobHasAll = false
  private var upstreamEnd: Subscribers.Completion<LoadError>?

  mutating func received(_ work: Work) -> Effect {
    if waiting.last?.encoded.isComplete == false { waiting.removeLast() }
    waiting.append(work)
    let isWaitedFor = work.encoded.isComplete || work.request.decoding.previews
    guard !jobRuns else { return isWaitedFor ? .raiseJob(work.request.priority) : .nothing }
    jobRuns = true
    return isWaitedFor ? .startJob(work.request.priority) : .startJobAhead
  }

  /// What the job does next; with `nil` the job has ended.
  mutating func takeWork() -> Work? {
    let work = waiting.isEmpty ? nil : waiting.removeFirst()
    jobRuns = work != nil
    jobHasAll = work?.encoded.isComplete == true
    return work
  }

  /// The end, at once unless something is to be delivered before it: bytes that are all there become
  /// a picture even when what came behind them failed; of others nothing will come any more.
  mutating func upstreamDidEnd(_ completion: Subscribers.Completion<LoadError>) -> Effect {
    upstreamEnd = completion
    if case .failure = completion {
      waiting.removeAll { !$0.encoded.isComplete }
      return waiting.isEmpty && !jobHasAll ? .end(completion) : .nothing
    }
    return jobRuns ? .nothing : .end(completion)
  }

  /// The end, if the job that has just ended was the last thing to wait for.
  var end: Subscribers.Completion<LoadError>? { jobRuns ? nil : upstreamEnd }
}

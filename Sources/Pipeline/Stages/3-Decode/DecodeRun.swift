import Flow
import Synchronization

/// The decoding of one subscription's image: bytes in on any thread, one job at a time.
final class DecodeRun: Sendable {
  private let emitter: Emitter<LoadEvent, LoadError>
  private let workers: WorkerPool
  private let session: DecodeSessionSlot
  private let state = Mutex(DecodeState())
  private let job = Mutex(Job())

  private struct Job {
    var ticket: WorkTicket?
    /// How urgent the load has become.
    var priority: LoadPriority?
    /// Whether the job is ahead of its time: it stays behind all others, however urgent the load.
    var isAhead = false
    var isFollowing = false
    var following: AnyCancellable?
  }

  init(
    emitter: Emitter<LoadEvent, LoadError>, decoders: DecoderRegistry, workers: WorkerPool
  ) {
    self.emitter = emitter
    self.workers = workers
    session = DecodeSessionSlot(decoders: decoders)
  }

  func receive(_ event: LoadEvent) {
    switch event {
    case .encoded(let encoded, let request):
      if let priorities = request.priorities { follow(priorities) }
      let work = DecodeState.Work(encoded: encoded, request: request)
      perform(state.withLock { $0.received(work) })
    case .request(let request):
      fail(.incompleteChain(.requestNotAnswered, source: request.sourceName))
    case .progress, .preview, .image: emitter.send(event)
    }
  }

  func receive(completion: Subscribers.Completion<LoadError>) {
    perform(state.withLock { $0.upstreamDidEnd(completion) })
  }

  func cancel() {
    session.cancel()
    let (ticket, following) = job.withLock { ($0.ticket, $0.following) }
    ticket?.cancel()
    following?.cancel()
  }

  private func perform(_ effect: DecodeState.Effect) {
    switch effect {
    case .nothing: break
    case .end(let completion):
      cancel()
      emitter.send(completion: completion)
    case .startJob(let priority):
      start(at: job.withLock { $0.priority } ?? priority, isAhead: false)
    case .startJobAhead: start(at: .veryLow, isAhead: true)
    case .raiseJob(let priority):
      let (ticket, latest) = job.withLock { job in
        let wasAhead = job.isAhead
        job.isAhead = false
        return (wasAhead ? job.ticket : nil, job.priority ?? priority)
      }
      ticket?.move(to: latest)
    }
  }

  private func start(at first: LoadPriority, isAhead: Bool) {
    job.withLock { $0.isAhead = isAhead }
    let ticket = workers.submit(priority: first) { [self] _ in decodeWhatCame() }
    let latest = job.withLock { job in
      job.ticket = ticket
      return job.isAhead ? first : job.priority ?? first
    }
    if latest != first { ticket.move(to: latest) }
    if emitter.isCancelled { ticket.cancel() }
  }

  /// A job that waits moves up or down with its load.
  private func follow(_ priorities: AnyPublisher<LoadPriority, Never>) {
    let isFirst = job.withLock { job in
      defer { job.isFollowing = true }
      return !job.isFollowing
    }
    guard isFirst else { return }
    let following = priorities.sink { [weak self] priority in
      let ticket = self?.job.withLock { job in
        job.priority = priority
        return job.isAhead ? nil : job.ticket
      }
      ticket?.move(to: priority)
    }
    job.withLock { $0.following = following }
  }

  private func decodeWhatCame() {
    while let work = state.withLock({ $0.takeWork() }) {
      guard !emitter.isCancelled else { return }
      do throws(DecodeError) {
        guard let event = try session.decode(work) else { continue }
        emitter.send(event)
      } catch {
        return fail(.decode(error, source: work.request.sourceName))
      }
    }
    if let end = state.withLock({ $0.end }) { emitter.send(completion: end) }
  }

  private func fail(_ error: LoadError) {
    emitter.send(completion: .failure(error))
  }
}

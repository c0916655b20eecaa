internal import CCurlShims

/// Runs transfers: takes commands, starts who is next, lets libcurl work, tells subscribers.
///
/// Lives on one thread, which waits in `CurlMulti.wait` and nowhere else.
final class TransferDriver {
  private let loop: TransferLoop
  private let multi: CurlMulti
  private let cookies = CookieJar()
  private let clock = ContinuousClock()
  private var configuration: DownloaderConfiguration

  private var queue: TransferQueueState
  private var waiting: [TransferID: TransferJob] = [:]
  private var running: [TransferID: Transfer] = [:]
  private var partials: PartialStore
  private var pauses: [String: ContinuousClock.Instant] = [:]
  private var spareHandles: [CurlEasy] = []
  private var shutdown: (deadline: ContinuousClock.Instant, whenDone: [@Sendable () -> Void])?

  init(loop: TransferLoop, multi: CurlMulti, configuration: DownloaderConfiguration) {
    self.loop = loop
    self.multi = multi
    self.configuration = configuration
    queue = TransferQueueState(configuration)
    partials = PartialStore(capacity: configuration.partialBodyCapacity)
    multi.keepConnections(max(16, 2 * min(configuration.maximumConcurrentTransfers, 1 << 20)))
  }

  /// Returns after the shutdown.
  func run() {
    while !isOver {
      for command in loop.takeCommands() { perform(command) }
      endPauses()
      startNext()
      multi.perform()
      finishDone()
      for transfer in running.values where transfer.hasNews { transfer.reportNews() }
      stopExpired()
      // After all that ends transfers: nobody else would wake the next in line.
      let hasStarted = startNext()
      loop.setRunning(running.count)
      // What has just started has something to send.
      if !hasStarted, !isOver { multi.wait(milliseconds: timeToNextEvent) }
    }
    endAll(.shutDown)
    for command in loop.close() { perform(command) }
    endAll(.shutDown)
    spareHandles.removeAll()
    for tell in shutdown?.whenDone ?? [] { tell() }
  }

  private var isOver: Bool {
    guard let shutdown else { return false }
    return running.isEmpty && waiting.isEmpty || clock.now >= shutdown.deadline
  }

  private func perform(_ command: TransferLoop.Command) {
    switch command {
    case .start(let job):
      waiting[job.id] = job
      queue.add(job.id, host: job.host, priority: job.priority)
    case .cancel(let id): cancel(id)
    case .setPriority(let id, let priority): queue.setPriority(priority, of: id)
    case .setSuspended(let suspended): suspended ? queue.suspend() : queue.resume()
    case .configure(let new):
      configuration = new
      queue.apply(new)
    case .cancelAll: endAll(.cancelled)
    case .shutDown(let deadline, let whenDone):
      let former = shutdown?.whenDone ?? []
      shutdown = (min(deadline, shutdown?.deadline ?? deadline), former + [whenDone])
    }
  }

  // MARK: Starting

  /// Whether any started.
  @discardableResult
  private func startNext() -> Bool {
    var hasStarted = false
    while let id = queue.next() {
      guard let job = waiting.removeValue(forKey: id) else { continue }
      let partial = partials.isEmpty || !job.mayResume ? nil : partials.remove(job.resumeKey)
      tell(.started, job)
      start(job, partial, isFirst: true)
      hasStarted = true
    }
    return hasStarted
  }

  private func start(_ job: TransferJob, _ partial: PartialBody?, isFirst: Bool) {
    guard let easy = spareHandles.popLast() ?? CurlEasy() else {
      return stop(job, .connectionFailed(reason: "there is no memory for it"))
    }
    let transfer = Transfer(
      job: job, easy: easy, configuration: configuration, partial: partial)
    do throws(DownloadError) {
      try easy.prepare(for: transfer, cookies: cookies)
    } catch {
      recycle(easy)
      return stop(job, error)
    }
    running[job.id] = transfer
    if isFirst { transfer.reportStart() }
    if !multi.add(easy) { end(transfer, .failed(.connectionFailed(reason: "libcurl is busy"))) }
  }

  /// Ends a transfer that could not be started.
  private func stop(_ job: TransferJob, _ failure: DownloadError) {
    queue.remove(job.id)
    tell(.stopped, job)
    loop.ended()
    job.sink.receive(end: failure)
  }

  // MARK: Ending

  private func finishDone() {
    while let (context, code) = multi.nextDone() {
      // SAFETY: the context is a transfer in `running`; taking it out there is what ends its life.
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      let outcome = transfer.outcome(code)
      if case .restart = outcome {
        release(transfer)
        recycle(transfer.easy)
        start(transfer.job, nil, isFirst: false)
      } else {
        end(transfer, outcome)
      }
    }
  }

  /// Takes the transfer off the wire, gives its slot away and tells how it ended; `nil` is silent.
  private func end(_ transfer: Transfer, _ outcome: Transfer.Outcome?) {
    let job = transfer.job
    release(transfer)
    queue.remove(job.id)
    loop.ended()
    if transfer.head.isComplete, transfer.isFinal(outcome) {
      tell(.responded(transfer.response ?? transfer.makeResponse()), job)
    }
    tell(.stopped, job)
    switch outcome {
    case .failed(.refused(let status, let time?)) where [429, 503].contains(status):
      pause(job.host, for: time)
    case .failed(.cancelled), .failed(.incomplete), .failed(.timedOut), nil:
      if let remains = transfer.remains { partials.insert(remains, for: job.resumeKey) }
    case .complete, .notModified: tell(.finished, job)
    default: break
    }
    if let outcome { transfer.reportEnd(outcome) }
    recycle(transfer.easy)
  }

  private func release(_ transfer: Transfer) {
    running[transfer.job.id] = nil
    multi.remove(transfer.easy)
  }

  private func recycle(_ easy: CurlEasy) {
    easy.reset()
    if spareHandles.count < configuration.maximumConcurrentTransfers { spareHandles.append(easy) }
  }

  private func cancel(_ id: TransferID) {
    if let transfer = running[id] {
      end(transfer, nil)
    } else if waiting.removeValue(forKey: id) != nil {
      queue.remove(id)
      loop.ended()
    }
  }

  private func endAll(_ failure: DownloadError) {
    for transfer in running.values { end(transfer, .failed(failure)) }
    let jobs = waiting.values
    waiting.removeAll()
    for job in jobs {
      queue.remove(job.id)
      loop.ended()
      job.sink.receive(end: failure)
    }
  }

  private func tell(_ step: DownloaderEvent.Step, _ job: TransferJob) {
    loop.events.send(DownloaderEvent(id: job.id, url: job.address, step: step))
  }

  // MARK: Time

  private func pause(_ host: String, for time: Duration) {
    let end = clock.now + min(time, configuration.maximumHostPause)
    pauses[host] = max(end, pauses[host] ?? end)
    queue.pause(host: host)
  }

  private func endPauses() {
    guard !pauses.isEmpty else { return }
    let now = clock.now
    for (host, end) in pauses where end <= now {
      pauses[host] = nil
      queue.unpause(host: host)
    }
  }

  private func stopExpired() {
    let now = clock.now
    for transfer in running.values {
      if let failure = transfer.expired(at: now) { end(transfer, .failed(failure)) }
    }
  }

  private var timeToNextEvent: Int32 {
    let longest = Duration.seconds(3600)
    let now = clock.now
    var next = shutdown?.deadline ?? now + longest
    for transfer in running.values { next = min(next, transfer.nextExpiry ?? next) }
    for end in pauses.values { next = min(next, end) }
    return Int32(min(max(next - now, .zero), longest).wholeMilliseconds + 1)
  }
}

extension TransferQueueState {
  init(_ configuration: DownloaderConfiguration) {
    self.init()
    apply(configuration)
  }

  mutating func apply(_ configuration: DownloaderConfiguration) {
    limits = Limits(
      total: max(1, configuration.maximumConcurrentTransfers),
      perHost: configuration.maximumTransfersPerHost,
      keptFromLowPriorities: max(0, configuration.slotsKeptFromLowPriorities))
    order = configuration.order == .oldestFirst ? .oldestFirst : .newestFirst
  }
}

internal import CCurlShims

/// Runs transfers: takes commands, starts who is next, lets libcurl work, tells subscribers.
///
/// Lives on one thread, which waits in `CurlMulti.wait` and nowhere else.
final class TransferDriver {
  private let loop: TransferLoop
  private let multi: CurlMulti
  private let configuration: DownloaderConfiguration
  private let clock = ContinuousClock()

  private var queue: TransferQueueState
  private var waiting: [TransferID: TransferJob] = [:]
  private var running: [TransferID: Transfer] = [:]
  private var spareHandles: [CurlEasy] = []
  private var isShutDown = false

  init(loop: TransferLoop, multi: CurlMulti, configuration: DownloaderConfiguration) {
    self.loop = loop
    self.multi = multi
    self.configuration = configuration
    queue = TransferQueueState(configuration)
    multi.keepConnections(max(16, 2 * configuration.maximumConcurrentTransfers))
  }

  /// Returns after the shutdown.
  func run() {
    while true {
      for command in loop.takeCommands() { perform(command) }
      if isShutDown { break }
      startNext()
      multi.perform()
      finishDone()
      startNext()
      reportNews()
      stopExpired()
      multi.wait(milliseconds: timeToNextExpiry)
    }
    for case .start(let job) in loop.close() { job.sink.receive(end: .shutDown) }
  }

  private func perform(_ command: TransferLoop.Command) {
    switch command {
    case .start(let job):
      waiting[job.id] = job
      queue.add(job.id, host: job.host, priority: job.priority)
    case .cancel(let id): cancel(id)
    case .setPriority(let id, let priority): queue.setPriority(priority, of: id)
    case .setSuspended(let suspended): suspended ? queue.suspend() : queue.resume()
    case .cancelAll: endAll(nil)
    case .shutDown:
      isShutDown = true
      endAll(.shutDown)
    }
  }

  private func startNext() {
    while let id = queue.next() {
      guard let job = waiting.removeValue(forKey: id) else { continue }
      guard let easy = spareHandles.popLast() ?? CurlEasy() else {
        queue.remove(id)
        job.sink.receive(end: .connectionFailed(reason: "there is no memory for it"))
        continue
      }
      let transfer = Transfer(
        job: job, easy: easy, maximumHeaderSize: configuration.maximumHeaderSize)
      easy.prepare(for: transfer, configuration: configuration)
      running[id] = transfer
      transfer.reportStart()
      if !multi.add(easy) { end(transfer, code: CURLE_FAILED_INIT) }
    }
  }

  private func finishDone() {
    while let (context, code) = multi.nextDone() {
      // SAFETY: the context is a transfer in `running`; `release` is what ends its life.
      end(Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), code: code)
    }
  }

  private func end(_ transfer: Transfer, code: CURLcode) {
    release(transfer)
    transfer.reportEnd(code)
    recycle(transfer)
  }

  /// Takes the transfer off the wire and gives its slot away.
  private func release(_ transfer: Transfer) {
    running[transfer.job.id] = nil
    queue.remove(transfer.job.id)
    multi.remove(transfer.easy)
  }

  private func recycle(_ transfer: Transfer) {
    transfer.easy.reset()
    guard spareHandles.count < configuration.maximumConcurrentTransfers else { return }
    spareHandles.append(transfer.easy)
  }

  private func cancel(_ id: TransferID) {
    if let transfer = running[id] {
      release(transfer)
      recycle(transfer)
    } else if waiting.removeValue(forKey: id) != nil {
      queue.remove(id)
    }
  }

  private func endAll(_ failure: DownloadError?) {
    for transfer in running.values {
      release(transfer)
      recycle(transfer)
      transfer.job.sink.receive(end: failure ?? .cancelled)
    }
    for job in waiting.values {
      queue.remove(job.id)
      job.sink.receive(end: failure ?? .cancelled)
    }
    waiting.removeAll()
  }

  private func reportNews() {
    for transfer in running.values where transfer.hasNews { transfer.reportNews() }
  }

  private func stopExpired() {
    let now = clock.now
    for transfer in running.values {
      guard let failure = transfer.expired(at: now) else { continue }
      release(transfer)
      recycle(transfer)
      transfer.job.sink.receive(end: failure)
    }
  }

  private var timeToNextExpiry: Int32 {
    let longest = Duration.seconds(3600)
    guard let next = running.values.compactMap(\.nextExpiry).min() else {
      return Int32(longest.milliseconds)
    }
    let time = min(max(next - clock.now, .zero), longest)
    return Int32(time.milliseconds + 1)
  }
}

extension TransferQueueState {
  init(_ configuration: DownloaderConfiguration) {
    let limits = Limits(
      total: max(1, configuration.maximumConcurrentTransfers),
      perHost: configuration.maximumTransfersPerHost,
      keptFromLowPriorities: configuration.slotsKeptFromLowPriorities)
    self.init(
      limits: limits, order: configuration.order == .oldestFirst ? .oldestFirst : .newestFirst)
  }
}

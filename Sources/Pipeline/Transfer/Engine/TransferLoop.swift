import Flow
import Synchronization

/// The door to a loop's thread: commands go in from anywhere, the thread takes them out.
final class TransferLoop: Sendable {
  enum Command: Sendable {
    case start(TransferJob)
    case cancel(TransferID)
    case setPriority(TransferID, LoadPriority)
    case setSuspended(Bool)
    case configure(DownloaderConfiguration)
    case cancelAll
    /// Lets transfers end until then, ends the others, and calls back.
    case shutDown(ContinuousClock.Instant, whenDone: @Sendable () -> Void)
  }

  private struct Inbox {
    var commands: [Command] = []
    var multi: CurlMulti?
    var configuration: DownloaderConfiguration
    var isAccepting = true
    var isClosed = false
  }

  /// What happens to transfers.
  let events = PassthroughSubject<DownloaderEvent, Never>()
  private let inbox: Mutex<Inbox>
  private let nextID = Atomic<UInt64>(0)
  private let unfinished = Atomic<Int>(0)
  private let running = Atomic<Int>(0)

  init(configuration: DownloaderConfiguration) {
    inbox = Mutex(Inbox(configuration: configuration))
  }

  func makeID() -> TransferID { nextID.add(1, ordering: .relaxed).newValue }

  var configuration: DownloaderConfiguration { inbox.withLock { $0.configuration } }

  func configure(_ configuration: DownloaderConfiguration) {
    inbox.withLock { $0.configuration = configuration }
    post(.configure(configuration), startsThread: false)
  }

  // MARK: Counts

  /// Between two turns of the loop the sum is right, the parts may lag.
  var counts: DownloaderCounts {
    let total = unfinished.load(ordering: .relaxed)
    let running = min(self.running.load(ordering: .relaxed), total)
    return DownloaderCounts(running: running, waiting: total - running)
  }

  func setRunning(_ count: Int) { running.store(count, ordering: .relaxed) }

  /// A transfer that was posted is over.
  func ended() { unfinished.subtract(1, ordering: .relaxed) }

  // MARK: Commands

  /// Hands a command to the thread, which the first one starts. `false` after the shutdown, or when
  /// libcurl can not be had.
  @discardableResult
  func post(_ command: Command, startsThread: Bool = true) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      if case .start = command, !inbox.isAccepting { return false }
      if case .shutDown = command { inbox.isAccepting = false }
      if inbox.multi == nil {
        guard startsThread, let multi = CurlMulti() else { return false }
        inbox.multi = multi
        startDriver(multi, inbox.configuration)
      }
      if case .start = command { unfinished.add(1, ordering: .relaxed) }
      inbox.commands.append(command)
      // Woken under the lock: the handle is not taken away meanwhile. It is one write, no callback.
      if inbox.commands.count == 1 { inbox.multi?.wake() }
      return true
    }
  }

  /// The commands so far, oldest first; the driver's to carry out.
  func takeCommands() -> [Command] {
    inbox.withLock { inbox in
      defer { inbox.commands.removeAll() }
      return inbox.commands
    }
  }

  /// Takes no more commands; gives those that nobody took.
  func close() -> [Command] {
    inbox.withLock { inbox in
      inbox.isClosed = true
      inbox.multi = nil
      defer { inbox.commands.removeAll() }
      return inbox.commands
    }
  }

  private func startDriver(_ multi: CurlMulti, _ configuration: DownloaderConfiguration) {
    DedicatedThread.start {
      TransferDriver(loop: self, multi: multi, configuration: configuration).run()
    }
  }
}

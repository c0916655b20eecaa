import Synchronization

/// The door to a loop's thread: commands go in from anywhere, the thread takes them out.
final class TransferLoop: Sendable {
  enum Command: Sendable {
    case start(TransferJob)
    case cancel(TransferID)
    case setPriority(TransferID, LoadPriority)
    case setSuspended(Bool)
    case cancelAll
    case shutDown
  }

  private struct Inbox {
    var commands: [Command] = []
    var multi: CurlMulti?
    var isClosed = false
  }

  private let inbox = Mutex(Inbox())
  private let configuration: DownloaderConfiguration
  private let nextID = Atomic<UInt64>(0)

  init(configuration: DownloaderConfiguration) { self.configuration = configuration }

  func makeID() -> TransferID { nextID.add(1, ordering: .relaxed).newValue }

  /// Hands a command to the thread, which the first one starts. `false` after the shutdown, or when
  /// libcurl can not be had.
  @discardableResult
  func post(_ command: Command, startsThread: Bool = true) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      if inbox.multi == nil {
        guard startsThread, let multi = CurlMulti() else { return false }
        inbox.multi = multi
        startDriver(multi)
      }
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

  private func startDriver(_ multi: CurlMulti) {
    let configuration = configuration
    DedicatedThread.start {
      TransferDriver(loop: self, multi: multi, configuration: configuration).run()
    }
  }
}

import Pipeline
import Synchronization

/// Shows how far loads are. On a terminal those that run have a line each, redrawn in place below
/// those that ended; elsewhere a load is told of when it ends.
final class ProgressBoard: Sendable {
  private struct State {
    var lines: [ProgressLine] = []
    /// Ended, and not printed yet.
    var news: [Int] = []
    /// Lines above the cursor that the next drawing replaces.
    var drawnLines = 0
    var isStale = false
  }

  private let console: Console
  private let state = Mutex(State())

  init(_ console: Console) { self.console = console }

  /// Adds a line for a load; the number names it in `update`.
  func add(_ name: String) -> Int {
    state.withLock { state in
      state.lines.append(ProgressLine(name: name))
      state.isStale = true
      return state.lines.count - 1
    }
  }

  /// Tells how far a load is.
  func update(_ line: Int, _ phase: ProgressLine.Phase) {
    let ended: ProgressLine? = state.withLock { state in
      state.lines[line].phase = phase
      state.isStale = true
      guard state.lines[line].isOver else { return nil }
      state.news.append(line)
      return state.lines[line]
    }
    guard console.terminalWidth == nil, let ended else { return }
    console.write("\(ended.plainText)\n")
  }

  /// Redraws now and then while `work` runs, and once more after it.
  func show<Result: Sendable>(
    during work: @Sendable () async -> Result
  ) async -> Result {
    guard console.terminalWidth != nil else { return await work() }
    let drawing = Task {
      while !Task.isCancelled {
        draw()
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    let result = await work()
    drawing.cancel()
    await drawing.value
    draw()
    return result
  }

  private func draw() {
    guard let width = console.terminalWidth else { return }
    let text: String? = state.withLock { state in
      guard state.isStale else { return nil }
      let picture = ProgressPicture(
        ended: state.news.map { state.lines[$0] }, open: state.lines.filter { !$0.isOver },
        nameWidth: state.lines.map(\.name.count).max() ?? 0)
      let text = picture.text(over: state.drawnLines, width: width)
      state.isStale = false
      state.news = []
      state.drawnLines = picture.openLineCount
      return text
    }
    if let text { console.write(text) }
  }
}

extension ProgressLine {
  /// The end of the load in a sentence.
  var plainText: String {
    switch phase {
    case .waiting: "\(name): waiting"
    case .loading(let progress): "\(name): \(Figures.bytes(progress.received))"
    case .done(let what): "\(name): \(what)"
    case .failed(let why): "\(name): failed, \(why)"
    case .cancelled(let why): "\(name): cancelled, \(why)"
    }
  }
}

import Pipeline
import Synchronization
import Testing

@testable import Demo

struct ProgressLineTests {
  @Test func `a running load shows its share and its bytes`() {
    let progress = LoadProgress(received: 12_000, expected: 48_000)
    let line = ProgressLine(name: "a.jpg", phase: .loading(progress))
    #expect(
      line.text(nameWidth: 7, width: 100)
        == "a.jpg    ██████░░░░░░░░░░░░░░░░░░  25%  12.0 kB of 48.0 kB")
  }

  @Test func `a load of unknown size shows its bytes`() {
    let line = ProgressLine(
      name: "a", phase: .loading(LoadProgress(received: 500, expected: nil)))
    #expect(line.text(nameWidth: 1, width: 100) == "a  ░░░░░░░░░░░░░░░░░░░░░░░░    ?  500 B")
  }

  @Test func `no line is wider than the terminal`() {
    let line = ProgressLine(name: "a.jpg", phase: .failed("the server answered with status 404"))
    for width in 1...120 { #expect(line.text(nameWidth: 10, width: width).count <= width) }
    #expect(line.text(nameWidth: 5, width: 20).hasSuffix("…"))
  }
}

struct ProgressPictureTests {
  private let running = ProgressLine(
    name: "a", phase: .loading(LoadProgress(received: 1, expected: 2)))
  private let waiting = ProgressLine(name: "b")
  private let ended = ProgressLine(name: "c", phase: .done("PNG"))

  @Test func `what ended stands above what runs and a count of what waits`() {
    let picture = ProgressPicture(
      ended: [ended], open: [waiting, running, waiting], nameWidth: 1)
    let lines = picture.text(over: 0, width: 100).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("\r\u{1B}[Jc  "))
    #expect(lines[1].hasPrefix("a  "))
    #expect(lines[2] == "2 loads waiting")
    #expect(picture.openLineCount == 2)
  }

  @Test func `the next picture is drawn over the open lines of the last`() {
    let picture = ProgressPicture(ended: [], open: [running], nameWidth: 1)
    #expect(picture.text(over: 2, width: 100).hasPrefix("\u{1B}[2A\r\u{1B}[J"))
  }
}

struct ProgressBoardTests {
  @Test func `where there is no terminal each load is told of once when it ends`() async {
    let written = Mutex("")
    let console = Console(
      terminalWidth: nil, write: { text in written.withLock { $0 += text } }, writeError: { _ in })
    let board = ProgressBoard(console)
    await board.show {
      let (first, second) = (board.add("a"), board.add("b"))
      board.update(first, .loading(LoadProgress(received: 1, expected: 2)))
      board.update(second, .failed("no"))
      board.update(first, .done("PNG 1×1"))
    }
    #expect(written.withLock { $0 } == "b: failed, no\na: PNG 1×1\n")
  }

  @Test func `a terminal shows the end of every load`() async {
    let written = Mutex("")
    let console = Console(
      terminalWidth: 80, write: { text in written.withLock { $0 += text } }, writeError: { _ in })
    let board = ProgressBoard(console)
    await board.show {
      let line = board.add("a")
      board.update(line, .done("PNG 1×1"))
    }
    #expect(written.withLock { $0 }.hasSuffix("ok  PNG 1×1\n"))
  }
}

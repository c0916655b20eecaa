/// What a terminal shows of loads at one moment.
struct ProgressPicture {
  /// Lines that stay from now on.
  let ended: [ProgressLine]
  /// Lines that the next picture replaces.
  let open: [ProgressLine]
  /// Columns for the names.
  let nameWidth: Int

  private var running: [ProgressLine] { open.filter { $0.phase != .waiting } }
  private var waitingCount: Int { open.count - running.count }

  /// Lines that the next picture replaces, in number.
  var openLineCount: Int { running.count + (waitingCount > 0 ? 1 : 0) }

  /// The text that puts it over the `count` lines above the cursor.
  func text(over count: Int, width: Int) -> String {
    let up = count > 0 ? "\u{1B}[\(count)A" : ""
    var lines = (ended + running).map { $0.text(nameWidth: nameWidth, width: width) }
    if waitingCount > 0 { lines.append(Figures.count(waitingCount, "load") + " waiting") }
    return up + "\r\u{1B}[J" + lines.map { $0 + "\n" }.joined()
  }
}

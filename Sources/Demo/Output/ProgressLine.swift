import Pipeline

/// One load on the progress board.
struct ProgressLine: Sendable, Equatable {
  /// How far it is.
  enum Phase: Sendable, Equatable {
    case waiting
    case loading(LoadProgress)
    case done(String)
    case failed(String)
    case cancelled(String)
  }

  /// How the load is called.
  let name: String
  /// How far it is.
  var phase = Phase.waiting

  /// Whether nothing more will happen.
  var isOver: Bool {
    switch phase {
    case .waiting, .loading: false
    case .done, .failed, .cancelled: true
    }
  }

  /// The line for a terminal, at most `width` columns: `name  ████░░░  42 %  12.1 kB of 28.8 kB`.
  func text(nameWidth: Int, width: Int) -> String {
    let padded = name + String(repeating: " ", count: max(0, nameWidth - name.count))
    let rest =
      switch phase {
      case .waiting: "\(Self.bar(0))    –  waiting"
      case .loading(let progress): Self.text(of: progress)
      case .done(let what): "\(Self.bar(1))   ok  \(what)"
      case .failed(let why): "\(Self.bar(0, filler: "×")) fail  \(why)"
      case .cancelled(let why): "\(Self.bar(0, filler: "·")) stop  \(why)"
      }
    let line = "\(padded)  \(rest)"
    return line.count <= width ? line : String(line.prefix(max(0, width - 1))) + "…"
  }

  private static func text(of progress: LoadProgress) -> String {
    let received = Figures.bytes(progress.received)
    guard let expected = progress.expected, let fraction = progress.fraction else {
      return "\(bar(0))    ?  \(received)"
    }
    let percent = String(Int(fraction * 100))
    let padding = String(repeating: " ", count: 3 - percent.count)
    return "\(bar(fraction)) \(padding)\(percent)%  \(received) of \(Figures.bytes(expected))"
  }

  /// 24 columns, filled from the left.
  private static func bar(_ fraction: Double, filler: Character = "░") -> String {
    let full = Int((min(1, max(0, fraction)) * 24).rounded())
    return String(repeating: "█", count: full) + String(repeating: filler, count: 24 - full)
  }
}

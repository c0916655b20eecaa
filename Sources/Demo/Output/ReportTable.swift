import Pipeline

extension TextTable {
  /// What was loaded, from where, and how long each stage took.
  init(_ reports: [LoadReport]) {
    self.init([
      ("SOURCE", .left), ("FORMAT", .left), ("SIZE", .right), ("FRAMES", .right),
      ("BYTES", .right), ("FROM", .left), ("LOOKUP", .right), ("DOWNLOAD", .right),
      ("DECODE", .right), ("TRANSFORM", .right), ("STORE", .right),
    ])
    for report in reports { add(Self.cells(of: report)) }
  }

  private static func cells(of report: LoadReport) -> [String] {
    guard case .loaded(let loaded) = report.outcome else {
      var cells = [report.name] + Array(repeating: "–", count: 10)
      if case .cancelled(let progress) = report.outcome {
        cells[4] = Figures.bytes(progress.received)
        cells[5] = "cancelled"
      } else {
        cells[5] = "failed"
      }
      return cells
    }
    let times = loaded.metrics
    let bytes = loaded.encoded?.bytes.count ?? times.byteCount
    return [
      report.name, "\(loaded.image.format)", "\(loaded.image.size)", "\(loaded.image.frameCount)",
      bytes > 0 ? Figures.bytes(bytes) : "–", loaded.origin.rawValue, Figures.time(times.lookup),
      Figures.time(times.download), Figures.time(times.decode), Figures.time(times.transform),
      Figures.time(times.store),
    ]
  }
}

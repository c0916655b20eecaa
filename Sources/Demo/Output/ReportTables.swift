import Pipeline

/// What loads came to: what they are, how long each stage took, how the bytes came.
enum ReportTables {
  /// No line is wider.
  static let width = 100

  /// The tables that have something to say, an empty line between them.
  static func text(of reports: [LoadReport]) -> String {
    let tables = [pictures(reports), times(reports), transfers(reports)].compactMap(\.self)
    return tables.map(\.text).joined(separator: "\n")
  }

  private static func pictures(_ reports: [LoadReport]) -> TextTable {
    var table = TextTable(
      [
        ("SOURCE", .left), ("FORMAT", .left), ("SIZE", .right), ("FRAMES", .right),
        ("BYTES", .right), ("FROM", .left),
      ], width: width)
    for report in reports {
      switch report.outcome {
      case .loaded(let loaded):
        let bytes = loaded.encoded?.bytes.count ?? loaded.metrics.byteCount
        table.add([
          report.name, "\(loaded.image.format)", "\(loaded.image.size)",
          "\(loaded.image.frameCount)", bytes > 0 ? Figures.bytes(bytes) : "–",
          loaded.origin.rawValue,
        ])
      case .failed: table.add([report.name, "–", "–", "–", "–", "failed"])
      case .cancelled(let progress):
        table.add([report.name, "–", "–", "–", Figures.bytes(progress.received), "cancelled"])
      }
    }
    return table
  }

  private static func times(_ reports: [LoadReport]) -> TextTable? {
    var table = TextTable(
      [
        ("SOURCE", .left), ("LOOKUP", .right), ("DOWNLOAD", .right), ("DECODE", .right),
        ("TRANSFORM", .right), ("STORE", .right),
      ], width: width)
    for report in reports {
      guard let times = report.outcome.image?.metrics else { continue }
      let stages = [times.lookup, times.download, times.decode, times.transform, times.store]
      table.add([report.name] + stages.map { Figures.time($0) })
    }
    return table.isEmpty ? nil : table
  }

  private static func transfers(_ reports: [LoadReport]) -> TextTable? {
    var table = TextTable(
      [
        ("SOURCE", .left), ("STATUS", .right), ("PROTOCOL", .left), ("WIRE", .right),
        ("BODY", .right), ("FIRST BYTE", .right), ("RETRIES", .right),
      ], width: width)
    for report in reports {
      guard let transfer = TransferReport(report.outcome) else { continue }
      table.add([
        report.name, "\(transfer.status)", transfer.protocolName ?? "–",
        transfer.wireBytes.map(Figures.bytes) ?? "–", transfer.bodyBytes.map(Figures.bytes) ?? "–",
        Figures.time(transfer.firstByte), transfer.retries.map(String.init) ?? "–",
      ])
    }
    return table.isEmpty ? nil : table
  }
}

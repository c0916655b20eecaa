import Foundation
import Pipeline

/// One load as JSON.
struct ReportJSON: Codable, Equatable {
  var source: String
  /// `loaded`, `failed` or `cancelled`.
  var status: String
  /// What went wrong, in a sentence.
  var error: String?
  var format: String?
  var width: Int?
  var height: Int?
  var frames: Int?
  var delaysMilliseconds: [Double]?
  var loopCount: Int?
  var hasAlpha: Bool?
  var orientation: Int?
  var bytes: Int?
  /// `memory`, `disk`, `network` or `local`.
  var origin: String?
  /// The file that was written.
  var output: String?
  /// By stage; those that did not run are absent.
  var milliseconds: [String: Double]?
  var notes: [String]?
  /// How the bytes came, when a server was asked.
  var transfer: Transfer?

  /// See `TransferReport`.
  struct Transfer: Codable, Equatable {
    var status: Int
    var protocolName: String?
    var wireBytes: Int?
    var bodyBytes: Int?
    var firstByteMilliseconds: Double?
    var retries: Int?
  }

  init(_ report: LoadReport) {
    source = report.name
    output = report.output
    transfer = TransferReport(report.outcome).map {
      Transfer(
        status: $0.status, protocolName: $0.protocolName, wireBytes: $0.wireBytes,
        bodyBytes: $0.bodyBytes, firstByteMilliseconds: $0.firstByte?.milliseconds,
        retries: $0.retries)
    }
    switch report.outcome {
    case .loaded(let loaded):
      status = "loaded"
      describe(loaded)
    case .failed(let failure):
      status = "failed"
      error = "\(failure)"
    case .cancelled(let progress):
      status = "cancelled"
      bytes = progress.received
    }
  }

  private mutating func describe(_ loaded: LoadedImage) {
    let image = loaded.image
    format = image.format.name
    width = image.size.width
    height = image.size.height
    frames = image.frameCount
    delaysMilliseconds = image.animation?.delays.map(\.milliseconds)
    loopCount = image.animation?.loopCount
    hasAlpha = image.bitmap.hasAlpha
    orientation = image.orientation.rawValue
    bytes = loaded.encoded?.bytes.count ?? loaded.metrics.byteCount
    origin = loaded.origin.rawValue
    notes = image.notes.isEmpty ? nil : image.notes
    let times = loaded.metrics
    milliseconds = [
      "lookup": times.lookup, "download": times.download, "decode": times.decode,
      "transform": times.transform, "store": times.store,
    ].compactMapValues { $0?.milliseconds }
  }

  /// All reports as one JSON array, with a line end.
  static func text(of reports: [LoadReport]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(reports.map(ReportJSON.init)), as: UTF8.self) + "\n"
  }
}

import Flow
import Pipeline

/// The loads of one run of the gallery, and what the server saw of them.
struct GalleryVisit: Sendable {
  /// The exhibits, in their order.
  var exhibits: [LoadReport] = []
  /// Loads of one address at the same time.
  var shared: [LoadReport] = []
  /// A load that is stopped half-way.
  var stopped: LoadReport?
  /// A load of something that is not there.
  var missing: LoadReport?
  /// A load of what was loaded just before.
  var again: LoadReport?
  /// Requests that the server got for the shared address.
  var sharedRequests = 0
  /// Whether the server saw the stopped load's connection close.
  var sawClose = false

  /// Everything, for the table.
  var all: [LoadReport] {
    exhibits + shared.prefix(1).map { $0.named("\($0.name) ×\(shared.count)") }
      + [stopped, missing, again?.named("\(again?.name ?? "") again")].compactMap { $0 }
  }
}

extension LoadReport {
  /// The same under another name.
  func named(_ name: String) -> LoadReport {
    var copy = LoadReport(name: name, outcome: outcome)
    copy.output = output
    copy.writeFailure = writeFailure
    return copy
  }
}

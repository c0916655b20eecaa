#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one who hears of a transfer. Called on the loop's thread, one call at a time.
protocol TransferSink: AnyObject, Sendable {
  /// Bytes, progress, or the word that nothing changed.
  func receive(_ event: TransferEvent)
  /// The end: `nil` when the last event was complete. Comes once, and nothing after it.
  func receive(end failure: DownloadError?)
}

/// A transfer that is wanted: what to get, and who hears of it.
struct TransferJob: Sendable {
  let id: TransferID
  /// `http` or `https`.
  let address: URL
  let priority: LoadPriority
  let options: TransferOptions
  let sink: any TransferSink

  /// The name that limits and pauses of a host go by.
  var host: String { address.host(percentEncoded: false) ?? "" }

  /// Whether the request carries validators, so that 304 is an answer.
  var isConditional: Bool {
    options.headers.contains {
      ["if-none-match", "if-modified-since"].contains($0.name.lowercased())
    }
  }
}

/// The one who hears of a transfer. One call at a time, most of them on the loop's thread.
protocol TransferSink: AnyObject, Sendable {
  /// Bytes, progress, or the word that nothing changed.
  func receive(_ event: TransferEvent)
  /// The end: `nil` when the last event was complete. Comes once, and nothing after it.
  func receive(end failure: DownloadError?)
}

import Pipeline

/// How an image's bytes came over HTTP. Of a load that was refused only the status is known.
struct TransferReport {
  let status: Int
  var protocolName: String?
  /// Bytes of the body as they were sent, mostly compressed no further.
  var wireBytes: Int?
  /// Bytes of the body.
  var bodyBytes: Int?
  /// From the start of the last attempt.
  var firstByte: Duration?
  /// Attempts before the last.
  var retries: Int?

  /// `nil` when no server answered this time.
  init?(_ outcome: LoadOutcome) {
    switch outcome {
    case .loaded(let loaded):
      guard let encoded = loaded.encoded, let response = encoded.response,
        let metrics = encoded.metrics
      else { return nil }
      status = response.status
      protocolName = response.protocolName
      wireBytes = metrics.wireByteCount
      bodyBytes = encoded.bytes.count
      firstByte = metrics.firstByte
      retries = metrics.retryCount
    case .failed(.download(.refused(let status, _), _)): self.status = status
    case .failed, .cancelled: return nil
    }
  }
}

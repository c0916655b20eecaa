internal import CCurlShims
import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a transfer's subscriber has been told.
struct ReportState {
  var progress = LoadProgress(received: 0, expected: nil)
  var hasResponse = false
}

extension Transfer {
  /// The transfer left the queue.
  func reportStart() { job.sink.receive(.progress(reports.progress)) }

  /// Tells what has come since the last time.
  func reportNews() {
    hasNews = false
    reportResponse()
    guard body.count > reports.progress.received else { return }
    if !isEncrypted { job.sink.receive(.bytes(encoded(isComplete: false))) }
    reportProgress()
  }

  private func reportResponse() {
    guard response != nil, !reports.hasResponse else { return }
    reports.hasResponse = true
    reports.progress.expected = expected
    job.sink.receive(.progress(reports.progress))
  }

  private func reportProgress() {
    guard body.count > reports.progress.received else { return }
    reports.progress.received = body.count
    job.sink.receive(.progress(reports.progress))
  }

  /// Tells the end.
  func reportEnd(_ outcome: Outcome) {
    switch outcome {
    case .failed(let failure): job.sink.receive(end: failure)
    case .restart: break
    case .notModified:
      job.sink.receive(.notModified(makeResponse()))
      job.sink.receive(end: nil)
    case .complete:
      reportResponse()
      reportProgress()
      if isEncrypted { return reportDecrypted() }
      job.sink.receive(.bytes(encoded(isComplete: true)))
      job.sink.receive(end: nil)
    }
  }

  private func encoded(isComplete: Bool) -> EncodedImage {
    EncodedImage(
      bytes: body.view, isComplete: isComplete, response: response, origin: .network,
      revision: revision, metrics: isComplete ? metrics : nil)
  }

  private var isEncrypted: Bool { hooks.contains { $0.decryptBody != nil } }

  /// Decrypting may take long, so it happens elsewhere.
  private func reportDecrypted() {
    let (sink, hooks, image) = (job.sink, hooks, encoded(isComplete: true))
    DispatchQueue.global().async {
      do {
        var bytes = image.bytes
        if let response = image.response {
          for hooks in hooks { bytes = try hooks.decryptBody?(bytes, response) ?? bytes }
        }
        guard !bytes.isEmpty else { return sink.receive(end: .emptyBody) }
        let decrypted = EncodedImage(
          bytes: bytes, response: image.response, origin: .network, revision: image.revision,
          metrics: image.metrics)
        sink.receive(.bytes(decrypted))
        sink.receive(end: nil)
      } catch {
        sink.receive(end: .responseRefused(reason: "\(error)"))
      }
    }
  }

  /// The response as it stands, accepted or not.
  func makeResponse() -> ImageResponse {
    // Reading a URL takes longer than most else here, and most transfers are not redirected.
    let isElsewhere = !hooks.isEmpty || easy.number(CURLINFO_REDIRECT_COUNT) > 0
    let address = isElsewhere ? easy.text(CURLINFO_EFFECTIVE_URL) : nil
    return ImageResponse(
      url: address.flatMap { URL(string: $0) } ?? job.address, status: head.status,
      headers: head.fields,
      protocolName: head.protocolName)
  }

  private var metrics: TransferMetrics {
    var metrics = TransferMetrics()
    metrics.wireByteCount = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    metrics.resumedByteCount = head.status == 206 ? partial?.bytes.count ?? 0 : 0
    metrics.nameLookup = .microseconds(easy.offset(CURLINFO_NAMELOOKUP_TIME_T))
    let connect = easy.offset(CURLINFO_CONNECT_TIME_T)
    metrics.connected = .microseconds(max(connect, easy.offset(CURLINFO_APPCONNECT_TIME_T)))
    metrics.firstByte = .microseconds(easy.offset(CURLINFO_STARTTRANSFER_TIME_T))
    metrics.lastByte = .microseconds(easy.offset(CURLINFO_TOTAL_TIME_T))
    metrics.reusedConnection = easy.number(CURLINFO_NUM_CONNECTS) == 0
    metrics.retryCount = job.attempt
    return metrics
  }
}

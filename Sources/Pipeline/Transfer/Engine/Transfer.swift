internal import CCurlShims

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One running transfer: what libcurl calls back with becomes bytes, progress and a verdict.
///
/// Belongs to the loop's thread.
final class Transfer {
  let job: TransferJob
  let easy: CurlEasy
  /// Whether the subscriber has not been told all there is to tell.
  private(set) var hasNews = false

  private var head: ResponseHead
  private var body = BodyBuffer()
  /// Set once the final, accepted response has come.
  private var response: ImageResponse?
  private var expected: Int?
  /// Why it fails, when it is we who stop it.
  private var verdict: DownloadError?
  private var discarded = 0
  private var reported = LoadProgress(received: 0, expected: nil)
  private var hasReportedResponse = false

  private let clock = ContinuousClock()
  private let started: ContinuousClock.Instant
  /// When the server last did what it should; `nil` while the connection is being made.
  private var lastActivity: ContinuousClock.Instant?

  /// Bodies of refusals up to this size are read to their end, which keeps the connection usable.
  private static let discardLimit = 16 << 10

  init(job: TransferJob, easy: CurlEasy, maximumHeaderSize: Int) {
    self.job = job
    self.easy = easy
    head = ResponseHead(limit: maximumHeaderSize)
    started = clock.now
  }

  // MARK: What libcurl calls back with

  /// The connection stands; the request goes out next.
  func connected() { lastActivity = clock.now }

  /// One line of a response's head. `false` stops the transfer.
  func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard response == nil else { return true }  // Trailers after a body.
    switch head.take(line) {
    case .more: return true
    case .tooLong: return stop(.badResponse(reason: "its header fields are too long"))
    case .complete:
      lastActivity = clock.now
      return isAccepted ? accept() : true
    }
  }

  /// Bytes of a body. `false` stops the transfer.
  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lastActivity = clock.now
    guard response != nil else {
      verdict = refusal
      discarded += bytes.count
      return discarded <= Self.discardLimit
    }
    let limit = job.options.maximumBodySize
    guard body.count + bytes.count <= limit else { return stop(.tooLarge(limit: limit)) }
    body.append(bytes)
    hasNews = true
    return true
  }

  private func accept() -> Bool {
    if head.status == 206 {
      return stop(.badResponse(reason: "it sent a part of the body that nobody asked for"))
    }
    expected = head.contentLength
    if let expected {
      let limit = job.options.maximumBodySize
      guard expected <= limit else { return stop(.tooLarge(limit: limit)) }
      body.reserve(expected)
    }
    response = makeResponse()
    hasNews = true
    return true
  }

  private func stop(_ error: DownloadError) -> Bool {
    if verdict == nil { verdict = error }
    return false
  }

  private var isAccepted: Bool { (200..<300).contains(head.status) }

  private var refusal: DownloadError {
    .refused(status: head.status, retryAfter: head.value("retry-after").flatMap(RetryAfter.parse))
  }

  private func makeResponse() -> ImageResponse {
    let address = easy.text(CURLINFO_EFFECTIVE_URL).flatMap { URL(string: $0) }
    return ImageResponse(
      url: address ?? job.address, status: head.status, headers: head.fields,
      protocolName: head.protocolName)
  }

  // MARK: What the subscriber is told

  /// The transfer left the queue.
  func reportStart() { job.sink.receive(.progress(reported)) }

  /// Tells what has come since the last time.
  func reportNews() {
    hasNews = false
    reportResponse()
    guard body.count > reported.received else { return }
    job.sink.receive(.bytes(encoded(isComplete: false)))
    reportProgress()
  }

  private func reportResponse() {
    guard response != nil, !hasReportedResponse else { return }
    hasReportedResponse = true
    reported.expected = expected
    job.sink.receive(.progress(reported))
  }

  private func reportProgress() {
    guard body.count > reported.received else { return }
    reported.received = body.count
    job.sink.receive(.progress(reported))
  }

  private func encoded(isComplete: Bool) -> EncodedImage {
    EncodedImage(bytes: body.view, isComplete: isComplete, response: response, origin: .network)
  }

  /// Tells the end.
  func reportEnd(_ code: CURLcode) {
    if let failure = failure(code) { return job.sink.receive(end: failure) }
    if response == nil {
      job.sink.receive(.notModified(makeResponse()))
    } else {
      reportResponse()
      reportProgress()
      job.sink.receive(.bytes(encoded(isComplete: true)))
    }
    job.sink.receive(end: nil)
  }

  private func failure(_ code: CURLcode) -> DownloadError? {
    if let verdict { return verdict }
    guard code == CURLE_OK else {
      return DownloadError(
        code, host: job.host, status: head.status, received: body.count, expected: expected,
        hasConnected: lastActivity != nil)
    }
    guard response != nil else {
      return head.status == 304 && job.isConditional ? nil : refusal
    }
    if let expected, body.count < expected {
      return .incomplete(received: body.count, expected: expected)
    }
    return body.count == 0 ? .emptyBody : nil
  }

  // MARK: Time

  /// The limit that has run out at `now`.
  func expired(at now: ContinuousClock.Instant) -> DownloadError? {
    if let deadline = job.options.deadline, now >= started + deadline {
      return .timedOut(.deadline)
    }
    guard let lastActivity, now >= lastActivity + job.options.effectiveIdleTimeout else {
      return nil
    }
    return .timedOut(.idle)
  }

  /// When `expired` has to be asked again.
  var nextExpiry: ContinuousClock.Instant? {
    let idle = lastActivity.map { $0 + job.options.effectiveIdleTimeout }
    let deadline = job.options.deadline.map { started + $0 }
    guard let idle, let deadline else { return idle ?? deadline }
    return min(idle, deadline)
  }
}

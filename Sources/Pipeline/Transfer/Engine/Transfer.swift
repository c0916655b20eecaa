internal import CCurlShims

/// One running transfer: what libcurl calls back with becomes bytes and a verdict.
///
/// Belongs to the loop's thread. What the subscriber is told is in `Transfer+Reports.swift`.
final class Transfer {
  enum Outcome {
    case complete
    case notModified
    case failed(DownloadError)
    /// The part at hand is of no use: once more, from the start.
    case restart
  }

  let job: TransferJob
  let easy: CurlEasy
  let configuration: DownloaderConfiguration
  /// What it tries to go on from.
  let partial: PartialBody?
  /// Whether the subscriber has not been told all there is to tell.
  var hasNews = false
  var reports = ReportState()

  private(set) var head: ResponseHead
  private(set) var body = BodyBuffer()
  /// Set once the final, accepted response has come.
  private(set) var response: ImageResponse?
  private(set) var expected: Int?
  private(set) var revision: UInt64
  /// Why it fails, when it is we who stop it.
  private var verdict: DownloadError?
  private var mustRestart = false
  private var refusedAddress: String?
  private var discarded = 0

  private let clock = ContinuousClock()
  private let started: ContinuousClock.Instant
  /// When the server last did what it should; `nil` while the connection is being made.
  private var lastActivity: ContinuousClock.Instant?

  /// Bodies of refusals up to this size are read to their end, which keeps the connection usable.
  private static let discardLimit = 16 << 10

  init(
    job: TransferJob, easy: CurlEasy, configuration: DownloaderConfiguration, partial: PartialBody?
  ) {
    self.job = job
    self.easy = easy
    self.configuration = configuration
    self.partial = partial
    head = ResponseHead(limit: configuration.maximumHeaderSize)
    revision = job.id
    started = clock.now
  }

  // MARK: What libcurl calls back with

  /// The connection stands, and the request goes out next; `false` stops the transfer.
  ///
  /// An open one may have been made when other addresses were allowed.
  func connected(to address: @autoclosure () -> String?) -> Bool {
    lastActivity = clock.now
    guard configuration.addresses != .any, let text = address() else { return true }
    return mayConnect(to: SocketAddress.bytes(of: text) ?? [], written: text)
  }

  /// Whether a connection to `address` may be made.
  func mayConnect(to address: [UInt8], written text: String) -> Bool {
    if configuration.addresses.allows(address) { return true }
    refusedAddress = text
    return false
  }

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
      discarded += bytes.count
      if discarded > Self.discardLimit { return stop(refusal) }
      return true
    }
    let limit = job.options.maximumBodySize
    guard body.count + bytes.count <= limit else { return stop(.tooLarge(limit: limit)) }
    body.append(bytes)
    hasNews = true
    return true
  }

  private func accept() -> Bool {
    expected = head.contentLength
    if head.status == 206 {
      guard let partial else {
        return stop(.badResponse(reason: "it sent a part of the body that nobody asked for"))
      }
      guard partial.isContinued(by: head) else {
        mustRestart = true
        return false
      }
      expected = partial.total
      revision = partial.revision
    }
    let limit = job.options.maximumBodySize
    if let expected {
      guard expected <= limit else { return stop(.tooLarge(limit: limit)) }
      body.reserve(expected)
    }
    if head.status == 206 { partial?.bytes.withUnsafeBytes { body.append($0) } }
    let response = makeResponse()
    if let failure = hooksFailure(response) { return stop(failure) }
    self.response = response
    hasNews = true
    return true
  }

  private func hooksFailure(_ response: ImageResponse) -> DownloadError? {
    do {
      for hooks in hooks { try hooks.validateResponse?(response) }
      return nil
    } catch {
      return .responseRefused(reason: "\(error)")
    }
  }

  /// The downloader's hooks, then the request's.
  var hooks: [TransferHooks] { [configuration.hooks, job.options.hooks].compactMap { $0 } }

  /// Makes the transfer fail with `error`, unless it is failing already.
  func stop(_ error: DownloadError) -> Bool {
    if verdict == nil { verdict = error }
    return false
  }

  private var isAccepted: Bool { (200..<300).contains(head.status) }

  private var refusal: DownloadError {
    .refused(status: head.status, retryAfter: head.value("retry-after").flatMap(RetryAfter.parse))
  }

  // MARK: The end

  /// How it ended, given libcurl's result.
  func outcome(_ code: CURLcode) -> Outcome {
    if mustRestart || (head.status == 416 && partial != nil) { return .restart }
    if let verdict { return .failed(verdict) }
    if code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK, let refusedAddress {
      return .failed(.addressRefused(refusedAddress))
    }
    guard response != nil else {
      if head.isComplete, discarded > 0 || code == CURLE_OK || head.status >= 400 {
        return head.status == 304 && job.isConditional ? .notModified : .failed(refusal)
      }
      return .failed(error(code))
    }
    guard code == CURLE_OK else { return .failed(error(code)) }
    if let expected, body.count < expected {
      return .failed(.incomplete(received: body.count, expected: expected))
    }
    return body.count == 0 ? .failed(.emptyBody) : .complete
  }

  private func error(_ code: CURLcode) -> DownloadError {
    // What a proxy says to a request for a tunnel is no answer of the server's.
    let tunnel = easy.number(CURLINFO_HTTP_CONNECTCODE)
    if code == CURLE_RECV_ERROR, tunnel >= 300 {
      return .connectionFailed(reason: "the proxy answered with status \(tunnel)")
    }
    return DownloadError(
      code, host: job.host, status: head.status, received: body.count, expected: expected,
      hasConnected: lastActivity != nil)
  }

  /// Whether the head at hand is of the last response: there was one, and no redirect follows it.
  func isFinal(_ outcome: Outcome?) -> Bool {
    switch outcome {
    case .complete, .notModified, .failed(.refused): true
    default: response != nil
    }
  }

  /// What a later transfer may go on from.
  var remains: PartialBody? {
    guard response != nil, job.mayResume else { return nil }
    return PartialBody(bytes: body.view, head: head, total: expected, revision: revision)
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

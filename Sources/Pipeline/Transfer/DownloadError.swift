/// Why a download gave no bytes.
public enum DownloadError: Error, Sendable, Hashable {
  /// The text is not a URL that can be loaded; `reason` is one sentence without full stop.
  case invalidURL(reason: String)
  /// No transfer is known for this scheme.
  case unsupportedScheme(String)
  /// The name has no address.
  case hostNotFound(String)
  /// Nobody took the connection, or it could not be made.
  case connectionFailed(reason: String)
  /// TLS could not be agreed, or the certificate is not trusted.
  case insecure(reason: String)
  /// The server said no, or that it is broken.
  case refused(status: Int, retryAfter: Duration?)
  /// Silence, or a deadline.
  case timedOut(TimeLimit)
  /// The connection ended before the body did.
  case incomplete(received: Int, expected: Int?)
  /// The body has no bytes.
  case emptyBody
  /// More body than the limit allows.
  case tooLarge(limit: Int)
  /// More redirects than the limit allows, or one to a scheme that is not followed.
  case redirectRefused(reason: String)
  /// The server broke HTTP.
  case badResponse(reason: String)
  /// The file is not there.
  case fileNotFound
  /// The file could not be read.
  case fileUnreadable(reason: String)
  /// The path is a folder, or another thing that holds no bytes.
  case notAFile
  /// A provider of yours failed; `reason` is its error, in words.
  case providerFailed(reason: String)
  /// The address is not one that this downloader may connect to.
  case addressRefused(String)
  /// The pipeline's `mayDownload` said no.
  case notAllowed
  /// A request modifier would not send it; `reason` is its error, in words.
  case requestRefused(reason: String)
  /// A response validator or body decryptor would not have it; `reason` is its error, in words.
  case responseRefused(reason: String)
  /// Everything was cancelled at the downloader.
  case cancelled
  /// The downloader was shut down.
  case shutDown

  /// Which limit ran out.
  public enum TimeLimit: String, Sendable, Hashable {
    /// The connection did not stand in time.
    case connect
    /// No byte came for too long.
    case idle
    /// The whole transfer took too long.
    case deadline
  }
}

extension DownloadError: CustomStringConvertible {
  /// One plain sentence, without full stop.
  public var description: String {
    switch self {
    case .invalidURL(let reason): "the URL can not be loaded: \(reason)"
    case .unsupportedScheme(let scheme): "no transfer is known for the scheme \"\(scheme)\""
    case .hostNotFound(let host): "the host \(host) was not found"
    case .connectionFailed(let reason): "no connection: \(reason)"
    case .insecure(let reason): "no secure connection: \(reason)"
    case .refused(let status, _): "the server answered with status \(status)"
    case .timedOut(.connect): "the connection did not stand in time"
    case .timedOut(.idle): "the server was silent for too long"
    case .timedOut(.deadline): "the transfer took too long"
    case .incomplete(let received, let expected?):
      "the connection ended after \(received) of \(expected) bytes"
    case .incomplete(let received, nil):
      "the connection ended after \(received) bytes, before the body did"
    case .emptyBody: "the answer has no bytes"
    case .tooLarge(let limit): "the body is larger than the limit of \(limit) bytes"
    case .redirectRefused(let reason): "a redirect was not followed: \(reason)"
    case .badResponse(let reason): "the server's answer makes no sense: \(reason)"
    case .fileNotFound: "the file is not there"
    case .fileUnreadable(let reason): "the file can not be read: \(reason)"
    case .notAFile: "the path does not lead to a file"
    case .providerFailed(let reason): "the provider gave no bytes: \(reason)"
    case .addressRefused(let address): "connections to \(address) are not allowed"
    case .notAllowed: "it is in no cache, and the pipeline was told not to download it"
    case .requestRefused(let reason): "the request was not sent: \(reason)"
    case .responseRefused(let reason): "the answer was not taken: \(reason)"
    case .cancelled: "all transfers were cancelled"
    case .shutDown: "the downloader was shut down"
    }
  }
}

extension DownloadError {
  /// Whether the same request may succeed later: trouble of the connection, or of a busy server.
  public var mayHeal: Bool {
    switch self {
    case .hostNotFound, .connectionFailed, .timedOut, .incomplete: true
    case .refused(let status, _): [408, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }
}

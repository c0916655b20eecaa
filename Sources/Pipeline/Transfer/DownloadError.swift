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

extension DownloadError: CustomStringConvertible {
  /// One plain sentence, without full stop.
  public var description: String {
    switch self {
    case .invalidURL(let reason): "the address can not be loaded: \(reason)"
    case .unsupportedScheme(let scheme): "no transfer is known for \(scheme):"
    case .hostNotFound(let host): "the host \(host) was not found"
    case .connectionFailed(let reason): "no connection could be made: \(reason)"
    case .insecure(let reason): "the connection is not secure: \(reason)"
    case .refused(let status, _): "the server answered with status \(status)"
    case .timedOut(.connect): "the connection was not made in time"
    case .timedOut(.idle): "the server was silent for too long"
    case .timedOut(.deadline): "the transfer was not done by its deadline"
    case .incomplete(let received, let expected?):
      "the connection ended after \(received) of \(expected) bytes"
    case .incomplete(let received, nil): "the connection ended early, after \(received) bytes"
    case .emptyBody: "the body has no bytes"
    case .tooLarge(let limit): "the body is larger than the limit of \(limit) bytes"
    case .redirectRefused(let reason): "a redirect was not followed: \(reason)"
    case .badResponse(let reason): "the server's answer breaks HTTP: \(reason)"
    case .fileNotFound: "there is no such file"
    case .fileUnreadable(let reason): "the file can not be read: \(reason)"
    case .shutDown: "the downloader was shut down"
    }
  }

  /// Whether the same load may succeed later without a change.
  public var canHeal: Bool {
    switch self {
    case .hostNotFound, .connectionFailed, .timedOut, .incomplete, .shutDown: true
    case .refused(let status, _): status == 408 || status == 429 || status >= 500
    default: false
    }
  }
}

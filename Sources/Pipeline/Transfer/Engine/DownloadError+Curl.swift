internal import CCurlShims

extension DownloadError {
  /// What libcurl's result means, given how far the transfer had come.
  init(
    _ code: CURLcode, host: String, status: Int, received: Int, expected: Int?, hasConnected: Bool
  ) {
    let words = CurlLibrary.text(of: code)
    let isRedirect = (300..<400).contains(status)
    self =
      switch code {
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
        if isRedirect {
          .redirectRefused(reason: "it leads to an address that is not followed")
        } else if hasConnected {
          .badResponse(reason: "it does not speak HTTP")
        } else {
          .invalidURL(reason: "it has no form that can be sent")
        }
      case CURLE_TOO_MANY_REDIRECTS: .redirectRefused(reason: "there are too many")
      case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound(host)
      case CURLE_COULDNT_RESOLVE_PROXY:
        .connectionFailed(reason: "the proxy's name has no address")
      case CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND:
        .insecure(reason: words)
      case CURLE_GOT_NOTHING:
        .connectionFailed(reason: "the server closed it without an answer")
      case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM:
        if status == 0 {
          .connectionFailed(reason: "it broke before there was an answer")
        } else {
          .incomplete(received: received, expected: expected)
        }
      case CURLE_COULDNT_CONNECT: .connectionFailed(reason: "nobody takes it")
      default:
        hasConnected ? .badResponse(reason: words) : .connectionFailed(reason: words)
      }
  }
}

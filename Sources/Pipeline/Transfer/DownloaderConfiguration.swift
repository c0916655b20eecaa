/// How a `Downloader` works, for all its transfers. What one load asks for is `TransferOptions`.
public struct DownloaderConfiguration: Sendable {
  /// Transfers that run at once; 6 unless told otherwise, at least 1. The others wait in a queue.
  public var maximumConcurrentTransfers = 6
  /// Transfers that run at once from one host and port; `nil` sets no limit of its own.
  public var maximumTransfersPerHost: Int?
  /// Slots that priorities below `.normal` leave free for others, so that a user's load never waits
  /// for prefetches; 1 unless told otherwise. One slot is always open to them.
  public var slotsKeptFromLowPriorities = 1
  /// Which of two equally urgent transfers goes first.
  public var order = TransferOrder.oldestFirst
  /// Sent with every request; a field of the same name in a request's options wins.
  public var headers: [HeaderField] = []
  /// The `Accept` field; `nil` asks for the formats of the decoders that the bytes are for: those
  /// that the download stage was told of, else the standard ones.
  public var accept: String?
  /// The `User-Agent` field.
  public var userAgent = "Flow/1"
  /// Run for every request, before the request's own.
  public var hooks: TransferHooks?
  /// The login for a host (and port, when it is not the scheme's), asked for each request without
  /// its own. On the downloader's thread, so it has to be quick.
  public var credentials: (@Sendable (_ host: String) -> Credential?)?
  /// What makes a TLS connection good enough.
  public var tls = TLSOptions()
  /// Which proxy is used.
  public var proxy = ProxyChoice.environment
  /// Which addresses may be connected to.
  public var addresses = AddressPolicy.any
  /// Bytes of one response's header fields after which a transfer fails; 64 KiB.
  public var maximumHeaderSize = 64 << 10
  /// Redirects that are followed; one more fails.
  public var maximumRedirects = 10
  /// The longest time for which a host that answered 429 or 503 with `Retry-After` is left alone.
  public var maximumHostPause = Duration.seconds(60)
  /// Bytes of broken transfers that are kept to go on from; 16 MiB, zero keeps none.
  public var partialBodyCapacity = 16 << 20
  /// Transfers of further URL schemes, by the scheme in lower case; `http` can be replaced too.
  public var schemes: [String: any ImageDownloader] = [:]

  /// The defaults.
  public init() {}

  /// What is sent with every request for decoders that take `formats`, before its own fields.
  func fields(accepting formats: String) -> [HeaderField] {
    [
      HeaderField(name: "Accept", value: accept ?? formats),
      HeaderField(name: "User-Agent", value: userAgent),
    ].replaced(by: headers)
  }
}

/// Which of two equally urgent transfers goes first.
public enum TransferOrder: Sendable, Hashable {
  /// In order of arrival.
  case oldestFirst
  /// The latest asked for: what a scrolling user sees now.
  case newestFirst
}

/// Which proxy is used.
public enum ProxyChoice: Sendable, Hashable {
  /// What the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
  case environment
  /// None.
  case direct
  /// This one: `http://`, `https://`, `socks5h://` and host, with user and password if need be.
  case url(String)
}

/// What the download stage is asked for.
///
/// Loads share one transfer only when all of this is equal too: other headers or another login
/// never get each other's picture.
public struct TransferOptions: Sendable, Hashable {
  /// Header fields that are sent besides the downloader's own; a field given here wins.
  public var headers: [HeaderField] = []
  /// Time without a byte after which a transfer fails; 15 s, also when zero is given. The head of
  /// a response has to be complete within it.
  public var idleTimeout: Duration = .seconds(15)
  /// Time for the connection to stand, TLS included; 15 s unless told otherwise.
  public var connectTimeout: Duration = .seconds(15)
  /// Time for the whole transfer, waiting in the queue not counted; `nil` sets no limit. The only
  /// limit of time that holds for providers, too.
  public var deadline: Duration?
  /// Bytes of body after which a transfer fails; 64 MiB unless told otherwise.
  public var maximumBodySize = 64 << 20
  /// Answers a server's question for a login; `nil` asks the downloader's `credentials`.
  public var credential: Credential?
  /// Send the cookies that the downloader has been given, and keep new ones. Off unless set.
  public var usesCookies = false
  /// What makes a TLS connection good enough; `nil` leaves it to the downloader.
  public var tls: TLSOptions?
  /// What is tried again, how often and when. Nothing unless set.
  public var retry = TransferRetry.never
  /// Go on from the bytes of an earlier, broken transfer when the server proves that they still
  /// hold, and keep those of this one.
  public var resumes = true
  /// Change the request, judge the response, decrypt the body; run after the downloader's.
  public var hooks: TransferHooks?
  /// What the decoders of the bytes take. It makes transfers different, and cache keys not.
  var accept: String?

  /// The defaults.
  public init() {}
}

extension TransferOptions {
  /// The idle limit that holds: zero means the default, not "at once" and not "never".
  var effectiveIdleTimeout: Duration { idleTimeout > .zero ? idleTimeout : .seconds(15) }
}

/// A login. Kept in memory only, and sent to no other host than the one that was asked.
public enum Credential: Sendable, Hashable {
  /// For servers that ask for Basic or Digest.
  case password(user: String, password: String)
  /// Sent with the first request, as `Authorization: Bearer`.
  case bearer(String)
}

extension Credential: CustomStringConvertible {
  /// Names the kind and the user, never the secret.
  public var description: String {
    switch self {
    case .password(let user, _): "password of \(user)"
    case .bearer: "bearer token"
    }
  }
}

/// What makes a TLS connection good enough.
public struct TLSOptions: Sendable, Hashable {
  /// Take any certificate, for tests. The connection is then open to impostors.
  public var allowsInvalidCertificates = false
  /// A file of trusted certificates (PEM) in place of the system's.
  public var authorities: String?
  /// A file with the client's certificate (PEM).
  public var clientCertificate: String?
  /// A file with the key of `clientCertificate` (PEM).
  public var clientKey: String?
  /// Public keys of which the server must have one: `sha256//` and base64, joined by semicolons.
  public var pinnedKeys: String?

  /// The system's authorities, no client certificate, no pin.
  public init() {}
}

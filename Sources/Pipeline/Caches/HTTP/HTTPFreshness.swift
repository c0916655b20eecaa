/// What a private HTTP cache does with a request, by RFC 9111 and RFC 5861: no lock, no clock.
public struct HTTPFreshness: Sendable {
  /// What to do.
  public enum Verdict: Sendable, Hashable {
    /// Deliver what is stored; its age in seconds.
    case fresh(age: Int)
    /// Deliver what is stored, and ask the server behind it (`stale-while-revalidate`).
    case staleWhileRevalidate(conditions: [HeaderField])
    /// Ask the server whether it still holds; `mayServeOnError`: deliver what is stored if the
    /// server can not be reached or answers with 500, 502, 503 or 504.
    case revalidate(conditions: [HeaderField], mayServeOnError: Bool)
    /// Ask the server for all of it.
    case fetch
    /// Fail: only the cache was to be asked (section 5.2.1.7).
    case notCached
  }

  /// The part of the time since last modification that counts as fresh without a word from the
  /// server (section 4.2.2); a tenth, and at most a week.
  public static let heuristicPart = 10
  private static let heuristicLimit: Int = 7 * 86_400

  let stored: StoredResponse
  private let control: CacheControl

  /// Looks at a stored response.
  public init(_ stored: StoredResponse) {
    self.stored = stored
    control = CacheControl(stored.response.headers)
  }

  /// What to do with a request with `headers` when nothing that matches is stored.
  public static func verdictOnMiss(requestHeaders headers: [HeaderField]) -> Verdict {
    CacheControl(headers).has("only-if-cached") ? .notCached : .fetch
  }

  /// What to do with a request with `headers` at `now`, in seconds since 1970 (section 4).
  public func verdict(requestHeaders headers: [HeaderField], now: Int) -> Verdict {
    let request = CacheControl(headers)
    guard stored.matches(headers) else { return Self.verdictOnMiss(requestHeaders: headers) }
    let (age, lifetime) = (age(now: now), lifetime)
    let staleness = age - lifetime
    if !control.has("no-cache"), !request.has("no-cache"),
      isFreshEnough(age: age, lifetime: lifetime, for: request)
    {
      return .fresh(age: age)
    }
    if request.has("only-if-cached") { return .notCached }
    let conditions = stored.conditionalHeaders
    let isBound = control.has("must-revalidate") || control.has("no-cache")
    if !isBound, !request.has("no-cache"), request.seconds("max-age") == nil,
      request.seconds("min-fresh") == nil, staleness >= 0,
      let window = control.seconds("stale-while-revalidate"), staleness <= window
    {
      return .staleWhileRevalidate(conditions: conditions)
    }
    let window = [control, request].compactMap { $0.seconds("stale-if-error") }.max()
    let mayServeOnError =
      !isBound && !request.has("no-cache") && window.map { staleness <= $0 } == true
    guard !conditions.isEmpty || mayServeOnError else { return .fetch }
    return .revalidate(conditions: conditions, mayServeOnError: mayServeOnError)
  }

  /// Whether an answer of this status is an error that `stale-if-error` covers (RFC 5861).
  public static func isServerTrouble(status: Int) -> Bool {
    [500, 502, 503, 504].contains(status)
  }

  /// Seconds since the response was made or confirmed by its server (section 4.2.3).
  public func age(now: Int) -> Int {
    let date = stored.response.header("Date").flatMap(HTTPDate.parse) ?? stored.responseTime
    let apparent = max(0, stored.responseTime - date)
    let corrected = givenAge + max(0, stored.responseTime - stored.requestTime)
    return max(apparent, corrected) + max(0, now - stored.responseTime)
  }

  /// The first value of `Age`; one that is no number of seconds is ignored (section 5.1), one too
  /// large for 31 bits counts as 2³¹ (section 1.2.2).
  private var givenAge: Int {
    guard let field = stored.response.header("Age"),
      let text = field.split(separator: ",", omittingEmptySubsequences: false).first?.trimmed,
      !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return 0 }
    return min(Int(text) ?? 1 << 31, 1 << 31)
  }

  /// Seconds of age up to which it is fresh (sections 4.2.1 and 4.2.2).
  public var lifetime: Int {
    if let seconds = control.seconds("max-age") { return seconds }
    let date = stored.response.header("Date").flatMap(HTTPDate.parse) ?? stored.responseTime
    if let expires = stored.response.header("Expires") {
      // A date that can not be read, such as 0, means: already past.
      return HTTPDate.parse(expires).map { max(0, $0 - date) } ?? 0
    }
    guard
      StoredResponse.heuristicStatuses.contains(stored.response.status) || control.has("public"),
      let modified = stored.response.header("Last-Modified").flatMap(HTTPDate.parse),
      modified < date
    else { return 0 }
    return min((date - modified) / Int(Self.heuristicPart), Self.heuristicLimit)
  }

  private func isFreshEnough(age: Int, lifetime: Int, for request: CacheControl) -> Bool {
    if let limit = request.seconds("max-age"), age > limit { return false }
    if let rest = request.seconds("min-fresh"), lifetime - age < rest { return false }
    // RFC 8246: while it is fresh it will not change; a reload need not ask.
    if age < lifetime { return true }
    guard !control.has("must-revalidate") else { return false }
    if request.acceptsAnyStaleness { return true }
    guard let limit = request.seconds("max-stale") else { return false }
    return age - lifetime <= limit
  }
}

/// A response in a private HTTP cache, with what the rules of freshness need to know of it.
public struct StoredResponse: Sendable, Hashable {
  /// The response as stored.
  public var response: ImageResponse
  /// When its request was sent, in seconds since 1970.
  public var requestTime: Int
  /// When it arrived, in seconds since 1970.
  public var responseTime: Int
  /// The request's fields that the response's `Vary` names: each with the SHA-256 of its values, because
  /// they may be secrets, and caches are files.
  public var varying: [HeaderField]

  /// Describes a response that answered a request with `requestHeaders`.
  public init(
    response: ImageResponse, requestHeaders: [HeaderField], requestTime: Int, responseTime: Int
  ) {
    self.response = response
    self.requestTime = requestTime
    self.responseTime = responseTime
    varying = Self.variedNames(response).sorted().compactMap { name in
      Self.digest(of: name, in: requestHeaders).map { HeaderField(name: name, value: $0) }
    }
  }

  /// A response as it was stored.
  init(response: ImageResponse, varying: [HeaderField], requestTime: Int, responseTime: Int) {
    self.response = response
    self.varying = varying
    self.requestTime = requestTime
    self.responseTime = responseTime
  }

  /// Whether a private cache may store such a response (RFC 9111 section 3).
  ///
  /// Only whole answers to GET are: partial ones are the transfer's business.
  public static func mayStore(
    _ response: ImageResponse, requestHeaders: [HeaderField]
  ) -> Bool {
    let control = CacheControl(response.headers)
    guard !CacheControl(requestHeaders).has("no-store") else { return false }
    // Section 5.2.2.3: who understands the status may store it all the same.
    let isUnderstood = understoodStatuses.contains(response.status)
    guard !control.has("no-store") || control.has("must-understand") && isUnderstood else {
      return false
    }
    // `*` never matches a later request (section 4.1).
    guard !variedNames(response).contains("*") else { return false }
    if control.has("must-understand"), !isUnderstood { return false }
    guard response.status != 206, response.status != 304, response.status >= 200 else {
      return false
    }
    return control.has("public") || control.has("private") || control.has("max-age")
      || response.header("Expires") != nil || heuristicStatuses.contains(response.status)
  }

  /// Whether this response may answer a request with `headers` (section 4.1).
  public func matches(_ headers: [HeaderField]) -> Bool {
    let names = Self.variedNames(response)
    guard !names.contains("*") else { return false }
    return names.allSatisfy { name in
      Self.digest(of: name, in: headers) == varying.first { $0.name == name }?.value
    }
  }

  /// Whether it was chosen by this request field, whose name is in lower case.
  func varies(by name: String) -> Bool { Self.variedNames(response).contains(name) }

  /// This response after a 304 confirmed it: fields of the 304 take the place of those stored,
  /// except those that speak of the 304 itself (sections 3.2 and 4.3.4).
  public func updated(
    by notModified: ImageResponse, requestTime: Int, responseTime: Int
  ) -> StoredResponse {
    let kept: Set = [
      "content-length", "content-encoding", "content-type", "content-range", "transfer-encoding",
      "connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade",
    ]
    let newer = notModified.headers.filter { !kept.contains($0.name.lowercased()) }
    let replaced = Set(newer.map { $0.name.lowercased() })
    var result = self
    result.response.headers =
      response.headers.filter { !replaced.contains($0.name.lowercased()) } + newer
    result.requestTime = requestTime
    result.responseTime = responseTime
    return result
  }

  /// Whether a 304 speaks of this response: a tag that it brings must be the one stored
  /// (section 4.3.4).
  public func isConfirmed(by notModified: ImageResponse) -> Bool {
    guard let tag = notModified.header("ETag"), let stored = response.header("ETag") else {
      return true
    }
    return Self.opaque(tag) == Self.opaque(stored)
  }

  /// A tag without the mark of the weak ones: a 304 answers a weak comparison.
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }

  /// Names the request fields that this response was chosen by, where there are any: responses of
  /// one address that differ in it are stored side by side.
  func variant(for headers: [HeaderField]) -> String {
    let names = Self.variedNames(response).sorted()
    guard !names.isEmpty else { return "" }
    return names.map { $0 + ":" + (Self.digest(of: $0, in: headers) ?? "") }
      .joined(separator: "\n")
  }

  /// The fields that ask whether this response still holds (section 4.3.1); empty if it can not be
  /// asked for.
  public var conditionalHeaders: [HeaderField] {
    var fields: [HeaderField] = []
    if let tag = response.header("ETag") {
      fields.append(HeaderField(name: "If-None-Match", value: tag))
    }
    if let date = response.header("Last-Modified") {
      fields.append(HeaderField(name: "If-Modified-Since", value: date))
    }
    return fields
  }

  /// Statuses that may be stored without a word on freshness (RFC 9110 section 15.1).
  static let heuristicStatuses: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
  private static let understoodStatuses: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410]

  private static func variedNames(_ response: ImageResponse) -> Set<String> {
    let fields = response.headers.filter { $0.name.lowercased() == "vary" }
    return Set(
      fields.flatMap { $0.value.split(separator: ",") }.map { $0.trimmed.lowercased() }
        .filter { !$0.isEmpty })
  }

  /// The digest of all values of a field, in order, blanks around commas not counted; `nil` if there
  /// are none.
  private static func digest(of name: String, in headers: [HeaderField]) -> String? {
    let values = headers.filter { $0.name.lowercased() == name }
      .flatMap { $0.value.split(separator: ",") }.map(\.trimmed)
    guard !values.isEmpty else { return nil }
    return hexadecimal(Array(values.joined(separator: ",").utf8).withUnsafeBytes(SHA256.digest))
  }
}

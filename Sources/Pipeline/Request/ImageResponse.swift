#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a server said before the body.
public struct ImageResponse: Sendable, Hashable {
  /// The address that answered, after redirects.
  public var url: URL
  /// HTTP status code.
  public var status: Int
  /// Header fields in order of arrival, names as sent.
  public var headers: [HeaderField]
  /// Protocol, as `HTTP/1.1` or `HTTP/2`.
  public var protocolName: String

  /// Describes a response.
  public init(url: URL, status: Int, headers: [HeaderField], protocolName: String) {
    self.url = url
    self.status = status
    self.headers = headers
    self.protocolName = protocolName
  }

  /// The first value of the field `name`, in any case; `nil` if absent.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

extension [HeaderField] {
  /// These fields, those that are named again taken from `others`.
  func replaced(by others: [HeaderField]) -> [HeaderField] {
    guard !others.isEmpty else { return self }
    let names = Set(others.map { $0.name.lowercased() })
    return filter { !names.contains($0.name.lowercased()) } + others
  }
}

/// One header field.
public struct HeaderField: Sendable, Hashable {
  /// Name, as sent.
  public var name: String
  /// Value, without surrounding blanks.
  public var value: String

  /// Makes a field.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

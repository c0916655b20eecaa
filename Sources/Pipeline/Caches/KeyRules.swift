/// How URLs become cache keys: rules that make addresses of one picture one key.
///
/// Works on the text and changes nothing but what the rules name; a URL without query and fragment
/// is its own key. Give the result as `ImageRequest.key`.
public struct KeyRules: Sendable, Hashable {
  /// One rule; they are applied in order.
  public enum Rule: Sendable, Hashable {
    /// Leaves out the part after `#`.
    case dropFragment
    /// Leaves out the whole query.
    case dropQuery
    /// Leaves out query items of these names, in any case.
    case dropQueryItems(Set<String>)
    /// Leaves out query items whose names begin so, in any case.
    case dropQueryItemsWithPrefix(String)
    /// Sorts query items by name; those of one name keep their order.
    case sortQuery
  }

  /// In order.
  public var rules: [Rule]

  /// Applies `rules` in order.
  public init(_ rules: [Rule]) { self.rules = rules }

  /// The URL as it is.
  public static let exact = KeyRules([])

  /// Leaves out what presigned URLs of Amazon, Google, Azure and CloudFront carry besides the
  /// address, so that a picture keeps its key when it is signed anew.
  public static let presigned = KeyRules([
    .dropQueryItemsWithPrefix("X-Amz-"), .dropQueryItemsWithPrefix("X-Goog-"),
    .dropQueryItems([
      "AWSAccessKeyId", "GoogleAccessId", "Signature", "Expires", "Key-Pair-Id", "Policy", "sv",
      "sr", "sp", "se", "st", "spr", "sig", "skoid", "sktid", "skt", "ske", "sks", "skv", "sip",
    ]),
    .dropFragment,
  ])

  /// The key for a URL's text.
  public func key(for url: String) -> String { rules.reduce(url) { Self.apply($1, to: $0) } }

  private static func apply(_ rule: Rule, to url: String) -> String {
    let hash = url.firstIndex(of: "#") ?? url.endIndex
    let (address, fragment) = (url[..<hash], url[hash...])
    if rule == .dropFragment { return String(address) }
    guard let mark = address.firstIndex(of: "?") else { return url }
    let items = address[address.index(after: mark)...]
      .split(separator: "&", omittingEmptySubsequences: false)
    let kept: [Substring]
    switch rule {
    case .dropFragment, .dropQuery: kept = []
    case .dropQueryItems(let names):
      let names = Set(names.map { $0.lowercased() })
      kept = items.filter { !names.contains(name($0)) }
    case .dropQueryItemsWithPrefix(let prefix):
      let prefix = prefix.lowercased()
      kept = items.filter { !name($0).hasPrefix(prefix) }
    case .sortQuery:
      // Position decides between equal names: sorting alone does not promise to.
      kept = items.enumerated().sorted { left, right in
        (name(left.element), left.offset) < (name(right.element), right.offset)
      }.map(\.element)
    }
    let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
    return address[..<mark] + query + fragment
  }

  private static func name(_ item: Substring) -> String {
    item.prefix { $0 != "=" }.lowercased()
  }
}

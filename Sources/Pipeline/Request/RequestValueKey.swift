/// Names a value of your own that goes with requests.
///
/// Interceptors, hooks, your own stages and whoever gets the image find it in the request; no stage
/// of the pipeline reads it, and it is no part of any key: loads that differ in it share their work.
///
/// ```swift
/// enum ScreenName: RequestValueKey { static let defaultValue = "unknown" }
///
/// var request = ImageRequest(url)
/// request[ScreenName.self] = "album"
/// let loaded = try await pipeline.image(for: request)
/// print(loaded.request[ScreenName.self])  // prints album
/// ```
public protocol RequestValueKey {
  /// What kind of value it is.
  associatedtype Value: Sendable
  /// The value of requests that were given none.
  static var defaultValue: Value { get }
}

extension ImageRequest {
  /// The value under `key`; its default unless it was set.
  public subscript<Key: RequestValueKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

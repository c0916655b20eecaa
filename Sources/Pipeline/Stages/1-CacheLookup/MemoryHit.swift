#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImageRequest {
  /// The finished image from memory, if the request may read it there; at once, on this thread.
  ///
  /// A load that goes by the server's words gets it only while the response it was made of is
  /// fresh, one that is refreshed in any case.
  func memoryHit(in cache: (any ImageCaching)?) -> LoadedImage? {
    guard let cache, caching.read.contains(.memory) else { return nil }
    let start = ContinuousClock.now
    guard let pixels = cache.pixels(forKey: imageKey) else { return nil }
    switch caching.validity {
    case .immutable: break
    case .http: guard isFresh(pixels, at: cache.now) else { return nil }
    case .refreshing: guard isHTTP else { return nil }
    }
    var metrics = timeline
    metrics.lookup = (metrics.lookup ?? .zero) + start.duration(to: .now)
    let transforms = transforms
    return LoadedImage(
      pixels, origin: .memory, request: self, metrics: metrics,
      appliedTransforms: transforms.isEmpty ? [] : transforms.map(\.key))
  }

  private func isFresh(_ pixels: CachedPixels, at now: Int) -> Bool {
    guard let response = pixels.response, isHTTP else { return false }
    guard mayBeAnswered(by: response) else { return false }
    let verdict = HTTPFreshness(response).verdict(requestHeaders: sentFields, now: now)
    if case .fresh = verdict { return true }
    return false
  }

  /// What is sent to its server, as far as caches know; what hooks change is not known to them.
  var sentFields: [HeaderField] { course.ownFields.replaced(by: transfer.headers) }

  /// Whether a stored response was chosen by fields that this request sends, too (RFC 9111, section
  /// 4.1). Which cookies are sent is known to the downloader only.
  func mayBeAnswered(by stored: StoredResponse) -> Bool {
    stored.matches(sentFields) && !(transfer.usesCookies && stored.varies(by: "cookie"))
  }

  /// Whether its source answers by HTTP.
  var isHTTP: Bool {
    guard case .url(let url) = source, let scheme = url.scheme?.lowercased() else { return false }
    return scheme == "http" || scheme == "https"
  }

  /// Whether its source is elsewhere, so that it is worth to remember what came of asking it.
  var isRemote: Bool {
    guard case .url(let url) = source, let scheme = url.scheme?.lowercased() else { return false }
    return scheme != "file" && scheme != "data"
  }
}

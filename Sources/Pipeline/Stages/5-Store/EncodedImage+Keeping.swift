extension EncodedImage {
  /// Whether caches may hold these bytes; a load by the server's words obeys what they forbid.
  func mayBeKept(for request: ImageRequest) -> Bool {
    guard request.isByServersWords, let response else { return true }
    return StoredResponse.mayStore(response, requestHeaders: request.sentFields)
  }

  /// The response of these bytes with the times it was had, `now` being when it was complete.
  func stored(for request: ImageRequest, at now: Int) -> StoredResponse? {
    guard let response else { return nil }
    // Bytes from the disk keep the times they were stored with.
    if let times { return times }
    let duration = Int((metrics?.lastByte ?? .zero).components.seconds)
    return StoredResponse(
      response: response, requestHeaders: request.sentFields, requestTime: now - duration,
      responseTime: now)
  }

  /// Writes bytes from the network to the disk tiers, where the request's next load looks. Blocks.
  ///
  /// Where they take the place of others, the bytes made of those are forgotten.
  /// - Returns: Whether that was so, so that the pixels made of them have to go, too.
  @discardableResult
  func keep(for request: ImageRequest, in cache: any ImageCaching) throws(CacheError) -> Bool {
    guard mayBeKept(for: request) else { return false }
    let key = RequestKeys(request).original
    let response = stored(for: request, at: cache.now)
    var variant = ""
    if request.isByServersWords, let response {
      variant = Self.variant(of: response, request, key, in: cache)
    }
    let takesPlace = variant.isEmpty && takesThePlace(of: key, request, in: cache)
    // Never without an original: who looks meanwhile finds the former one.
    try cache.store(bytes, response: response, forKey: key, variant: variant)
    if takesPlace { cache.removeVariants(ofKey: key) }
    return takesPlace
  }

  /// Whether the cache has another image under `key`, or may have what was made of one.
  private func takesThePlace(
    of key: String, _ request: ImageRequest, in cache: any ImageCaching
  ) -> Bool {
    // Nothing was there, so nothing is to be looked for.
    if verdict == .miss, !request.isByServersWords { return false }
    guard let former = try? cache.diskEntry(forKey: key) else { return verdict != .miss }
    return former.bytes != bytes
  }

  /// Beside what is stored for other request fields, when both were chosen by the same ones.
  private static func variant(
    of response: StoredResponse, _ request: ImageRequest, _ key: String, in cache: any ImageCaching
  ) -> String {
    let headers = request.sentFields
    let variant = response.variant(for: headers)
    guard !variant.isEmpty, let first = (try? cache.diskEntry(forKey: key))?.stored,
      !first.matches(headers)
    else { return "" }
    return first.variant(for: headers) == variant ? variant : ""
  }
}

/// What a look into the disk tiers came to.
enum StoredAnswer: Sendable {
  /// Nothing that may be used.
  case miss
  /// Nothing that may be used, and the request forbids to ask the source.
  case notCached
  /// The image's bytes.
  case bytes(EncodedImage)
  /// The subscriber has the image already, and it is good.
  case nothingNew
  /// The server is to be asked; before that, bytes that are delivered at once, if any.
  case ask(Revalidation, EncodedImage?)
  /// Another process fetches it.
  case wait(Duration)
  /// Nothing; this load fetches it for all processes.
  case claimed(FetchClaim)
}

extension ImageRequest {
  /// Looks into the disk tiers of `cache`. Blocks.
  func storedAnswer(in cache: any ImageCaching) -> StoredAnswer {
    let key = RequestKeys(self).original
    let answer = answer(in: cache, key: key)
    guard case .miss = answer, caching.allowsNetwork, isRemote else { return answer }
    switch cache.fetchTurn(forKey: key) {
    case .free: return .miss
    case .taken(let pause): return .wait(pause)
    case .mine(let claim):
      // Another process may have stored it between the look and the claim.
      let latest = self.answer(in: cache, key: key)
      if case .miss = latest { return .claimed(claim) }
      return latest
    }
  }

  private func answer(in cache: any ImageCaching, key: String) -> StoredAnswer {
    isByServersWords
      ? answerByServersWords(in: cache, key: key) : immutableAnswer(in: cache, key: key)
  }

  /// Whether what the cache may do is for the server to say.
  var isByServersWords: Bool { caching.validity != .immutable && isHTTP }

  private func immutableAnswer(in cache: any ImageCaching, key: String) -> StoredAnswer {
    // A disk that can not be read is a miss; the cache counts and reports its own trouble.
    guard let entry = try? cache.diskEntry(forKey: key) else { return .miss }
    let stored = entry.stored
    var encoded = EncodedImage(bytes: entry.bytes, response: stored?.response, origin: .disk)
    encoded.verdict = .fresh
    encoded.times = stored
    return .bytes(encoded)
  }

  private func answerByServersWords(in cache: any ImageCaching, key: String) -> StoredAnswer {
    let headers = sentFields
    // Who asks with conditions of his own wants the server's answer to them.
    guard !headers.contains(where: { $0.name.lowercased().hasPrefix("if-") }) else { return .miss }
    guard let entry = storedEntry(in: cache, key: key) else { return missByServersWords }
    let verdict = HTTPFreshness(entry.response).verdict(requestHeaders: headers, now: cache.now)
    switch verdict {
    case .fresh(let age):
      if course.isShown { return .nothingNew }
      let isStale = age >= HTTPFreshness(entry.response).lifetime
      return .bytes(entry.encoded(isStale ? .stale : .fresh))
    case .staleWhileRevalidate(let conditions):
      if caching.validity == .refreshing { return refresh(entry, conditions) }
      guard caching.allowsNetwork else { return .bytes(entry.encoded(.stale)) }
      let upkeep = Revalidation(
        entry: entry, conditions: conditions, mayServeOnError: false, purpose: .upkeep)
      return .ask(upkeep, entry.encoded(.stale))
    case .revalidate(let conditions, let mayServeOnError):
      if caching.validity == .refreshing { return refresh(entry, conditions) }
      guard caching.allowsNetwork else { return .notCached }
      let answer = Revalidation(
        entry: entry, conditions: conditions, mayServeOnError: mayServeOnError, purpose: .answer)
      return .ask(answer, nil)
    case .fetch:
      if caching.validity == .refreshing { return refresh(entry, []) }
      guard caching.allowsNetwork else { return .notCached }
      let answer = Revalidation(
        entry: entry, conditions: [], mayServeOnError: false, purpose: .answer)
      return .ask(answer, nil)
    case .notCached: return .notCached
    }
  }

  /// What is stored now, unless it is shown already, and then a change.
  private func refresh(_ entry: StoredEntry, _ conditions: [HeaderField]) -> StoredAnswer {
    let stored = course.isShown ? nil : entry.encoded(.stale)
    guard caching.allowsNetwork else { return stored.map { .bytes($0) } ?? .nothingNew }
    let change = Revalidation(
      entry: entry, conditions: conditions, mayServeOnError: false, purpose: .change)
    return .ask(change, stored)
  }

  private var missByServersWords: StoredAnswer {
    if HTTPFreshness.verdictOnMiss(requestHeaders: sentFields) == .notCached {
      return .notCached
    }
    guard course.isShown else { return .miss }
    guard caching.allowsNetwork else { return .nothingNew }
    return .ask(
      Revalidation(entry: nil, conditions: [], mayServeOnError: false, purpose: .change), nil)
  }

  /// The stored response that answers these request fields.
  private func storedEntry(in cache: any ImageCaching, key: String) -> StoredEntry? {
    guard let first = storedEntry(in: cache, key: key, variant: "") else { return nil }
    if mayBeAnswered(by: first.response) { return first }
    let variant = first.response.variant(for: sentFields)
    guard let other = storedEntry(in: cache, key: key, variant: variant) else { return nil }
    return mayBeAnswered(by: other.response) ? other : nil
  }

  private func storedEntry(
    in cache: any ImageCaching, key: String, variant: String
  ) -> StoredEntry? {
    guard let entry = try? cache.diskEntry(forKey: key, variant: variant),
      let response = entry.stored,
      // Loads that trust one address to be one image keep what this cache must not.
      StoredResponse.mayStore(response.response, requestHeaders: [])
    else { return nil }
    return StoredEntry(
      bytes: entry.bytes, response: response, key: key, variant: variant, cache: cache)
  }
}

import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Puts bytes from the network into the disk tiers, as their requests allow, and passes them on:
  /// the store stage of chains that do not decode.
  ///
  /// Bytes that none of `decoders` takes are not kept. Delivers bytes after they are written where
  /// the request waits for that, else at once. Trouble of the disk does not fail the load; cancel does
  /// not stop a write.
  public func storeBytes(
    in cache: (any ImageCaching)?, decodableBy decoders: DecoderRegistry = .standard,
    on workers: WorkerPool = .files
  ) -> some Publisher<LoadEvent, LoadError> {
    storeBytes(in: cache, decodableBy: decoders, on: workers, telling: nil)
  }

  /// `storeBytes(in:)` that tells of what it stores.
  func storeBytes(
    in cache: (any ImageCaching)?, decodableBy decoders: DecoderRegistry,
    on workers: WorkerPool = .files, telling stores: StoresUnderWay?
  ) -> Stage<Self> {
    eventsAnswered { event in
      guard case .encoded(let encoded, var request) = event, encoded.isComplete, let cache,
        encoded.origin == .network, request.caching.write.contains(.disk),
        (try? decoders.decoder(for: encoded.bytes.prefix(FormatSniffer.wantedByteCount))) != nil
      else { return .event(event) }
      let claim = request.course.claim
      request.course.claim = nil
      let passed = request
      let writing = stores.announcing(encoded, for: request) {
        // Best effort: the bytes are at hand; the cache counts and reports its own trouble.
        let takesPlace = try? encoded.keep(for: passed, in: cache)
        if takesPlace == true || encoded.verdict == .changed {
          cache.removePixels(madeFrom: RequestKeys(passed).original)
        }
      }
      let write: @Sendable (CancellationFlag) -> LoadEvent = { _ in
        writing()
        withExtendedLifetime(claim) {}
        return .encoded(encoded, for: passed)
      }
      guard request.caching.waitsForStore else {
        workers.submit(priority: .low) { _ = write($0) }
        return .event(.encoded(encoded, for: passed))
      }
      return .events(
        workers.publisher(priority: request.priority, write)
          .setFailureType(to: LoadError.self).eraseToAnyPublisher())
    }
  }
}

import Flow
import Synchronization

/// What a pipeline's loads have just put into its caches, or are about to.
///
/// A load that looked into memory a moment before an equal one stored there, and began when that had
/// left, would fetch the picture again: by this it knows to look once more, and finds bytes that
/// are still on their way to the disk.
final class StoresUnderWay: Sendable {
  private struct State {
    var lastNumber = 0
    var entries: [String: (number: Int, bytes: EncodedImage)] = [:]
  }

  private let state = Mutex(State())
  private let memoryStores = Atomic(0)

  /// How often pixels were put into memory so far.
  var memoryStoreCount: Int { memoryStores.load(ordering: .acquiring) }

  /// Pixels were put into memory.
  func noteMemoryStore() { memoryStores.add(1, ordering: .acquiringAndReleasing) }

  /// The bytes under `key`, while they are on their way to the disk.
  func bytes(forKey key: String) -> EncodedImage? { state.withLock { $0.entries[key]?.bytes } }

  /// Tells of bytes that are about to be written. Returns what is to be called when they are there,
  /// or could not be written.
  func announce(
    _ encoded: EncodedImage, for request: ImageRequest
  ) -> (@Sendable () -> Void)? {
    guard encoded.origin == .network, request.caching.write.contains(.disk),
      !request.isByServersWords
    else { return nil }
    var bytes = EncodedImage(bytes: encoded.bytes, response: encoded.response, origin: .disk)
    bytes.verdict = .fresh
    let (key, entry) = (request.keys.original, bytes)
    let number = state.withLock { state in
      state.lastNumber += 1
      state.entries[key] = (state.lastNumber, entry)
      return state.lastNumber
    }
    return { self.end(number, forKey: key) }
  }

  private func end(_ number: Int, forKey key: String) {
    let arrived = state.withLock { state in
      state.entries[key]?.number == number ? state.entries.removeValue(forKey: key) : nil
    }
    withExtendedLifetime(arrived) {}
  }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// `cacheLookup(in:tiers:)` that finds what is on its way to the disk, too.
  func cacheLookup(
    in cache: (any ImageCaching)?, tiers: CacheTiers, orUnderWay stores: StoresUnderWay
  ) -> CacheLookup<Self> {
    var stage = cacheLookup(in: cache, tiers: tiers)
    stage.underWay = stores
    return stage
  }

  /// `store(in:)` that tells of what it stores.
  func store(in cache: (any ImageCaching)?, telling stores: StoresUnderWay) -> Store<Self> {
    var stage = store(in: cache)
    stage.underWay = stores
    return stage
  }
}

import Flow
import Synchronization

/// What a pipeline's loads have just put into its caches, or are about to.
///
/// A load that looked into memory a moment before an equal one stored there, and began when that had
/// left, would fetch the picture again: by this it knows to look once more, and finds bytes that
/// are still on their way to the disk. And what is forgotten before it is written does not come back.
final class StoresUnderWay: Sendable {
  /// One write to the disk tiers, from its announcement to its end.
  final class Write: Sendable {
    private struct Course {
      var isVoid = false
      var isRunning = false
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    fileprivate let key: String
    fileprivate let number: Int
    private let course = Mutex(Course())

    fileprivate init(key: String, number: Int) {
      self.key = key
      self.number = number
    }

    fileprivate func makeVoid() { course.withLock { $0.isVoid = true } }

    /// Whether it may be done; it runs from then on.
    fileprivate func start() -> Bool {
      course.withLock { course in
        course.isRunning = !course.isVoid
        return course.isRunning
      }
    }

    fileprivate func finish() {
      let waiting = course.withLock { course in
        course.isRunning = false
        defer { course.waiting = [] }
        return course.waiting
      }
      for one in waiting { one.resume() }
    }

    /// Returns when it does not run, or no longer.
    fileprivate func isNotRunning() async {
      await withCheckedContinuation { continuation in
        let runs = course.withLock { course in
          if course.isRunning { course.waiting.append(continuation) }
          return course.isRunning
        }
        if !runs { continuation.resume() }
      }
    }
  }

  private struct State {
    var lastNumber = 0
    var writes: [String: [Write]] = [:]
    /// Bytes that answer others already, with the number of their write.
    var bytes: [String: (number: Int, encoded: EncodedImage)] = [:]
  }

  private let state = Mutex(State())
  private let memoryStores = Atomic(0)

  /// How often pixels were put into memory so far.
  var memoryStoreCount: Int { memoryStores.load(ordering: .acquiring) }

  /// Pixels were put into memory.
  func noteMemoryStore() { memoryStores.add(1, ordering: .acquiringAndReleasing) }

  /// The bytes under `key`, while they are on their way to the disk.
  func bytes(forKey key: String) -> EncodedImage? { state.withLock { $0.bytes[key]?.encoded } }

  /// Announces a write of what `request` has loaded.
  ///
  /// From then on others find bytes that came from the network, unless their server has a say in it.
  func begin(_ encoded: EncodedImage?, for request: ImageRequest) -> Write {
    let key = request.keys.original
    var visible: EncodedImage?
    if let encoded, encoded.origin == .network, request.caching.write.contains(.disk),
      !request.isByServersWords
    {
      visible = EncodedImage(bytes: encoded.bytes, response: encoded.response, origin: .disk)
      visible?.verdict = .fresh
    }
    let stored = visible
    return state.withLock { state in
      state.lastNumber += 1
      let write = Write(key: key, number: state.lastNumber)
      state.writes[key, default: []].append(write)
      if let stored { state.bytes[key] = (write.number, stored) }
      return write
    }
  }

  /// Does what was announced, unless it was forgotten meanwhile. Blocks.
  func perform(_ write: Write, _ body: () -> Void) {
    if write.start() { body() }
    end(write)
    write.finish()
  }

  /// What is on its way under `key` does not arrive. Returns when nothing of it is being written any
  /// more: what was being written can be removed then.
  func forget(_ key: String) async {
    for write in makeVoid(key) { await write.isNotRunning() }
  }

  /// Nothing that is on its way arrives; returns as `forget(_:)` does.
  func forgetAll() async {
    let keys = state.withLock { Array($0.writes.keys) }
    for write in keys.flatMap(makeVoid) { await write.isNotRunning() }
  }

  private func makeVoid(_ key: String) -> [Write] {
    let (writes, dropped) = state.withLock { state in
      (state.writes[key] ?? [], state.bytes.removeValue(forKey: key))
    }
    for write in writes { write.makeVoid() }
    withExtendedLifetime(dropped) {}
    return writes
  }

  private func end(_ write: Write) {
    let dropped = state.withLock { state in
      state.writes[write.key]?.removeAll { $0 === write }
      if state.writes[write.key]?.isEmpty == true { state.writes[write.key] = nil }
      return state.bytes[write.key]?.number == write.number
        ? state.bytes.removeValue(forKey: write.key) : nil
    }
    withExtendedLifetime(dropped) {}
  }
}

extension StoresUnderWay? {
  /// Announces a write, where there is somebody to tell. Returns what does it, and blocks.
  func announcing(
    _ encoded: EncodedImage?, for request: ImageRequest, _ body: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    guard let stores = self else { return body }
    let write = stores.begin(encoded, for: request)
    return { stores.perform(write, body) }
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

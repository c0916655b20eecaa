import Synchronization
import Testing

@testable import Pipeline

struct MemoryCacheTests {
  private func cache(cost: Int, count: Int = .max) -> MemoryCache<String, Int> {
    var limits = MemoryCache<String, Int>.Limits(cost: cost, count: count)
    limits.largestEntry = 1
    return MemoryCache(limits: limits)
  }

  @Test func `the least recently used value goes when the cost limit is passed`() {
    let cache = cache(cost: 3)
    for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { cache.store(value, cost: 1, for: key) }
    #expect(cache.value(for: "a") == 1)
    cache.store(4, cost: 1, for: "d")
    #expect(["a", "b", "c", "d"].map { cache.value(for: $0) } == [1, nil, 3, 4])
  }

  @Test func `the least recently used value goes when the count limit is passed`() {
    let cache = cache(cost: 1000, count: 2)
    for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { cache.store(value, cost: 1, for: key) }
    #expect(["a", "b", "c"].map { cache.contains($0) } == [false, true, true])
  }

  @Test func `one entry takes at most a tenth of the limit`() {
    let cache = MemoryCache<String, Int>(limits: .init(cost: 100))
    cache.store(1, cost: 10, for: "fits")
    cache.store(2, cost: 11, for: "too dear")
    #expect(cache.value(for: "fits") == 1)
    #expect(cache.value(for: "too dear") == nil)
  }

  @Test func `a value too dear to keep takes the old one with it`() {
    let cache = MemoryCache<String, Int>(limits: .init(cost: 100))
    cache.store(1, cost: 1, for: "a")
    cache.store(2, cost: 50, for: "a")
    #expect(cache.value(for: "a") == nil)
    #expect(cache.statistics.cost == 0)
  }

  @Test func `storing under a key again replaces value and cost`() {
    let cache = cache(cost: 100)
    cache.store(1, cost: 40, for: "a")
    cache.store(2, cost: 7, for: "a")
    #expect(cache.value(for: "a") == 2)
    #expect(cache.statistics.cost == 7)
    #expect(cache.statistics.count == 1)
  }

  @Test func `statistics count hits, misses and evictions`() {
    let cache = cache(cost: 2)
    cache.store(1, cost: 1, for: "a")
    _ = cache.value(for: "a")
    _ = cache.value(for: "b")
    cache.store(2, cost: 2, for: "b")
    let statistics = cache.statistics
    #expect([statistics.hits, statistics.misses, statistics.evictions] == [1, 1, 1])
  }

  @Test func `an entry is a miss from its age on, whatever its use`() {
    let now = Mutex(ContinuousClock.now)
    var limits = MemoryCache<String, Int>.Limits(cost: 10, age: .seconds(10))
    limits.largestEntry = 1
    let cache = MemoryCache<String, Int>(limits: limits, now: { now.withLock { $0 } })
    cache.store(1, cost: 1, for: "a")
    now.withLock { $0 += .seconds(9) }
    #expect(cache.value(for: "a") == 1)
    now.withLock { $0 += .seconds(1) }
    #expect(cache.value(for: "a") == nil)
    #expect(cache.statistics.count == 0)
  }

  @Test func `a lower limit takes effect at once`() {
    let cache = cache(cost: 10)
    for key in 0..<10 { cache.store(key, cost: 1, for: "\(key)") }
    cache.limits.cost = 4
    #expect(cache.statistics.count == 4)
    #expect(cache.contains("9"))
  }

  @Test(arguments: [0, -1, .min]) func `a limit of nothing keeps nothing`(cost: Int) {
    let cache = cache(cost: cost)
    cache.store(1, cost: 1, for: "a")
    #expect(cache.value(for: "a") == nil)
  }

  @Test func `an image somebody still holds is found after eviction`() {
    let cache = ImageCache.imageMemory(limit: 4000)
    var held: DecodedImage? = image()
    if let held { cache.store(CachedPixels(held), cost: held.byteCount, for: "a") }
    cache.trim(toCost: 0)
    #expect(cache.statistics.count == 0)
    #expect(cache.value(for: "a")?.image.bitmap == held?.bitmap)
    #expect(cache.statistics.weakHits == 1)
    held = nil
    #expect(cache.value(for: "a") == nil)
  }

  @Test func `a removed image is not found, also while somebody holds it`() {
    let cache = ImageCache.imageMemory(limit: 4000)
    let held = image()
    cache.store(CachedPixels(held), cost: held.byteCount, for: "a")
    cache.remove("a")
    #expect(cache.value(for: "a") == nil)
    withExtendedLifetime(held) {}
  }

  @Test func `an image too old is not found, also while somebody holds it`() {
    let now = Mutex(ContinuousClock.now)
    let cache = MemoryCache<String, CachedPixels>(
      limits: .init(cost: 4000, age: .seconds(10)), weakly: { $0.weakReference },
      now: { now.withLock { $0 } })
    let held = image()
    for key in ["expired", "evicted"] {
      cache.store(CachedPixels(held), cost: held.byteCount, for: key)
    }
    #expect(cache.value(for: "expired") != nil)
    now.withLock { $0 += .seconds(9) }
    cache.trim(toCost: held.byteCount)
    #expect(cache.value(for: "evicted") != nil && cache.statistics.weakHits == 1)
    now.withLock { $0 += .seconds(1) }
    for key in ["expired", "evicted"] {
      #expect(cache.value(for: key) == nil)
      #expect(cache.value(for: key) == nil && !cache.contains(key))
    }
    withExtendedLifetime(held) {}
  }

  @Test func `an image held after eviction is forgotten once its key is stored anew`() {
    let cache = ImageCache.imageMemory(limit: 4000)
    let (former, later) = (image(), image())
    cache.store(CachedPixels(former), cost: former.byteCount, for: "a")
    cache.trim(toCost: 0)
    // Too dear to be kept, but held.
    cache.store(CachedPixels(later), cost: 1 << 20, for: "a")
    #expect(cache.value(for: "a")?.image.bitmap.storage === later.bitmap.storage)
    withExtendedLifetime(former) {}
  }

  @Test func `part of a picture that is found after eviction is known for a part`() {
    let cache = ImageCache.imageMemory(limit: 4000)
    let held = DecodedImage(bitmap: image().bitmap, format: .png, isComplete: false)
    cache.store(CachedPixels(held), cost: held.byteCount, for: "a")
    cache.trim(toCost: 0)
    #expect(cache.value(for: "a")?.image.isComplete == false)
    withExtendedLifetime(held) {}
  }

  @Test func `many threads keep the cost within the limit`() async {
    let cache = cache(cost: 50)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<500 {
            let key = "\((step * 7 + task) % 100)"
            if cache.value(for: key) == nil { cache.store(step, cost: 1, for: key) }
          }
        }
      }
    }
    let statistics = cache.statistics
    #expect(statistics.cost == 50 && statistics.count == 50)
    #expect(statistics.hits + statistics.misses == 4000)
  }

  private func image() -> DecodedImage {
    DecodedImage(
      bitmap: Bitmap(size: PixelSize(width: 5, height: 5), color: .clear), format: .png)
  }
}

import Foundation
import Testing

@testable import Pipeline

struct DiskCacheTests {
  let folder = TemporaryFolder()
  let time = WallClock()

  private func bytes(_ count: Int, seed: Int = 1) -> ImageBytes {
    ImageBytes((0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) &+ seed) })
  }

  private func configuration(
    _ change: (inout DiskCacheConfiguration) -> Void = { _ in }
  ) -> DiskCacheConfiguration {
    var configuration = DiskCacheConfiguration()
    change(&configuration)
    return configuration
  }

  @Test(arguments: [0, 1, 63, 64, 1000, 131_000, 1_000_000])
  func `bytes come back as they were stored, also by another opening`(count: Int) throws {
    let stored = bytes(count)
    try DiskCache(folder: folder.path).store(stored, for: "key")
    let found = try DiskCache(folder: folder.path).entry(for: "key")
    #expect(found?.bytes == stored)
  }

  @Test func `the response comes back with the bytes`() throws {
    let url = try #require(URL(string: "http://example.com/ä b.png?x=1".encoded))
    let response = ImageResponse(
      url: url, status: 203,
      headers: [
        HeaderField(name: "ETag", value: "\"a\""), HeaderField(name: "Vary", value: "Accept"),
      ], protocolName: "HTTP/2")
    let stored = StoredResponse(
      response: response, requestHeaders: [HeaderField(name: "Accept", value: "image/webp")],
      requestTime: 17, responseTime: 19)
    let cache = try DiskCache(folder: folder.path)
    try cache.store(bytes(10), response: stored, for: "key")
    #expect(try cache.entry(for: "key")?.stored == stored)
    #expect(try cache.entry(for: "key")?.response == response)
    try cache.store(bytes(10), for: "key")
    #expect(try cache.entry(for: "key")?.response == nil)
  }

  @Test func `a key that was not stored is a miss and counted`() throws {
    let cache = try DiskCache(folder: folder.path)
    #expect(try cache.entry(for: "nothing") == nil)
    #expect(cache.statistics.misses == 1)
  }

  @Test(arguments: [
    "", "a\0b", "../../etc/passwd", "ключ/🙂", String(repeating: "k", count: 10_240),
  ])
  func `any text can be a key and stays inside the folder`(key: String) throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(bytes(5), for: key)
    #expect(try cache.entry(for: key)?.bytes == bytes(5))
    #expect(cache.path(for: key).hasPrefix(folder.path + "/entries/"))
    #expect(folder.files(in: "entries").count == 1)
  }

  @Test func `storing again replaces bytes and count`() throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(bytes(5000), for: "key")
    try cache.store(bytes(10), for: "key")
    #expect(try cache.entry(for: "key")?.bytes == bytes(10))
    #expect(cache.statistics.entryCount == 1)
    #expect(cache.statistics.byteCount == fileSizes())
  }

  @Test func `removing an original removes its variants and no other`() throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(bytes(1), for: "a")
    try cache.store(bytes(2), for: "a", variant: "small")
    try cache.store(bytes(3), for: "b")
    cache.remove("a")
    #expect(try cache.entry(for: "a") == nil)
    #expect(try cache.entry(for: "a", variant: "small") == nil)
    #expect(try cache.entry(for: "b")?.bytes == bytes(3))
    #expect(cache.statistics.entryCount == 1)
  }

  @Test func `removing all leaves nothing and the cache goes on`() throws {
    let cache = try DiskCache(folder: folder.path)
    for key in 0..<20 { try cache.store(bytes(100), for: "\(key)") }
    try cache.removeAll()
    #expect(cache.statistics.entryCount == 0 && cache.statistics.byteCount == 0)
    #expect(try cache.entry(for: "3") == nil)
    try cache.store(bytes(7), for: "3")
    #expect(try cache.entry(for: "3")?.bytes == bytes(7))
    cache.flush()
    #expect(folder.files(in: "temporary").isEmpty)
    #expect(folder.files(in: "entries").count == 1)
  }

  @Test func `passing the size limit trims the least recently used to seven tenths`() throws {
    let cache = try DiskCache(
      folder: folder.path,
      configuration: configuration {
        $0.maximumSize = 100_000
        $0.now = { [time] in time.now }
      })
    for key in 0..<10 {
      try cache.store(bytes(9_000), for: "\(key)")
      time.advance(10_000_000_000)
    }
    _ = try cache.entry(for: "0")
    time.advance(10_000_000_000)
    try cache.store(bytes(9_000), for: "10")
    try cache.store(bytes(9_000), for: "11")
    cache.flush()
    #expect(cache.statistics.byteCount <= 70_000)
    #expect(cache.statistics.byteCount == fileSizes())
    #expect(cache.contains("0") && cache.contains("11"))
    #expect(!cache.contains("1") && !cache.contains("2"))
  }

  @Test func `R086: many stores in one go stay at the limit after a flush`() throws {
    let cache = try DiskCache(
      folder: folder.path, configuration: configuration { $0.maximumSize = 1_000_000 })
    for key in 0..<50 {
      try cache.store(bytes(200_000), for: "\(key)")
      #expect(fileSizes() <= 1_050_000 + 200_100)
    }
    cache.flush()
    #expect(fileSizes() <= 1_000_000)
    #expect(cache.contains("49") && !cache.contains("0"))
  }

  @Test func `an entry nobody used for the lifetime is a miss and removed`() throws {
    let cache = try aging(.sinceLastUse(.seconds(7 * 24 * 3600)))
    try cache.store(bytes(5), for: "key")
    time.advance(7 * 24 * 3600 * 1_000_000_000)
    #expect(try cache.entry(for: "key") != nil)
    time.advance(7 * 24 * 3600 * 1_000_000_000 + 1)
    #expect(try cache.entry(for: "key") == nil)
    #expect(cache.statistics.expired == 1)
    #expect(cache.statistics.entryCount == 0)
  }

  @Test func `R088: use prolongs a life counted from last use and no other`() throws {
    let byUse = try aging(.sinceLastUse(.seconds(2)))
    try byUse.store(bytes(5), for: "use")
    let byStoring = try aging(.sinceStoring(.seconds(2)))
    try byStoring.store(bytes(5), for: "storing")
    var found: [Bool] = []
    for _ in 0..<5 {
      time.advance(1_000_000_000)
      #expect(try byUse.entry(for: "use") != nil)
      byUse.flush()
      found.append(try byStoring.entry(for: "storing") != nil)
    }
    #expect(found == [true, true, false, false, false])
  }

  @Test func `trimming removes what is too old`() throws {
    let cache = try aging(.sinceLastUse(.seconds(10)))
    try cache.store(bytes(5), for: "old")
    time.advance(9_000_000_000)
    try cache.store(bytes(5), for: "young")
    time.advance(2_000_000_000)
    cache.trim()
    #expect(!cache.contains("old") && cache.contains("young"))
  }

  @Test func `B214: what is too old goes by itself, once an hour of stores`() throws {
    let cache = try aging(.sinceLastUse(.seconds(10)))
    try cache.store(bytes(5), for: "old")
    time.advance(3_000_000_000_000)
    try cache.store(bytes(5), for: "within the hour")
    cache.flush()
    #expect(cache.contains("old"))
    time.advance(601_000_000_000)
    try cache.store(bytes(5), for: "young")
    cache.flush()
    #expect(!cache.contains("old") && !cache.contains("within the hour"))
    #expect(cache.contains("young") && cache.statistics.entryCount == 1)
  }

  @Test func `a cache larger than its limit takes no entry that is larger still`() throws {
    let cache = try DiskCache(
      folder: folder.path, configuration: configuration { $0.maximumSize = 1000 })
    #expect(throws: CacheError.self) { try cache.store(bytes(2000), for: "key") }
    #expect(folder.files(in: "entries").isEmpty && folder.files(in: "temporary").isEmpty)
  }

  private func aging(_ lifetime: DiskCacheConfiguration.Lifetime) throws -> DiskCache {
    try DiskCache(
      folder: folder.path,
      configuration: configuration {
        $0.lifetime = lifetime
        $0.now = { [time] in time.now }
      })
  }

  private func fileSizes() -> Int {
    folder.files(in: "entries").reduce(0) { sum, file in
      let path = folder.path + "/entries/" + file
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return sum + (size ?? 0)
    }
  }
}

extension String {
  fileprivate var encoded: String {
    addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? self
  }
}

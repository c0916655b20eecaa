import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Disks that are full, may not be written, or belong to somebody else.
@Suite(.timeLimit(.minutes(1))) struct DiskTroubleTests {
  private let folder = TemporaryFolder()

  @Test(.enabled(if: SmallDisk.isPermitted))
  func `on a full disk stores fail whole, what is there stays good, and loads go on`() async throws
  {
    let disk = try SmallDisk(kilobytes: 1024)
    let cache = try DiskCache(folder: disk.path + "/cache")
    let bytes = ImageBytes([UInt8](repeating: 7, count: 100_000))
    var stored = 0
    while (try? cache.store(bytes, for: "\(stored)")) != nil { stored += 1 }
    #expect(stored > 4 && stored < 11)
    #expect(cache.statistics.failures == 1 && cache.statistics.entryCount == stored)
    guard case .notWritten = cache.statistics.lastFailure else {
      Issue.record("the failure is not told")
      return
    }
    for key in 0..<stored { #expect(try cache.entry(for: "\(key)")?.bytes == bytes) }
    let left = try FileManager.default.contentsOfDirectory(atPath: cache.path + "/temporary")
    #expect(left.isEmpty)

    let fixture = try PipelineFixture(disk: cache)
    let picture = PipelineFixture.png + [UInt8](repeating: 0, count: 150_000)
    fixture.server.serve("/a.png", picture)
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.caching.waitsForStore = true
    #expect(try await fixture.pipeline.image(for: request).origin == .network)
    #expect(cache.statistics.failures == 2)
    cache.remove("0")
    cache.remove("1")
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request).origin == .network)
    fixture.cache.memory?.removeAll()
    #expect(try await fixture.pipeline.image(for: request).origin == .disk)
  }

  @Test func `in a folder that may not be written entries are read, and all else fails in words`()
    throws
  {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(ImageBytes([1, 2, 3]), for: "a")
    try setPermissions(folders: 0o555, files: 0o444)
    defer { try? setPermissions(folders: 0o700, files: 0o600) }
    try asNobody { () throws in
      #expect(try cache.entry(for: "a")?.bytes == ImageBytes([1, 2, 3]))
      #expect(throws: CacheError.self) { try cache.store(ImageBytes([4]), for: "b") }
      cache.remove("a")
      cache.trim()
      #expect(throws: CacheError.self) { try cache.removeAll() }
      #expect(try cache.entry(for: "a")?.bytes == ImageBytes([1, 2, 3]))
      #expect(throws: CacheError.self) { try DiskCache(folder: folder.path) }
    }
    #expect(cache.statistics.failures == 1 && cache.statistics.entryCount == 1)
  }

  @Test(arguments: [
    "thesis.txt", "temporary/thesis.txt", "entries/00/thesis.txt", "totals", "lock",
  ])
  func `a folder that holds other things is refused, and left as it is`(name: String) throws {
    let file = URL(fileURLWithPath: folder.path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("thesis".utf8).write(to: file)
    #expect(throws: CacheError.self) { try DiskCache(folder: folder.path) }
    #expect(try Data(contentsOf: file) == Data("thesis".utf8))
    try FileManager.default.removeItem(at: file)
    if name.contains("/00/") {
      try FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }
    // An opening that was killed before its end is no other thing.
    _ = try DiskCache(folder: folder.path)
    _ = try DiskCache(folder: folder.path)
  }

  @Test(arguments: ["", ".", "..", "a/b", "../a", "a\0b"])
  func `a cache's name is one part of a path, and its folder one that has a name`(name: String) {
    #expect(throws: CacheError.self) { try ImageCache(named: name) }
    if name.isEmpty || name.utf8.contains(0) {
      #expect(throws: CacheError.self) { try DiskCache(folder: name) }
    }
  }

  @Test(arguments: [-10_000_000_000, 13_000_000_000, -1, 0])
  func `an entry whose file has any date is found, counted and trimmed`(seconds: Int) throws {
    var configuration = DiskCacheConfiguration()
    configuration.lifetime = .unlimited
    configuration.maximumSize = 3000
    let cache = try DiskCache(folder: folder.path, configuration: configuration)
    let bytes = ImageBytes([UInt8](repeating: 1, count: 1000))
    try cache.store(bytes, for: "a")
    var times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
    #expect(utimensat(AT_FDCWD, cache.path(for: "a"), &times, 0) == 0)
    try cache.store(bytes, for: "b")
    cache.trim()
    #expect(try cache.entry(for: "a")?.bytes == bytes)
    cache.flush()
    try cache.store(bytes, for: "c")
    cache.flush()
    #expect(cache.statistics.evictions > 0 && cache.statistics.byteCount <= 3000)
    var aging = DiskCacheConfiguration()
    aging.lifetime = .sinceStoring(.seconds(1 << 62))
    _ = try DiskCache(folder: folder.path, configuration: aging).entry(for: "c")
  }

  @Test func `a folder removed while loads run costs its entries and no load`() async throws {
    let fixture = try PipelineFixture(disk: DiskCache(folder: folder.path))
    fixture.server.serve("/a.png", PipelineFixture.png)
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.caching.waitsForStore = true
    for _ in 0..<3 {
      #expect(try await fixture.pipeline.image(for: request).origin == .network)
      fixture.cache.memory?.removeAll()
      #expect(try await fixture.pipeline.image(for: request).origin == .disk)
      fixture.cache.memory?.removeAll()
      try FileManager.default.removeItem(atPath: folder.path)
    }
  }

  @Test func `what a read-only folder has is found after this one's own, and left as it is`() throws
  {
    let shipped = TemporaryFolder()
    let source = try DiskCache(folder: shipped.path)
    for key in ["a", "b", "c"] { try source.store(ImageBytes([1]), for: key) }
    let damaged = URL(fileURLWithPath: source.path(for: "c"))
    try Data([9, 9]).write(to: damaged)
    var configuration = DiskCacheConfiguration()
    configuration.readOnlyFolders = [folder.path + "/not there", shipped.path]
    let cache = try DiskCache(folder: folder.path, configuration: configuration)
    try cache.store(ImageBytes([2]), for: "b")
    #expect(try cache.entry(for: "a")?.bytes == ImageBytes([1]))
    #expect(try cache.entry(for: "b")?.bytes == ImageBytes([2]))
    #expect(try cache.entry(for: "c") == nil)
    cache.remove("a")
    #expect(try cache.entry(for: "a")?.bytes == ImageBytes([1]))
    #expect(try Data(contentsOf: damaged) == Data([9, 9]))
    #expect(cache.statistics.damaged == 0 && cache.statistics.entryCount == 1)
  }

  @Test func `every file can be listed, and checking removes what is no entry`() throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(ImageBytes([1]), for: "http://h/a.jpg")
    try cache.store(ImageBytes([2]), for: "http://h/a.jpg", variant: "small")
    try cache.store(ImageBytes([3]), for: "b")
    try Data([1, 2]).write(to: URL(fileURLWithPath: cache.path(for: "b")))
    // Good bytes under a name that is not theirs.
    let stranger = cache.path(for: "http://h/a.jpg") + "x"
    try FileManager.default.copyItem(atPath: cache.path(for: "http://h/a.jpg"), toPath: stranger)
    var listed: [ListedEntry] = []
    cache.forEachEntry { listed.append($0) }
    #expect(listed.count == 4)
    #expect(Set(listed.compactMap(\.key)) == ["http://h/a.jpg"])
    #expect(Set(listed.filter { $0.key != nil }.map(\.variant)) == ["", "small"])
    #expect(Set(listed.filter { $0.key == nil }.map(\.path)) == [cache.path(for: "b"), stranger])
    #expect(cache.verify() == (whole: 2, removed: 2))
    #expect(cache.verify() == (whole: 2, removed: 0))
    #expect(folder.files(in: "entries").count == 2)
  }

  @Test(arguments: [
    ("http://a/b.PNG?c=d.e", ".png"), ("http://a/b.jpeg#x.y", ".jpeg"), ("http://a.b/c", ""),
    ("a.b/c", ""), ("x.toolongtail", ""), ("x.p-g", ""), ("x.", ""), ("", ""), (".gif", ".gif"),
    ("http://a/b.webp\u{1F}as 0.1", ".webp"),
  ])
  func `files end like the path of their key, variants too`(key: String, ending: String) throws {
    let cache = try DiskCache(folder: folder.path)
    for variant in ["", "v"] {
      let name = cache.path(for: key, variant: variant).split(separator: "/").last ?? ""
      #expect(name.drop { $0 != "." } == ending)
    }
    #expect(
      cache.path(for: key, variant: "v").hasPrefix(
        cache.path(for: key).dropLast(ending.count) + "-"))
  }

  private func setPermissions(folders: Int, files: Int) throws {
    let isFolder = [FileAttributeType.typeDirectory]
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    for path in [folder.path] + names.map({ folder.path + "/" + $0 }) {
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      try FileManager.default.setAttributes(
        [.posixPermissions: type.map(isFolder.contains) == true ? folders : files],
        ofItemAtPath: path)
    }
  }

  /// Root may write everywhere, so for a moment this thread is somebody else to the file system; other
  /// threads run other tests.
  private func asNobody(_ body: () throws -> Void) throws {
    typealias Call = @convention(c) (uid_t) -> Int32
    let isRoot = geteuid() == 0
    let call = isRoot ? unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: Call.self) : nil
    _ = call?(65534)
    defer { _ = call?(0) }
    try body()
  }
}

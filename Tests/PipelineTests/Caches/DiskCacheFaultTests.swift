import Foundation
import Testing

@testable import Pipeline

struct DiskCacheFaultTests {
  let folder = TemporaryFolder()

  enum Damage: CaseIterable {
    case noise, flippedKeyByte, flippedBodyByte, flippedLastByte, cutHeader, cutBody, empty, longer
    case foreignVersion, folderInItsPlace, linkOut

    func apply(to path: String) throws {
      let url = URL(fileURLWithPath: path)
      var data = try Data(contentsOf: url)
      switch self {
      case .noise: data = Data((0..<data.count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) })
      case .flippedKeyByte: data[57] ^= 1
      case .flippedBodyByte: data[200] ^= 0x80
      case .flippedLastByte: data[data.count - 1] ^= 1
      case .cutHeader: data = data.prefix(30)
      case .cutBody: data = data.prefix(300)
      case .empty: data = Data()
      case .longer: data.append(0)
      case .foreignVersion: data[7] = 99
      case .folderInItsPlace, .linkOut:
        try FileManager.default.removeItem(at: url)
        if self == .linkOut {
          try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "/etc/hostname")
        } else {
          try FileManager.default.createDirectory(
            atPath: path + "/inner", withIntermediateDirectories: true)
        }
        return
      }
      try data.write(to: url)
    }
  }

  @Test(arguments: Damage.allCases)
  func `a damaged entry is a miss, removed, and can be stored again`(damage: Damage) throws {
    let cache = try DiskCache(folder: folder.path)
    let bytes = ImageBytes([UInt8](repeating: 7, count: 1000))
    try cache.store(bytes, for: "key")
    try damage.apply(to: cache.path(for: "key"))
    #expect(try cache.entry(for: "key") == nil)
    #expect(cache.statistics.damaged == 1)
    #expect(!FileManager.default.fileExists(atPath: cache.path(for: "key")))
    try cache.store(bytes, for: "key")
    #expect(try cache.entry(for: "key")?.bytes == bytes)
  }

  @Test func `every flipped byte and every cut is a miss, and no other bytes come back`() throws {
    let cache = try DiskCache(folder: folder.path)
    let bytes = ImageBytes([UInt8](repeating: 7, count: 150))
    try cache.store(bytes, for: "key")
    let url = URL(fileURLWithPath: cache.path(for: "key"))
    let whole = try Data(contentsOf: url)
    for position in whole.indices {
      var flipped = whole
      flipped[position] ^= UInt8(1 << (position % 8))
      for damaged in [flipped, whole.prefix(position)] {
        try damaged.write(to: url)
        #expect(try cache.entry(for: "key") == nil)
      }
    }
    try whole.write(to: url)
    #expect(try cache.entry(for: "key")?.bytes == bytes)
    #expect(cache.statistics.damaged == whole.count * 2)
  }

  @Test(arguments: [nil, Rot()] as [Rot?])
  func `two keys of one name never answer for each other`(cipher: Rot?) throws {
    var configuration = DiskCacheConfiguration()
    configuration.cipher = cipher
    configuration.digest = { _ in .zero }
    let cache = try DiskCache(folder: folder.path, configuration: configuration)
    let (one, other) = (ImageBytes([1]), ImageBytes([2]))
    #expect(cache.path(for: "a") == cache.path(for: "b"))
    try cache.store(one, for: "a")
    #expect(try cache.entry(for: "b") == nil)
    #expect(try cache.entry(for: "a")?.bytes == one)
    try cache.store(other, for: "b")
    #expect(try cache.entry(for: "b")?.bytes == other)
    #expect(try cache.entry(for: "a") == nil)
    try cache.store(one, for: "a", variant: "v")
    #expect(try cache.entry(for: "b", variant: "v") == nil)
    #expect(try cache.entry(for: "a", variant: "w") == nil)
    #expect(try cache.entry(for: "a", variant: "v")?.bytes == one)
    #expect(cache.statistics.damaged == 0 && cache.statistics.entryCount == 2)
  }

  /// Turns every byte around: no cipher, but nothing stays readable.
  struct Rot: EntryCipher {
    func seal(_ bytes: [UInt8]) -> [UInt8] { bytes.map { ~$0 } }
    func open(_ sealed: ImageBytes) -> [UInt8] { sealed.prefix(.max).map { ~$0 } }
  }

  @Test(arguments: [("a\0b", ""), ("a", "b"), ("a\0b", "c"), ("a", "b\0c"), ("", "")])
  func `entries are listed under their own keys, zero bytes in them or not`(
    key: String, variant: String
  ) throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(ImageBytes([1]), for: key, variant: variant)
    var listed: [ListedEntry] = []
    cache.forEachEntry { listed.append($0) }
    #expect(listed.map(\.key) == [key] && listed.map(\.variant) == [variant])
    #expect(cache.verify() == (whole: 1, removed: 0))
  }

  @Test func `R084: a folder removed while running is made anew by the next store`() throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(ImageBytes([1]), for: "a")
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(try cache.entry(for: "a") == nil)
    try cache.store(ImageBytes([2]), for: "b")
    #expect(try cache.entry(for: "b")?.bytes == ImageBytes([2]))
    #expect(cache.statistics.entryCount == 1)
  }

  @Test func `a folder that can not be made is a typed error with its path`() throws {
    let file = folder.path + "-file"
    try Data([1]).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect {
      try DiskCache(folder: file + "/cache")
    } throws: { error in
      guard case CacheError.unusableFolder(let path, _) = error else { return false }
      return path == file + "/cache"
    }
  }

  @Test func `a store that can not rename leaves nothing and keeps what was there`() throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(ImageBytes([1]), for: "a")
    let bucket = URL(fileURLWithPath: cache.path(for: "a")).deletingLastPathComponent().path
    try FileManager.default.moveItem(atPath: bucket, toPath: bucket + "-aside")
    try Data([0]).write(to: URL(fileURLWithPath: bucket))
    #expect(throws: CacheError.self) { try cache.store(ImageBytes([2]), for: "a") }
    #expect(folder.files(in: "temporary").isEmpty)
    try FileManager.default.removeItem(atPath: bucket)
    try FileManager.default.moveItem(atPath: bucket + "-aside", toPath: bucket)
    #expect(try cache.entry(for: "a")?.bytes == ImageBytes([1]))
  }

  @Test func `leftovers of killed writers are removed at the next opening`() throws {
    _ = try DiskCache(folder: folder.path)
    let leftover = folder.path + "/temporary/abc"
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: leftover))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/temporary/trash/00", withIntermediateDirectories: true)
    let cache = try DiskCache(folder: folder.path)
    cache.flush()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/temporary")
    #expect(left.isEmpty)
  }

  @Test func `a file somebody is still writing survives an opening`() throws {
    _ = try DiskCache(folder: folder.path)
    let path = folder.path + "/temporary/abc"
    try Data([1]).write(to: URL(fileURLWithPath: path))
    let writer = try OpenFile(path, 0)
    let isLocked = writer.lock(waiting: false)
    #expect(isLocked)
    _ = try DiskCache(folder: folder.path)
    #expect(FileManager.default.fileExists(atPath: path))
    writer.unlock()
  }

  @Test(arguments: [8, 16, 24, 32, 40, 32 + 255 * 16, 0])
  func `damaged totals are counted anew`(offset: UInt64) throws {
    let cache = try DiskCache(folder: folder.path)
    for key in 0..<600 { try cache.store(ImageBytes([1, 2, 3]), for: "\(key)") }
    let right = cache.statistics
    for damage in [Int64.min, .max, -1, 1 << 60, 12_345] {
      let handle = try #require(FileHandle(forUpdatingAtPath: folder.path + "/totals"))
      try handle.seek(toOffset: offset)
      try handle.write(contentsOf: withUnsafeBytes(of: damage.littleEndian) { Data($0) })
      try handle.close()
      _ = cache.statistics
      try cache.store(ImageBytes([4, 5, 6]), for: "1")
      cache.trim()
      let opened = try DiskCache(folder: folder.path)
      for statistics in [cache.statistics, opened.statistics] {
        #expect(statistics.byteCount == right.byteCount)
        #expect(statistics.entryCount == right.entryCount)
      }
    }
  }

  @Test func `totals that were lost or left half-way are counted anew`() throws {
    let cache = try DiskCache(folder: folder.path)
    for key in 0..<30 { try cache.store(ImageBytes([1, 2, 3]), for: "\(key)") }
    let right = cache.statistics.byteCount
    try FileManager.default.removeItem(atPath: folder.path + "/totals")
    #expect(try DiskCache(folder: folder.path).statistics.byteCount == right)
    // As a writer leaves it that dies between its mark and its count.
    let handle = try #require(FileHandle(forUpdatingAtPath: folder.path + "/totals"))
    try handle.seek(toOffset: 8)
    try handle.write(contentsOf: Data([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
    try handle.write(contentsOf: Data([1, 0, 0, 0, 0, 0, 0, 0]))
    try handle.close()
    #expect(try DiskCache(folder: folder.path).statistics.byteCount == right)
  }
}

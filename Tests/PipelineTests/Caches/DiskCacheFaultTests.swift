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

  @Test func `two keys of one name never answer for each other`() throws {
    let cache = try DiskCache(folder: folder.path)
    try cache.store(ImageBytes([1]), for: "a")
    let bucket = folder.path + "/entries/" + cache.path(for: "b").suffix(67).prefix(2)
    try FileManager.default.createDirectory(atPath: bucket, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: cache.path(for: "a"), toPath: cache.path(for: "b"))
    #expect(try cache.entry(for: "b") == nil)
    #expect(try cache.entry(for: "a")?.bytes == ImageBytes([1]))
  }

  @Test func `a folder removed while running is made anew by the next store`() throws {
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

  @Test func `the digest is SHA-256`() {
    func digest(_ text: String) -> String {
      Array(text.utf8).withUnsafeBytes { hexadecimal(SHA256.digest($0)) }
    }
    #expect(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test func `any single flipped bit changes the checksum`() {
    var bytes = (0..<200).map { UInt8($0) }
    let right = bytes.withUnsafeBytes { Checksum.of($0) }
    for bit in 0..<(200 * 8) {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(bytes.withUnsafeBytes { Checksum.of($0) } != right)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }
}

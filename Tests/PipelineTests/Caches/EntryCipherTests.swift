import Foundation
import Testing

@testable import Pipeline

struct EntryCipherTests {
  private let folder = TemporaryFolder()

  /// Not a cipher to use: it flips bits, which is enough to see whether plain ones get through.
  private struct Flipping: EntryCipher {
    struct Refused: Error {}
    var mask: UInt8 = 0xa5
    var refuses = false

    func seal(_ bytes: [UInt8]) throws -> [UInt8] {
      if refuses { throw Refused() }
      return [mask] + bytes.map { $0 ^ mask }
    }

    func open(_ sealed: ImageBytes) throws -> [UInt8] {
      let bytes = sealed.prefix(sealed.count)
      guard bytes.first == mask else { throw Refused() }
      return bytes.dropFirst().map { $0 ^ mask }
    }
  }

  private func cache(_ cipher: Flipping) throws -> DiskCache {
    var configuration = DiskCacheConfiguration()
    configuration.cipher = cipher
    return try DiskCache(folder: folder.path, configuration: configuration)
  }

  private let secret = ImageBytes(Array("the plain bytes of a picture".utf8))

  @Test func `sealed entries come back, and no plain byte run reaches the disk`() throws {
    let cache = try cache(Flipping())
    let response = ImageResponse(
      url: try #require(URL(string: "http://secret.example/a")), status: 200,
      headers: [HeaderField(name: "ETag", value: "secret tag")], protocolName: "HTTP/1.1")
    let stored = StoredResponse(
      response: response, requestHeaders: [], requestTime: 1, responseTime: 2)
    try cache.store(secret, response: stored, for: "http://secret.example/a.png")
    #expect(!cache.path(for: "http://secret.example/a.png").hasSuffix("png"))
    let found = try #require(try cache.entry(for: "http://secret.example/a.png"))
    #expect(found.bytes == secret && found.response == response)
    for file in folder.files() {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + file))
      for plain in ["secret", "plain", "picture", "example", "tag"] {
        #expect(data.range(of: Data(plain.utf8)) == nil && !file.contains(plain))
      }
    }
  }

  @Test func `an entry of another secret, or of none, is a miss`() throws {
    try cache(Flipping()).store(secret, for: "a")
    #expect(try cache(Flipping(mask: 0x3c)).entry(for: "a") == nil)
    try cache(Flipping()).store(secret, for: "b")
    #expect(try DiskCache(folder: folder.path).entry(for: "b") == nil)
    try DiskCache(folder: folder.path).store(secret, for: "c")
    #expect(try cache(Flipping()).entry(for: "c") == nil)
  }

  @Test func `what can not be sealed is a typed error and nothing is written`() throws {
    let cache = try cache(Flipping(refuses: true))
    #expect(throws: CacheError.self) { try cache.store(secret, for: "a") }
    #expect(folder.files(in: "entries").isEmpty && folder.files(in: "temporary").isEmpty)
  }
}

import Foundation
import Testing

@testable import Pipeline

struct KeyRulesTests {
  @Test(arguments: [
    ("http://a/b.png", "http://a/b.png"),
    ("http://a/b.png?X-Amz-Date=1&w=2&x-amz-signature=3", "http://a/b.png?w=2"),
    ("http://a/b.png?Expires=1&Signature=2&Key-Pair-Id=3", "http://a/b.png"),
    ("https://x.blob/a.jpg?sv=1&sig=2&w=9#top", "https://x.blob/a.jpg?w=9"),
  ])
  func `a presigned address keeps its key when signed anew`(url: String, key: String) {
    #expect(KeyRules.presigned.key(for: url) == key)
  }

  @Test func `rules are applied in order and change nothing else`() {
    let url = "http://a/b?z=1&a=%C3%A4&z=0&&utm=x#f?g=1"
    #expect(KeyRules.exact.key(for: url) == url)
    #expect(KeyRules([.dropFragment]).key(for: url) == "http://a/b?z=1&a=%C3%A4&z=0&&utm=x")
    #expect(KeyRules([.dropQuery]).key(for: url) == "http://a/b#f?g=1")
    #expect(
      KeyRules([.dropQueryItems(["UTM", "a"])]).key(for: url) == "http://a/b?z=1&z=0&#f?g=1")
    #expect(
      KeyRules([.dropQueryItems([""]), .sortQuery, .dropFragment]).key(for: url)
        == "http://a/b?a=%C3%A4&utm=x&z=1&z=0")
  }

  @Test func `addresses that differ only in the query have keys of their own`() throws {
    let keys = try ["http://a/x?x=1", "http://a/x?x=2", "http://a/x"].map {
      RequestKeys(ImageRequest(try #require(URL(string: $0))))
    }
    #expect(Set(keys.map(\.original)).count == 3 && Set(keys.map(\.image)).count == 3)
  }

  @Test func `removing a source removes what was made of it and not its neighbours`() throws {
    let folder = TemporaryFolder()
    let cache = ImageCache(
      memory: ImageCache.imageMemory(limit: 1 << 20), disk: try DiskCache(folder: folder.path))
    var request = ImageRequest(try #require(URL(string: "http://a/1")))
    let plain = RequestKeys(request)
    request.decoding.targetSize = PixelSize(width: 9, height: 9)
    request.transforms = [.circle]
    let small = RequestKeys(request)
    let neighbour = RequestKeys(ImageRequest(try #require(URL(string: "http://a/10"))))
    let image = DecodedImage(
      bitmap: Bitmap(size: PixelSize(width: 2, height: 2), color: .clear), format: .png)
    for keys in [plain, small, neighbour] { cache.store(image, forKey: keys.image) }
    try cache.store(ImageBytes([1]), response: nil, forKey: plain.original)
    try cache.disk?.store(ImageBytes([2]), for: plain.original, variant: small.image)
    try cache.store(ImageBytes([3]), response: nil, forKey: neighbour.original)
    try cache.remove(forKey: plain.original)
    #expect(cache.memoryImage(forKey: plain.image) == nil)
    #expect(cache.memoryImage(forKey: small.image) == nil)
    #expect(cache.memoryImage(forKey: neighbour.image) != nil)
    #expect(try cache.diskEntry(forKey: plain.original) == nil)
    #expect(try cache.disk?.entry(for: plain.original, variant: small.image) == nil)
    #expect(try cache.diskEntry(forKey: neighbour.original)?.bytes == ImageBytes([3]))
  }
}

import Testing

@testable import Pipeline

struct ImageCacheTests {
  private let folder = TemporaryFolder()
  private let image = DecodedImage(
    bitmap: Bitmap(size: PixelSize(width: 4, height: 4), color: Pixel(gray: 3)), format: .png)

  private func cache() throws -> ImageCache {
    ImageCache(
      memory: ImageCache.imageMemory(limit: 1 << 20), disk: try DiskCache(folder: folder.path))
  }

  @Test func `pixels are found in memory and bytes on disk, each under its key`() throws {
    let cache = try cache()
    cache.store(image, forKey: "a")
    try cache.store(ImageBytes([1, 2]), response: nil, forKey: "a")
    #expect(cache.memoryImage(forKey: "a")?.bitmap == image.bitmap)
    #expect(try cache.diskEntry(forKey: "a")?.bytes == ImageBytes([1, 2]))
    #expect(cache.memory?.contains("a") == true && cache.disk?.contains("a") == true)
    #expect(cache.memory?.contains("b") == false && cache.disk?.contains("b") == false)
  }

  @Test func `a memory hit leaves the disk alone`() throws {
    let cache = try cache()
    cache.store(image, forKey: "a")
    _ = cache.memoryImage(forKey: "a")
    #expect(cache.disk?.statistics.hits == 0 && cache.disk?.statistics.misses == 0)
  }

  @Test func `a tier that is left out misses and stores nothing`() throws {
    let cache = ImageCache(memory: nil, disk: nil)
    cache.store(image, forKey: "a")
    try cache.store(ImageBytes([1]), response: nil, forKey: "a")
    #expect(cache.memoryImage(forKey: "a") == nil)
    #expect(try cache.diskEntry(forKey: "a") == nil)
    try cache.removeAll()
  }

  @Test func `removing all empties both tiers`() throws {
    let cache = try cache()
    cache.store(image, forKey: "a")
    try cache.store(ImageBytes([1]), response: nil, forKey: "a")
    try cache.removeAll()
    #expect(cache.memoryImage(forKey: "a") == nil)
    #expect(try cache.diskEntry(forKey: "a") == nil)
  }

  @Test func `the folder is below XDG_CACHE_HOME if that is absolute, else below the home`() {
    func folder(_ variables: [String: String]) -> String {
      DiskCacheConfiguration.standardFolder(named: "n") { variables[$0] }
    }
    #expect(folder(["XDG_CACHE_HOME": "/x", "HOME": "/h"]) == "/x/n")
    #expect(folder(["XDG_CACHE_HOME": "x", "HOME": "/h"]) == "/h/.cache/n")
    #expect(folder(["XDG_CACHE_HOME": "", "HOME": "/h"]) == "/h/.cache/n")
  }
}

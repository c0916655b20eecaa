//: # First load
//: An `ImagePipeline` loads images: from the web, from files, from bytes at hand.
import Foundation
import Pipeline

//: This page works without a network, so it makes its picture itself.
let picture = Bitmap(
  size: PixelSize(width: 64, height: 48), color: Pixel(red: 200, green: 80, blue: 40))
let bytes = try PNGEncoder().encode(picture)

//: A pipeline with a cache in memory. With a `DiskCache` it would remember between runs.
let cache = ImageCache(memory: ImageCache.imageMemory(limit: 64 << 20), disk: nil)
let pipeline = ImagePipeline(configuration: .init(cache: cache))

print("-- one line")
let request = ImageRequest(.bytes(bytes, key: "picture"))
let loaded = try await pipeline.image(for: request)
print("\(loaded.image.format) \(loaded.image.size) from \(loaded.origin.rawValue)")

print("-- the same again")
print("from \(try await pipeline.image(for: request).origin.rawValue)")

//: A request says what is to be done with the picture.
print("-- smaller, with round corners")
var small = request
small.transforms = [
  .resize(fitting: PixelSize(width: 16, height: 16)), .roundedCorners(radius: 6),
]
let thumbnail = try await pipeline.image(for: small)
print("\(thumbnail.image.size), corner alpha \(thumbnail.bitmap[0, 0].alpha)")

//: All that happens on the way can be watched.
print("-- events")
var fresh = request
fresh.caching = .networkOnly
for try await event in pipeline.events(for: fresh) {
  switch event {
  case .progress(let progress):
    print("progress \(progress.received == bytes.count ? "all" : "some") bytes")
  case .image(let loaded): print("image \(loaded.image.size)")
  default: break
  }
}

//: What goes wrong is typed: which stage failed, for which source, and why, in a sentence.
print("-- errors")
do {
  _ = try await pipeline.image(for: URL(fileURLWithPath: "/no/such/picture.png"))
} catch let error as LoadError {
  print(error)
  print("worth another try: \(error.mayHeal)")
}
do {
  let page = ImageBytes(Array("<html><body>404</body></html>".utf8))
  _ = try await pipeline.image(for: ImageRequest(.bytes(page, key: "page")))
} catch let error as LoadError {
  print(error)
}

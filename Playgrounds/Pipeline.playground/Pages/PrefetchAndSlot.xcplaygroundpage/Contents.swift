//: # Prefetch and slot
//: Load what will be wanted soon, and show what is wanted now.
import Flow
import Foundation
import Pipeline

//: This page works without a network: it makes a folder of pictures, and one that is none.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
var urls: [URL] = []
for number in 1...5 {
  let picture = Bitmap(
    size: PixelSize(width: 10 * number, height: 10), color: Pixel(red: 200, green: 80, blue: 40))
  urls.append(folder.appendingPathComponent("\(number).png"))
  try PNGEncoder().encode(picture).data.write(to: urls[number - 1])
}
let noPicture = folder.appendingPathComponent("none.png")
try Data("<html>".utf8).write(to: noPicture)

let cache = ImageCache(memory: ImageCache.imageMemory(limit: 64 << 20), disk: nil)
let pipeline = ImagePipeline(configuration: .init(cache: cache))

//: A prefetcher takes a list of any length, a few at a time, after all that is wanted now.
print("-- prefetch")
let prefetcher = Prefetcher(pipeline, slots: 2)
let counts = await prefetcher.prefetch(urls + [noPicture]).value
print("\(counts.finished) fetched, \(counts.skipped) had, \(counts.failed) failed")
let again = await prefetcher.prefetch(urls).value
print("\(again.finished) fetched, \(again.skipped) had, \(again.failed) failed")

//: A slot shows the latest picture that was asked for. One in memory is there in the same turn.
print("-- slot")
let grey = DecodedImage(
  bitmap: Bitmap(size: PixelSize(width: 1, height: 1), color: .clear), format: .png)
let slot = ImageSlot(pipeline)
slot.draw = { content in
  switch content {
  case .empty: print("nothing")
  case .placeholder: print("the placeholder")
  case .preview(let image): print("a preview of \(image.size)")
  case .image(let image, let isAnimated): print("\(image.size)\(isAnimated ? ", faded in" : "")")
  case .failure: print("the failure image")
  }
}
slot.show(urls[2], placeholder: grey)

//: What is not in memory comes later; until then, the placeholder stands there.
@MainActor func settled() async {
  for await _ in slot.changes.values {
    switch slot.phase {
    case .loaded, .failed: return
    case .idle, .loading: continue
    }
  }
}
var small = ImageRequest(urls[4])
small.transforms = [.resize(fitting: PixelSize(width: 25, height: 25))]
slot.show(small, placeholder: grey)
await settled()

//: Asking for another picture cancels the load before: a late old one never lands.
for url in urls {
  slot.show(ImageRequest(url).applying(.thumbnail(PixelSize(width: 5, height: 5))))
}
await settled()
print("the last one: \(slot.content.image.map { "\($0.size)" } ?? "nothing")")

//: A failure shows its own picture, or the placeholder.
slot.show(noPicture, placeholder: grey)
await settled()

//: Everything is counted.
print("-- counters")
let counters = pipeline.counters
print(
  "\(counters.delivered[.memory] ?? 0) from memory, \(counters.failed["decode"] ?? 0) undecodable")

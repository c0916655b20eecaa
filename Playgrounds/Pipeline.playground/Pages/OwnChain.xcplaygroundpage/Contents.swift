//: # A chain of your own
//: A load is a chain of operators on `LoadEvent`. `ImagePipeline` is one such chain; this is
//: another, with a stage that the library does not know.
import Flow
import Pipeline
import Synchronization

//: A stage moves one case of `LoadEvent` forward and passes all others on. This one looks at images
//: on their way and lets pictures that are too small fail.
extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Fails with `.transform` when the image has fewer pixels than `size` on a side.
  func requireSize(_ size: PixelSize) -> some Publisher<LoadEvent, LoadError> {
    tryMap { event throws(LoadError) in
      guard case .image(let loaded) = event else { return event }
      let found = loaded.image.size
      guard found.width >= size.width, found.height >= size.height else {
        throw .transform(
          .failed(transform: "requireSize", reason: "\(found) is smaller than \(size)"),
          source: loaded.request.source.name)
      }
      return event
    }
  }
}

let cache = ImageCache(memory: ImageCache.imageMemory(limit: 64 << 20), disk: nil)
let downloader = Downloader()

@Sendable func thumbnail(_ request: ImageRequest) -> some Publisher<LoadEvent, LoadError> {
  Load(request)
    .cacheLookup(in: cache)
    .download(with: downloader)
    .decode()
    .transform(.resize(fitting: PixelSize(width: 32, height: 32)))
    .store(in: cache)
    .requireSize(PixelSize(width: 8, height: 8))
}

@Sendable func picture(_ width: Int, _ height: Int) throws -> ImageRequest {
  let bitmap = Bitmap(
    size: PixelSize(width: width, height: height), color: Pixel(red: 0, green: 90, blue: 160))
  return ImageRequest(.bytes(try JPEGEncoder().encode(bitmap), key: "\(width)×\(height)"))
}

/// Runs a load to its end and prints what comes of it.
func show(_ request: ImageRequest) async {
  do throws(LoadError) {
    for try await event in thumbnail(request).values {
      guard case .image(let loaded) = event else { continue }
      print("\(request.source.name): \(loaded.image.size) from \(loaded.origin.rawValue)")
    }
  } catch {
    print(error)
  }
}

print("-- a load, and the same from memory")
await show(try picture(128, 96))
await show(try picture(128, 96))

print("-- the stage of our own says no")
await show(try picture(128, 6))

//: Since a chain is a publisher, every operator of Flow fits in: here four loads, two at a time,
//: and those that fail are left out.
print("-- four loads, two at a time")
let sizes = try [(64, 64), (4, 4), (100, 50), (50, 100)].map { try picture($0.0, $0.1) }
let loads = sizes.publisher
  .flatMap(maxPublishers: .max(2)) { request in
    thumbnail(request).catch { _ in Empty<LoadEvent, Never>() }
  }
var results: [String] = []
for await event in loads.values {
  if case .image(let loaded) = event { results.append("\(loaded.image.size)") }
}
print(results.sorted().joined(separator: ", "))

//: Stages in the wrong order fail at once, with an error that says what to swap.
print("-- no download before decode")
let tiny = try picture(8, 8)
do throws(LoadError) {
  for try await _ in Load(tiny).decode().values {}
} catch {
  print(error)
}

import Flow
import Foundation
import Pipeline

/// The README's Swift, so that the compiler reads it too. `ReadmeTests` compares the two.
enum ReadmeExamples {
  static func oneLine(_ url: URL) async throws -> LoadedImage {
    let pipeline = ImagePipeline(configuration: .init(cache: try ImageCache(named: "my-app")))
    let loaded = try await pipeline.image(for: url)
    return loaded
  }

  static func program() async throws {
    let pipeline = ImagePipeline(configuration: .init(cache: try ImageCache(named: "my-app")))
    for url in CommandLine.arguments.dropFirst().compactMap({ URL(string: $0) }) {
      var request = ImageRequest(url)
      request.transforms = [.resize(fitting: PixelSize(width: 96, height: 96))]
      request.priority = .high
      for try await event in pipeline.events(for: request) {
        if case .progress(let progress) = event { print("\(progress.received) bytes") }
        if case .image(let loaded) = event {
          print("\(loaded.image.size) from \(loaded.origin)")
          let file = URL(filePath: "small-\(url.lastPathComponent).png")
          try PNGEncoder().encode(loaded.image).data.write(to: file)
        }
      }
    }
    await pipeline.shutDown(within: .seconds(5))  // what was loaded is on disk then
  }

  static func chain(
    _ url: URL, cache: ImageCache, downloader: Downloader,
    finish: @escaping @Sendable (Subscribers.Completion<LoadError>) -> Void,
    show: @escaping @Sendable (LoadEvent) -> Void
  ) -> AnyCancellable {
    @Sendable
    func avatar(_ url: URL) -> some Publisher<LoadEvent, LoadError> {
      Load(url)
        .cacheLookup(in: cache)
        .download(with: downloader)  // loads of one URL share one transfer
        .decode()
        .transform(.resize(fitting: PixelSize(width: 96, height: 96)), .circle)
        .store(in: cache)
    }
    let task = avatar(url).sink { end in
      finish(end)
    } receiveValue: { event in
      show(event)
    }
    return task
  }

  @MainActor static func around(
    _ url: URL, _ mirror: URL, _ urls: [URL], _ grey: DecodedImage, _ request: ImageRequest,
    _ pipeline: ImagePipeline
  ) async -> [Any] {
    let prefetcher = Prefetcher(pipeline)
    let counts = await prefetcher.prefetch(urls).value
    let slot = ImageSlot(pipeline)
    slot.show(url, placeholder: grey)
    let load = pipeline.load(firstOf: [request, ImageRequest(mirror)])
    let trace = ChromeTrace()
    let recording = trace.record(pipeline)
    await pipeline.shutDown(within: .seconds(10))
    return [counts, load, recording]
  }

  static func documentation(_ url: URL, _ cache: ImageCache, _ downloader: Downloader) async throws
    -> [Any]
  {
    let pipeline = ImagePipeline(configuration: .init(cache: try ImageCache(named: "my-app")))
    let loaded = try await pipeline.image(for: url)
    print(loaded.image.size, loaded.origin)

    var request = ImageRequest(url)
    request.transforms = [.resize(fitting: PixelSize(width: 300, height: 300)), .circle]
    request.priority = .high
    for try await event in pipeline.events(for: request) {
      if case .progress(let progress) = event { print(progress.fraction ?? 0) }
    }

    let chain = Load(url)
      .cacheLookup(in: cache)
      .download(with: downloader)
      .decode()
      .transform(.resize(fitting: PixelSize(width: 96, height: 96)), .circle)
      .store(in: cache)
    return [chain]
  }

  static func policies(_ url: URL) -> ImageRequest {
    var request = ImageRequest(url)
    request.caching = .cacheOnly  // no network: a miss is an error
    request.caching = .networkOnly  // no look-up; the result is stored
    request.caching = CachePolicy(read: .all, write: .memory)  // leaves the disk alone
    return request
  }
}

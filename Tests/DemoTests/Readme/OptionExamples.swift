import Dispatch
import Flow
import Foundation
import Pipeline

/// The right-hand side of the README's table of options, so that the compiler reads it too.
/// `OptionTableTests` compares the two; statements stand on lines of their own.
enum OptionExamples {
  static func request(_ url: URL, _ pipeline: ImagePipeline) {
    var request = ImageRequest(url)
    request.caching.retriesFailed = true
    request.priority = .low
    request.priority = .high
    request.decoding.previews = true
    request.caching = .refreshing
    request.transfer.usesCookies = true
    var tls = TLSOptions()
    tls.allowsInvalidCertificates = true
    request.transfer.tls = tls
    request.transformsAnimations = true
    request.decoding.targetSize = PixelSize(width: 2048, height: 2048)
    request.caching = .cacheOnly
    request.caching = .networkOnly
    request.caching = CachePolicy(read: .memory, write: .disk)
    request.decoding.frames = .firstOnly
    request.decoding.frames = .preloaded
    request.decoding.frames = .animationOnly
    request.decoding.frames = .onDemand
    request.caching.waitsForStore = true
    request.caching = .http
    request.transforms = [.resize(fitting: PixelSize(width: 300, height: 300)), .circle]
    request.scale = 2
    request.transfer.headers = [HeaderField(name: "Referer", value: "https://example.com")]
    request.transfer.credential = .password(user: "me", password: "secret")
    enum ScreenName: RequestValueKey { static let defaultValue = "" }
    request[ScreenName.self] = "album"
    blackHole(pipeline.load(request).receive(on: DispatchQueue.main))
  }

  static func loads(_ request: ImageRequest, _ pipeline: ImagePipeline, _ cache: ImageCache)
    async throws
  {
    let hit = pipeline.imageInMemory(for: request)
    let bytes = try await pipeline.data(for: request)
    let moving = try await pipeline.animation(for: request)
    let entry = try cache.diskEntry(forKey: pipeline.keys(for: request).original)
    await pipeline.shutDown(within: .seconds(30))
    blackHole((hit, bytes, moving, entry))
  }

  @MainActor static func binding(
    _ request: ImageRequest, _ pipeline: ImagePipeline, _ grey: DecodedImage
  ) {
    let slot = ImageSlot(pipeline)
    let slots = ImageSlots(pipeline)
    var options = SlotOptions()
    options.whileLoading = .nothing
    options.setsImage = false
    options.transition = .always
    slot.draw = { content in paint(content.image) }
    slots["badge"].show(request)
    slot.show(request, placeholder: grey, options: options)
  }

  static func pipelines(_ urls: [URL], _ pipeline: ImagePipeline, _ decoders: DecoderRegistry) {
    var configuration = pipeline.configuration
    configuration.keyRules = .presigned
    configuration.hooks.mayDownload = { request in request.priority > .low }
    configuration.hooks.rewrite = { request in request.applying(.progressive) }
    var hooks = TransferHooks(name: "signed")
    hooks.modifyRequest = { $0[header: "X-Signature"] = "…" }
    hooks.validateResponse = { response in try check(response.headers) }
    hooks.decryptBody = { bytes, _ in bytes }
    let other = pipeline.replacing { $0.decoders = decoders }
    let prefetcher = Prefetcher(pipeline)
    prefetcher.prefetch(urls)
    blackHole((configuration, hooks, other))
  }

  private static func blackHole<Value>(_ value: Value) {}
  private static func paint(_ image: DecodedImage?) {}
  private static func check(_ headers: [HeaderField]) throws {}
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImagePipeline {
  /// Loads a picture that moves.
  ///
  /// It is the load of `image(for:)`, and shares its transfer, its decode and its place in the
  /// caches; a request for the first frame alone is taken as one for all frames. Where a still
  /// picture is not to be decoded at all, ask for `FrameLoading.animationOnly` as well.
  /// - Throws: `LoadError`, which is `.decode(.notAnimated)` for a still picture;
  ///   `CancellationError` when the task was cancelled, which stops the load.
  public func animation(for request: ImageRequest) async throws -> AnimatedImage {
    var request = request
    if request.decoding.frames == .firstOnly { request.decoding.frames = .onDemand }
    let loaded = try await image(for: request)
    guard let animated = AnimatedImage(loaded) else {
      throw LoadError.decode(.notAnimated(loaded.image.format), source: request.sourceName)
    }
    return animated
  }

  /// Loads the moving picture at `url`, with the defaults of `ImageRequest`.
  ///
  /// - Throws: What `animation(for:)` of a request does.
  public func animation(for url: URL) async throws -> AnimatedImage {
    try await animation(for: ImageRequest(url))
  }
}

extension ImageRequest {
  /// The finished image from memory, if the request may read it there; at once, on this thread.
  func memoryHit(in cache: (any ImageCaching)?) -> LoadedImage? {
    guard let cache, caching.read.contains(.memory) else { return nil }
    let start = ContinuousClock.now
    guard let image = cache.memoryImage(forKey: RequestKeys(self).image) else { return nil }
    var metrics = timeline
    metrics.lookup = (metrics.lookup ?? .zero) + start.duration(to: .now)
    return LoadedImage(
      image: image, encoded: nil, origin: .memory, request: self, metrics: metrics,
      appliedTransforms: transforms.map(\.key))
  }
}

/// Which transforms a stage does to an image that may have gone through some already.
enum TransformStep: Sendable {
  /// The request's first transforms, up to a number; those already done are not done again.
  case ofRequest(count: Int)
  /// These, in any case.
  case always([any ImageTransform])

  func transforms(for loaded: LoadedImage) -> [any ImageTransform] {
    switch self {
    case .always(let transforms): transforms
    case .ofRequest(let count):
      Array(loaded.request.transforms.prefix(count).dropFirst(loaded.appliedTransforms.count))
    }
  }
}

extension LoadedImage {
  /// The first frame, changed; an animation becomes a still picture.
  func applying(
    _ transforms: [any ImageTransform], cancellation: CancellationFlag
  ) throws(TransformError) -> LoadedImage {
    let start = ContinuousClock.now
    let effective = transforms.filter { !$0.key.isEmpty }
    let bitmap = try TransformChain(effective).apply(to: self.bitmap, cancellation: cancellation)
    var result = self
    result.image = DecodedImage(
      bitmap: bitmap, format: image.format, orientation: image.orientation, scale: image.scale,
      notes: image.notes)
    result.appliedTransforms += transforms.map(\.key)
    result.metrics.transform = (metrics.transform ?? .zero) + start.duration(to: .now)
    return result
  }
}

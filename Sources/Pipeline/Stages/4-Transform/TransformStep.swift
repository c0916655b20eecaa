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
  /// Whether transforms pass this image by: an animation that is to stay as it is.
  var staysUntransformed: Bool { image.animation != nil && !request.transformsAnimations }

  /// The image, changed; of an animation every frame, when it is asked for.
  func applying(
    _ transforms: [any ImageTransform], cancellation: CancellationFlag
  ) throws(TransformError) -> LoadedImage {
    let start = ContinuousClock.now
    let chain = TransformChain(transforms.filter { !$0.key.isEmpty })
    let bitmap = try chain.apply(to: self.bitmap, cancellation: cancellation)
    var result = self
    result.image = DecodedImage(
      bitmap: bitmap,
      animation: image.animation?.applying(chain, first: bitmap, format: image.format),
      format: image.format, orientation: image.orientation, scale: image.scale,
      isComplete: image.isComplete, notes: image.notes)
    result.appliedTransforms += transforms.map(\.key)
    result.metrics.transform = (metrics.transform ?? .zero) + start.duration(to: .now)
    return result
  }
}

extension Animation {
  /// The same delays and loops, each frame changed when it is asked for.
  fileprivate func applying(
    _ chain: TransformChain, first: Bitmap, format: ImageFormat
  ) -> Animation {
    Animation(
      delays: delays, loopCount: loopCount, isComplete: isComplete,
      residentByteCount: residentByteCount + first.byteCount
    ) { index throws(DecodeError) in
      if index == 0 { return first }
      let frame = try self.frame(at: index)
      do throws(TransformError) {
        return try chain.apply(to: frame, cancellation: CancellationFlag())
      } catch {
        throw .corrupt(format, reason: "frame \(index): \(error)")
      }
    }
  }
}

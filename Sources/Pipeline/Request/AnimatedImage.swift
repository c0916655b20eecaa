/// A loaded picture that moves: what it is made of is known without asking.
public struct AnimatedImage: Sendable {
  /// The end of the load; its bitmap is the first frame.
  public let loaded: LoadedImage
  /// The frames, with their delays, on the full canvas.
  public let animation: Animation

  /// `loaded` as an animation; `nil` when it is a still picture.
  public init?(_ loaded: LoadedImage) {
    guard let animation = loaded.image.animation else { return nil }
    self.loaded = loaded
    self.animation = animation
  }

  /// The picture that shows before the animation plays.
  public var firstFrame: Bitmap { loaded.bitmap }
  /// Size of the canvas, in pixels.
  public var size: PixelSize { loaded.image.size }
  /// Number of frames; at least 1.
  public var frameCount: Int { animation.frameCount }
}

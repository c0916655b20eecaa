/// How one load went, told when it is over.
public struct LoadRecord: Sendable {
  /// How a load ended.
  public enum Outcome: Sendable, Hashable {
    /// With a picture of this size.
    case image(ImageOrigin, PixelSize)
    /// With bytes, where no pixels were asked for.
    case bytes(ImageOrigin)
    /// Without.
    case failed(LoadError)
    /// Nobody wanted it any more.
    case cancelled
  }

  /// Which load.
  public let id: LoadID
  /// The URL, or the key of bytes at hand.
  public let source: String
  /// How urgent it was when it was asked for.
  public let priority: LoadPriority
  /// When it was asked for.
  public let began: ContinuousClock.Instant
  /// When it was over.
  public let ended: ContinuousClock.Instant
  /// How it ended.
  public let outcome: Outcome
  /// What the stages measured; of shared work the times of the load that began it.
  public let metrics: LoadMetrics
  /// How the transfer went, where there was one.
  public let transfer: TransferMetrics?

  /// Where the bytes or pixels came from: the verdict of the caches. `nil` when there are none.
  public var origin: ImageOrigin? {
    switch outcome {
    case .image(let origin, _), .bytes(let origin): origin
    case .failed, .cancelled: nil
    }
  }

  /// What the time was spent on, in order, cut to this load's own beginning and end.
  public var timeline: [LoadSpan] { LoadSpan.spans(of: self) }
}

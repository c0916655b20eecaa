/// A step in the life of one load, for those who watch a pipeline.
///
/// In order: `.began`, `.progressed` as bytes come, `.ended` exactly once.
public struct PipelineEvent: Sendable {
  /// What happened.
  public enum Step: Sendable {
    /// Somebody asked for this.
    case began(ImageRequest)
    /// Bytes came in.
    case progressed(LoadProgress)
    /// It is over: an image, a failure, or nobody wants it any more.
    case ended(LoadRecord)
  }

  /// Which load.
  public let id: LoadID
  /// The URL, or the key of bytes at hand.
  public let source: String
  /// When.
  public let time: ContinuousClock.Instant
  /// What happened.
  public let step: Step
}

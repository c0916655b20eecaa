/// Gives the frames of an animation in order, each composed with those before it. Used by one
/// thread at a time.
protocol FrameComposer: AnyObject, SendableMetatype {
  /// Goes back before the first frame.
  func restart()
  /// The next frame; called at most once for each between two restarts.
  func next() throws(DecodeError) -> Bitmap
}

/// What a place for a picture shows.
public enum SlotContent: Sendable {
  /// Nothing.
  case empty
  /// What stands there until the picture comes.
  case placeholder(DecodedImage)
  /// The picture as far as it has come, or a smaller version of it.
  case preview(DecodedImage)
  /// The picture. `isAnimated` hints that its appearance may be: it was not at hand at once.
  case image(DecodedImage, isAnimated: Bool)
  /// What stands there since the picture could not be had.
  case failure(DecodedImage?)

  /// What is to be drawn; `nil` draws nothing.
  public var image: DecodedImage? {
    switch self {
    case .empty: nil
    case .placeholder(let image), .preview(let image), .image(let image, _): image
    case .failure(let image): image
    }
  }
}

/// How far a slot's load is.
public enum SlotPhase: Sendable, Hashable {
  /// Nothing was asked for, or it was taken back.
  case idle
  /// Bytes so far; `nil` before the first.
  case loading(LoadProgress?)
  /// The picture came.
  case loaded(ImageOrigin)
  /// It could not be had.
  case failed(LoadError)
}

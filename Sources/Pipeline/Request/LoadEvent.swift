/// How far an image has come. A stage moves one of the cases forward and passes the others on.
public enum LoadEvent: Sendable {
  /// Nobody has answered yet.
  indirect case request(ImageRequest)
  /// Bytes so far of bytes expected; never decreasing.
  case progress(LoadProgress)
  /// Bytes, complete or still growing, with the request they answer.
  indirect case encoded(EncodedImage, for: ImageRequest)
  /// An incomplete picture; each is better than the last.
  indirect case preview(DecodedImage)
  /// Pixels: the end, once stored.
  indirect case image(LoadedImage)
}

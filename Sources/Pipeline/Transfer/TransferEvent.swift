/// What a transfer tells on its way.
public enum TransferEvent: Sendable {
  /// Bytes so far: (0, unknown) at the start, (0, expected) at the response, then as they come.
  case progress(LoadProgress)
  /// The bytes so far; complete in the last one. All share one buffer: nothing is copied.
  indirect case bytes(EncodedImage)
  /// The validators sent with the request still hold: the stored copy is the answer. The last event.
  indirect case notModified(ImageResponse)
}

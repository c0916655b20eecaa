import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// What the image's header says, as soon as enough bytes have come; then the transfer is stopped.
  ///
  /// Stands behind `download(with:)` in place of `decode(using:)`. Gives one value and finishes.
  /// Fails with `.decode` when the bytes are no picture, or end before they tell, and with what
  /// fails upstream. Delivers where the bytes come from. Cancel stops the transfer.
  public func probe(using decoders: DecoderRegistry = .standard) -> AnyPublisher<
    ProbedImage, LoadError
  > {
    tryCompactMap { event throws(LoadError) -> ProbedImage? in
      guard case .encoded(let encoded, let request) = event else { return nil }
      do throws(DecodeError) {
        if let probe = try decoders.probe(encoded.bytes) {
          return ProbedImage(probe: probe, byteCount: encoded.bytes.count)
        }
        if encoded.isComplete { throw encoded.bytes.isEmpty ? .empty : .unknownFormat }
      } catch {
        // Few bytes may not tell yet what they are.
        guard encoded.isComplete || encoded.bytes.count >= FormatSniffer.wantedByteCount else {
          return nil
        }
        throw .decode(error, source: request.sourceName)
      }
      return nil
    }
    .first()
    .eraseToAnyPublisher()
  }
}

/// What a header says, and how many bytes it took to know.
public struct ProbedImage: Sendable, Hashable {
  /// What the header says.
  public let probe: ImageProbe
  /// Bytes that had come by then.
  public let byteCount: Int
}

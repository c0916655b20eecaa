/// What the memory tier holds: pixels, with the response they were made of, so that one can not be
/// taken for newer than the other.
public struct CachedPixels: Sendable {
  /// The pixels.
  public let image: DecodedImage
  private let box: Box?

  /// Joins pixels to the response whose bytes they were made of, if there is one.
  public init(_ image: DecodedImage, response: StoredResponse? = nil) {
    self.image = image
    box = response.map(Box.init)
  }

  /// The response whose bytes they were made of.
  public var response: StoredResponse? { box?.response }

  /// Behind one reference, because a hit copies it.
  private final class Box: Sendable {
    let response: StoredResponse

    init(_ response: StoredResponse) { self.response = response }
  }
}

extension CachedPixels {
  /// Finds these pixels while somebody holds them; `nil` for animations, whose frames are made anew
  /// anyway.
  var weakReference: WeakReference<CachedPixels>? {
    image.weakReference.map { reference in
      let box = box
      return WeakReference { reference.find().map { CachedPixels($0, box) } }
    }
  }

  private init(_ image: DecodedImage, _ box: Box?) {
    self.image = image
    self.box = box
  }
}

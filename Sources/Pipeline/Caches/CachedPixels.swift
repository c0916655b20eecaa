/// What the memory tier holds: pixels, with the response they were made of, so that one can not be
/// taken for newer than the other. Copying is one reference.
public struct CachedPixels: Sendable {
  private let content: Content

  /// Joins pixels to the response whose bytes they were made of, if there is one.
  public init(_ image: DecodedImage, response: StoredResponse? = nil) {
    content = Content(image: image, response: response)
  }

  /// The pixels.
  public var image: DecodedImage { content.image }
  /// The response whose bytes they were made of.
  public var response: StoredResponse? { content.response }

  /// Behind one reference, because a hit copies it.
  private final class Content: Sendable {
    let image: DecodedImage
    let response: StoredResponse?

    init(image: DecodedImage, response: StoredResponse?) {
      self.image = image
      self.response = response
    }
  }
}

extension CachedPixels {
  /// Finds these pixels while somebody holds them; `nil` for animations, whose frames are made anew
  /// anyway.
  var weakReference: WeakReference<CachedPixels>? {
    image.weakReference.map { reference in
      let response = response
      return WeakReference { reference.find().map { CachedPixels($0, response: response) } }
    }
  }
}

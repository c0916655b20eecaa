/// What stands in for a picture while it loads: small enough to come with the address of it.
public enum Placeholder: Sendable, Hashable {
  /// A few waves of colour, in a size that shows the aspect of the picture.
  case blurHash(BlurHash, size: PixelSize)
  /// A few waves of colour that know their aspect.
  case thumbHash(ThumbHash)
  /// One colour, as `Bitmap.dominantColor` or `palette(count:)` find it, in a size that shows the
  /// aspect of the picture.
  case color(Pixel, size: PixelSize)

  private static let largestSide = 64

  /// Its pixels, made anew each time: at most 64 on a side, and never none.
  public var bitmap: Bitmap {
    switch self {
    case .blurHash(let hash, let size): hash.bitmap(size: Self.small(size))
    case .thumbHash(let hash): hash.bitmap()
    case .color(let color, let size): Bitmap(size: Self.small(size), color: color)
    }
  }

  /// Its pixels as an incomplete picture, which previews are.
  public var image: DecodedImage {
    DecodedImage(bitmap: bitmap, format: .placeholder, isComplete: false)
  }

  private static func small(_ size: PixelSize) -> PixelSize {
    guard size.width > 0, size.height > 0 else { return PixelSize(width: 1, height: 1) }
    let side = PixelSize(width: largestSide, height: largestSide)
    return Resize.resize(fitting: side).outputSize(for: size)
  }
}

extension ImageFormat {
  /// Pixels that were in no file.
  public static let placeholder = ImageFormat(
    name: "placeholder", fileExtension: "", mediaType: "application/octet-stream")
}

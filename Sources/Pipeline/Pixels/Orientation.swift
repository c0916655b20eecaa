/// How stored rows and columns map to the upright picture: the eight values of EXIF tag 0x0112.
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue >= 5 }

  /// The size of the upright picture whose stored size is `size`, or the other way round.
  public func turning(_ size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }
}

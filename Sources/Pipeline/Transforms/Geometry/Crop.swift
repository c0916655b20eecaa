/// Cuts a part out of a picture.
public struct Crop: ImageTransform, Hashable {
  /// Which part stays.
  public enum Part: Sendable, Hashable {
    /// A rectangle, by its left column, top row and size; what lies outside the picture is left out.
    case rectangle(x: Int, y: Int, size: PixelSize)
    /// A size, or as much of it as there is, placed at an anchor.
    case anchored(Anchor, size: PixelSize)
  }

  /// Which part stays.
  public var part: Part

  /// Keeps `part`.
  public init(_ part: Part) { self.part = part }

  /// The part.
  public var key: String {
    switch part {
    case .rectangle(let x, let y, let size): "crop(\(x),\(y),\(size.width)x\(size.height))"
    case .anchored(let anchor, let size): "crop(\(anchor.rawValue),\(size.width)x\(size.height))"
    }
  }

  /// The part; the same bitmap if that is all of it.
  ///
  /// - Throws: `.invalidParameter` for a side below 1, or a rectangle that lies outside altogether.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let region = try region(in: bitmap.size)
    let size = PixelSize(width: region.width, height: region.height)
    guard size != bitmap.size else { return bitmap }
    let storage = try PixelStorage.reserve(for: size)
    try Bands.run(rowsOf: size, cancellation: cancellation) { rows in
      bitmap.withUnsafeBytes { bytes in
        for row in rows {
          let start = ((region.y + row) * bitmap.width + region.x) * 4
          UnsafeMutableRawBufferPointer(rebasing: storage.bytes[(row * size.width * 4)...])
            .copyMemory(
              from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size.width * 4)]))
        }
      }
    }
    return Bitmap(size: size, hasAlpha: bitmap.hasAlpha, storage: storage)
  }

  /// The part, in whole pixels of a picture of size `source`.
  func region(in source: PixelSize) throws(TransformError) -> PixelRectangle {
    let limit = 1 << 30
    switch part {
    case .rectangle(let x, let y, let size):
      try TransformLimits.checkSides(size, transform: "crop")
      // Far away is outside all the same, and sums stay in range.
      let region = PixelRectangle(
        x: min(max(x, -limit), limit), y: min(max(y, -limit), limit),
        width: min(size.width, 2 * limit), height: min(size.height, 2 * limit)
      ).clipped(to: source)
      guard region.width > 0, region.height > 0 else {
        throw .invalidParameter(transform: "crop", reason: "the part lies outside the picture")
      }
      return region
    case .anchored(let anchor, let size):
      try TransformLimits.checkSides(size, transform: "crop")
      let part = PixelSize(
        width: min(size.width, source.width), height: min(size.height, source.height))
      let (x, y) = anchor.origin(of: part, in: source)
      return PixelRectangle(x: x, y: y, width: part.width, height: part.height)
    }
  }
}

extension Crop: MemoryMaking {}

extension TransformLimits {
  /// Fails when a side is below 1.
  static func checkSides(_ size: PixelSize, transform: String) throws(TransformError) {
    guard size.width > 0, size.height > 0 else {
      throw .invalidParameter(transform: transform, reason: "\(size) is no size of a picture")
    }
  }
}

/// A place in a picture that another is put at.
public enum Anchor: String, Sendable, Hashable, CaseIterable {
  /// The corner, edge or middle of this name.
  case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight

  /// Left column and top row of `part`, placed here in `whole`; negative if it is larger.
  public func origin(of part: PixelSize, in whole: PixelSize) -> (x: Int, y: Int) {
    let (spareX, spareY) = (whole.width - part.width, whole.height - part.height)
    let x =
      switch self {
      case .topLeft, .left, .bottomLeft: 0
      case .top, .center, .bottom: spareX / 2
      case .topRight, .right, .bottomRight: spareX
      }
    let y =
      switch self {
      case .topLeft, .top, .topRight: 0
      case .left, .center, .right: spareY / 2
      case .bottomLeft, .bottom, .bottomRight: spareY
      }
    return (x, y)
  }
}

extension ImageTransform where Self == Crop {
  /// Keeps a rectangle.
  public static func crop(x: Int, y: Int, size: PixelSize) -> Crop {
    Crop(.rectangle(x: x, y: y, size: size))
  }

  /// Keeps `size` at an anchor.
  public static func crop(to size: PixelSize, at anchor: Anchor = .center) -> Crop {
    Crop(.anchored(anchor, size: size))
  }
}

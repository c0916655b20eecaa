/// Cuts corners round; what is outside becomes transparent, with smooth edges.
public struct RoundedCorners: ImageTransform, Hashable {
  /// Which corners.
  public struct Corners: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let topLeft = Corners(rawValue: 1)
    public static let topRight = Corners(rawValue: 2)
    public static let bottomLeft = Corners(rawValue: 4)
    public static let bottomRight = Corners(rawValue: 8)
    /// All four.
    public static let all: Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]
  }

  /// In pixels; half the shorter side is the most there can be, and more counts as that.
  public var radius: Double
  /// Which corners.
  public var corners: Corners

  /// Rounds `corners`.
  public init(radius: Double, corners: Corners = .all) {
    self.radius = radius
    self.corners = corners
  }

  /// Radius and corners; empty when nothing is cut.
  public var key: String {
    guard radius != 0, !corners.isEmpty else { return "" }
    return "rounded(\(radius)" + (corners == .all ? ")" : ",\(corners.rawValue))")
  }

  /// The picture with its corners cut; the same bitmap for a radius of 0.
  ///
  /// - Throws: `.invalidParameter` for a radius that is negative or not a number.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard radius >= 0 else {
      throw .invalidParameter(
        transform: "rounded corners", reason: "its radius of \(radius) is not 0 or more")
    }
    let radius = min(radius, Double(min(bitmap.width, bitmap.height)) / 2)
    guard radius > 0, !corners.isEmpty else { return bitmap }
    return bitmap.changed(hasAlpha: true) { pixels in
      let side = Int(radius.rounded(.up))
      for row in 0..<side {
        for column in 0..<side {
          let coverage = Self.coverage(column: column, row: row, radius: radius)
          guard coverage < 1 else { break }
          let (right, bottom) = (bitmap.width - 1 - column, bitmap.height - 1 - row)
          if corners.contains(.topLeft) { fade(pixels, bitmap, column, row, coverage) }
          if corners.contains(.topRight) { fade(pixels, bitmap, right, row, coverage) }
          if corners.contains(.bottomLeft) { fade(pixels, bitmap, column, bottom, coverage) }
          if corners.contains(.bottomRight) { fade(pixels, bitmap, right, bottom, coverage) }
        }
      }
    }
  }

  /// How much of a pixel lies within the corner's arc, 0…1; the distance of its centre tells.
  private static func coverage(column: Int, row: Int, radius: Double) -> Double {
    let (x, y) = (radius - Double(column) - 0.5, radius - Double(row) - 0.5)
    guard x > 0, y > 0 else { return 1 }
    return min(1, max(0, radius - (x * x + y * y).squareRoot() + 0.5))
  }

  private func fade(
    _ pixels: UnsafeMutableRawBufferPointer, _ bitmap: Bitmap, _ x: Int, _ y: Int,
    _ coverage: Double
  ) {
    let offset = y * bitmap.bytesPerRow + x * 4
    let alpha = UInt8(Double(pixels[offset + 3]) * coverage + 0.5)
    if alpha == 0 {
      pixels.storeBytes(of: 0, toByteOffset: offset, as: UInt32.self)
    } else {
      pixels[offset + 3] = alpha
    }
  }
}

/// Cuts the largest circle out of the middle of a picture, with smooth edges.
public struct Circle: ImageTransform, Hashable {
  /// Cuts a circle.
  public init() {}

  /// `circle`.
  public var key: String { "circle" }

  /// A square picture, transparent outside the circle.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let side = min(bitmap.width, bitmap.height)
    let square = try Crop(.anchored(.center, size: PixelSize(width: side, height: side)))
      .apply(to: bitmap, cancellation: cancellation)
    return try RoundedCorners(radius: Double(side) / 2).apply(
      to: square, cancellation: cancellation)
  }
}

extension ImageTransform where Self == RoundedCorners {
  /// Cuts corners round, with smooth edges.
  public static func roundedCorners(
    radius: Double, corners: RoundedCorners.Corners = .all
  ) -> RoundedCorners { RoundedCorners(radius: radius, corners: corners) }
}

extension ImageTransform where Self == Circle {
  /// Cuts out the largest circle in the middle.
  public static var circle: Circle { Circle() }
}

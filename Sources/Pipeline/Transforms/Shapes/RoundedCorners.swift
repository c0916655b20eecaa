/// Cuts corners round; what is outside becomes transparent, with smooth edges.
public struct RoundedCorners: ImageTransform, Hashable {
  /// Which corners.
  public struct Corners: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Upper left.
    public static let topLeft = Corners(rawValue: 1)
    /// Upper right.
    public static let topRight = Corners(rawValue: 2)
    /// Lower left.
    public static let bottomLeft = Corners(rawValue: 4)
    /// Lower right.
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
    try changing(copyOf: bitmap, cancellation)
  }
}

extension RoundedCorners: RowTransform {
  func change(
    of bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> RowChange? {
    guard radius >= 0 else {
      throw .invalidParameter(
        transform: "rounded corners", reason: "its radius of \(radius) is not 0 or more")
    }
    let radius = min(radius, Double(min(bitmap.width, bitmap.height)) / 2)
    guard radius > 0, !corners.isEmpty else { return nil }
    let (side, height) = (Int(radius.rounded(.up)), bitmap.height)
    return RowChange(hasAlpha: true) { rows in
      for y in rows.range {
        let line = rows[y]
        if y < side {
          cut(line, corners.contains(.topLeft), corners.contains(.topRight), row: y, radius)
        }
        if height - 1 - y < side {
          cut(
            line, corners.contains(.bottomLeft), corners.contains(.bottomRight),
            row: height - 1 - y, radius)
        }
      }
    }
  }

  /// Fades the ends of a row that is the `row`th from the edge.
  private func cut(
    _ line: UnsafeMutableBufferPointer<SIMD4<UInt8>>, _ left: Bool, _ right: Bool, row: Int,
    _ radius: Double
  ) {
    for column in 0..<Int(radius.rounded(.up)) {
      let coverage = Self.coverage(column: column, row: row, radius: radius)
      guard coverage < 1 else { return }
      if left { Self.fade(&line[column], coverage) }
      if right { Self.fade(&line[line.count - 1 - column], coverage) }
    }
  }

  /// How much of a pixel lies within the corner's arc, 0…1; the distance of its centre tells.
  private static func coverage(column: Int, row: Int, radius: Double) -> Double {
    let (x, y) = (radius - Double(column) - 0.5, radius - Double(row) - 0.5)
    guard x > 0, y > 0 else { return 1 }
    return min(1, max(0, radius - (x * x + y * y).squareRoot() + 0.5))
  }

  private static func fade(_ pixel: inout SIMD4<UInt8>, _ coverage: Double) {
    let alpha = UInt8(Double(pixel.w) * coverage + 0.5)
    if alpha == 0 { pixel = .zero } else { pixel.w = alpha }
  }
}

extension ImageTransform where Self == RoundedCorners {
  /// Cuts corners round, with smooth edges.
  public static func roundedCorners(
    radius: Double, corners: RoundedCorners.Corners = .all
  ) -> RoundedCorners { RoundedCorners(radius: radius, corners: corners) }
}

/// A size in whole pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Makes a size; negative values are kept as given and refused where they matter.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// `640×480`.
  public var description: String { "\(width)×\(height)" }
}

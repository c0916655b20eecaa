/// A rectangle of whole pixels; x grows to the right, y down.
struct PixelRectangle: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// The column after the last.
  var maxX: Int { x + width }
  /// The row after the last.
  var maxY: Int { y + height }

  /// The part of it that lies within `size`; without width or height when there is none.
  func clipped(to size: PixelSize) -> PixelRectangle {
    let (left, top) = (min(max(x, 0), size.width), min(max(y, 0), size.height))
    return PixelRectangle(
      x: left, y: top, width: max(0, min(maxX, size.width) - left),
      height: max(0, min(maxY, size.height) - top))
  }
}

import Pipeline

/// A page with a picture and a caption for each load.
struct ContactSheet {
  /// One picture and what is said below it.
  struct Card {
    /// What the picture's place shows.
    enum Picture {
      /// Up to four pictures: one fills the place, more share it.
      case bitmaps([Bitmap])
      /// A load that was stopped at a share of its bytes.
      case stopped(at: Double)
      /// A load that failed, and the shortest word for why.
      case failed(String)
    }

    /// First line of the caption.
    let title: String
    /// Further lines.
    let lines: [String]
    /// What is shown.
    let picture: Picture
  }

  /// Heading of the page.
  let title: String
  /// A line below it.
  let subtitle: String
  /// In reading order.
  let cards: [Card]

  private static let columns = 4
  /// Size of the place for a picture.
  static let picture = PixelSize(width: 240, height: 180)
  private static let margin = 36
  private static let gap = 24
  private static let head = 108
  private static let caption = 104

  /// Draws the page.
  func draw() throws(TransformError) -> Bitmap {
    let columns = Self.columns
    let rows = (cards.count + columns - 1) / columns
    let cardWidth = Self.picture.width + 16
    let cardHeight = Self.picture.height + 16 + Self.caption
    var canvas = Canvas(
      width: Self.margin * 2 + columns * cardWidth + (columns - 1) * Self.gap,
      height: Self.head + rows * cardHeight + max(0, rows - 1) * Self.gap + Self.margin,
      Color(0xEEF1F5))
    canvas.text(title, x: Self.margin, y: 34, scale: 4, Color(0x1D2733))
    canvas.text(subtitle, x: Self.margin, y: 74, Color(0x5C6B7A))
    for (index, card) in cards.enumerated() {
      let x = Self.margin + index % columns * (cardWidth + Self.gap)
      let y = Self.head + index / columns * (cardHeight + Self.gap)
      canvas.panel(
        x: Float(x), y: Float(y) + 2, width: Float(cardWidth), height: Float(cardHeight),
        radius: 10, Color(0xCDD5DE))
      canvas.panel(
        x: Float(x), y: Float(y), width: Float(cardWidth), height: Float(cardHeight),
        radius: 10, Color(0xFFFFFF))
      try Self.draw(card, on: &canvas, x: x + 8, y: y + 8)
    }
    return canvas.bitmap
  }

  private static func draw(
    _ card: Card, on canvas: inout Canvas, x: Int, y: Int
  ) throws(TransformError) {
    switch card.picture {
    case .bitmaps(let bitmaps): try draw(bitmaps, on: &canvas, x: x, y: y)
    case .stopped(let share): drawStopped(at: share, on: &canvas, x: x, y: y)
    case .failed(let word): drawFailed(word, on: &canvas, x: x, y: y)
    }
    let top = y + picture.height + 16
    canvas.text(fitted(card.title), x: x + 2, y: top, Color(0x1D2733))
    for (index, line) in card.lines.enumerated() {
      canvas.text(fitted(line), x: x + 2, y: top + 24 * (index + 1), Color(0x5C6B7A))
    }
  }

  private static func draw(
    _ bitmaps: [Bitmap], on canvas: inout Canvas, x: Int, y: Int
  ) throws(TransformError) {
    let isOne = bitmaps.count == 1
    let cell =
      isOne ? picture : PixelSize(width: picture.width / 2 - 2, height: picture.height / 2 - 2)
    for (index, bitmap) in bitmaps.prefix(4).enumerated() {
      let left = x + index % 2 * (cell.width + 4)
      let top = y + index / 2 * (cell.height + 4)
      canvas.fill(x: left, y: top, width: cell.width, height: cell.height, Color(0xF4F6F8))
      let resize = Resize(to: cell, mode: .fit)
      let small = try resize.apply(to: bitmap, cancellation: CancellationFlag())
      let inX = left + (cell.width - small.width) / 2
      let inY = top + (cell.height - small.height) / 2
      canvas.checkerboard(x: inX, y: inY, width: small.width, height: small.height)
      canvas.draw(small, x: inX, y: inY)
    }
  }

  private static func drawStopped(at share: Double, on canvas: inout Canvas, x: Int, y: Int) {
    canvas.fill(x: x, y: y, width: picture.width, height: picture.height, Color(0xF4F6F8))
    let middle = (x: Float(x + picture.width / 2), y: Float(y) + 68)
    canvas.disc(x: middle.x, y: middle.y, radius: 34, Color(0xE09F3E))
    for side: Float in [-10, 10] {
      canvas.line(
        from: (middle.x + side, middle.y - 12), to: (middle.x + side, middle.y + 12), width: 8,
        Color(0xFFFFFF))
    }
    let width = Float(picture.width) - 48
    canvas.panel(
      x: Float(x) + 24, y: Float(y) + 136, width: width, height: 14, radius: 7, Color(0xD8DEE5))
    canvas.panel(
      x: Float(x) + 24, y: Float(y) + 136, width: max(14, width * Float(min(1, share))),
      height: 14, radius: 7, Color(0xE09F3E))
  }

  private static func drawFailed(_ word: String, on canvas: inout Canvas, x: Int, y: Int) {
    canvas.fill(x: x, y: y, width: picture.width, height: picture.height, Color(0xF4F6F8))
    let middle = (x: Float(x + picture.width / 2), y: Float(y) + 68)
    canvas.disc(x: middle.x, y: middle.y, radius: 34, Color(0xD1495B))
    for side: Float in [-1, 1] {
      canvas.line(
        from: (middle.x - 12 * side, middle.y - 12), to: (middle.x + 12 * side, middle.y + 12),
        width: 8, Color(0xFFFFFF))
    }
    let left = x + (picture.width - Canvas.width(of: word, scale: 3)) / 2
    canvas.text(word, x: left, y: y + 130, scale: 3, Color(0xD1495B))
  }

  /// The text, cut to the width of a picture.
  private static func fitted(_ text: String) -> String {
    let limit = picture.width / (DotFont.advance * 2)
    return text.count <= limit ? text : String(text.prefix(limit - 1)) + "…"
  }
}

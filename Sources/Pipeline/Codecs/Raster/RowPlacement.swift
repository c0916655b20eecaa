/// Where the pixels of a stored row lie in the upright picture.
struct RowPlacement {
  /// Pixels from the start of the picture to a row's first pixel.
  private let origin: Int
  /// Pixels from one row's first to the next row's.
  private let rowStep: Int
  /// Pixels from one pixel of a row to the next.
  let pixelStep: Int

  init(storedSize: PixelSize, orientation: Orientation) {
    let (width, height) = (storedSize.width, storedSize.height)
    switch orientation {
    case .up: (origin, rowStep, pixelStep) = (0, width, 1)
    case .upMirrored: (origin, rowStep, pixelStep) = (width - 1, width, -1)
    case .down: (origin, rowStep, pixelStep) = (width * height - 1, -width, -1)
    case .downMirrored: (origin, rowStep, pixelStep) = (width * (height - 1), -width, 1)
    case .leftMirrored: (origin, rowStep, pixelStep) = (0, 1, height)
    case .right: (origin, rowStep, pixelStep) = (height - 1, -1, height)
    case .rightMirrored: (origin, rowStep, pixelStep) = (width * height - 1, -1, -height)
    case .left: (origin, rowStep, pixelStep) = (height * (width - 1), 1, -height)
    }
  }

  /// Pixels from the start of the picture to the first pixel of stored row `row`.
  func start(ofRow row: Int) -> Int { origin + row * rowStep }
}

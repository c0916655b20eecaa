import Pipeline

/// A transform as the contact sheet shows it.
struct TransformSample {
  /// What it is called.
  let title: String
  /// What it is told, as its key says.
  let lines: [String]
  /// What it is.
  let transform: any ImageTransform

  init(_ title: String, _ transform: any ImageTransform) {
    self.title = title
    self.transform = transform
    // A key too long for a line goes on in the next.
    let key = transform.key.split(separator: ";").joined(separator: " + ")
    let width = 19
    lines = stride(from: 0, to: min(key.count, width * 3), by: width).map { start in
      String(key.dropFirst(start).prefix(width))
    }
  }

  /// One or more of each, for a picture of a contact sheet's size.
  static func all(of picture: Bitmap) -> [TransformSample] {
    let (width, height) = (picture.width, picture.height)
    return [TransformSample("as it is", TransformChain([]))]
      + sizes(width, height) + turns + filters + colors + shapes(width, height)
      + marks(picture)
  }

  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: max(1, width), height: max(1, height))
  }

  private static func sizes(_ width: Int, _ height: Int) -> [TransformSample] {
    [
      TransformSample("fit", .resize(fitting: size(150, 150))),
      TransformSample("fill", .resize(filling: size(100, 140))),
      TransformSample("exact", .resize(to: size(220, 60))),
    ]
      + ResampleFilter.allCases.map { filter in
        TransformSample(
          "8 times, \(filter.rawValue)",
          TransformChain([
            .resize(to: size(width / 8, height / 8), filter: .box),
            .resize(to: size(width, height), filter: filter),
          ]))
      } + [
        TransformSample(
          "crop", .crop(x: width / 4, y: height / 4, size: size(width / 2, height / 2))),
        TransformSample(
          "crop at a corner", .crop(to: size(width / 2, height / 2), at: .bottomRight)),
        TransformSample(
          "pad",
          TransformChain([
            .resize(fitting: size(140, 140)),
            .pad(to: size(200, 160), anchor: .bottomLeft, color: teal),
          ])),
      ]
  }

  private static let turns = [
    TransformSample("rotate by 90", .rotate(degrees: 90)),
    TransformSample("rotate by 20", .rotate(degrees: 20)),
    TransformSample("flip", .flip(.horizontal)),
    TransformSample("flip", .flip(.vertical)),
  ]

  private static let filters = [
    TransformSample("blur, Gaussian", .blur(sigma: 1.5)),
    TransformSample("blur, boxes", .blur(sigma: 8)),
    TransformSample("sharpen", .sharpen(amount: 1.5)),
    TransformSample("pixelate", .pixelate(side: 12)),
  ]

  private static let colors =
    [
      TransformSample("grayscale", .grayscale),
      TransformSample("sepia by a matrix", sepia),
      TransformSample(
        "controls", .colorControls(brightness: 0.05, contrast: 1.3, saturation: 1.6)),
    ]
    + BlendMode.allCases.map {
      TransformSample("tint, \($0.rawValue)", .tint(orange, blend: $0))
    }

  private static func shapes(_ width: Int, _ height: Int) -> [TransformSample] {
    [
      TransformSample("rounded corners", .roundedCorners(radius: 28)),
      TransformSample(
        "two corners", .roundedCorners(radius: 48, corners: [.topLeft, .bottomRight])),
      TransformSample("circle", .circle),
      TransformSample("border", .border(width: 6, color: teal)),
      TransformSample(
        "round border",
        TransformChain([
          .roundedCorners(radius: 28), .border(width: 4, color: orange, radius: 28),
        ])),
      TransformSample("background", TransformChain([.circle, .background(teal)])),
    ]
  }

  private static func marks(_ picture: Bitmap) -> [TransformSample] {
    let mark = Scene.glass(56, 56).bitmap
    return [
      TransformSample(
        "watermark",
        .watermark(mark, name: "glass", placement: .once(.bottomRight, margin: 8), opacity: 0.9)),
      TransformSample(
        "tiled, screen",
        .watermark(
          mark, name: "glass", placement: .tiled(spacing: 20), opacity: 0.5, blend: .screen)),
      TransformSample(
        "your own",
        .custom("negative") { bitmap, flag in
          try ColorMatrix(
            red: SIMD4(-1, 0, 0, 255), green: SIMD4(0, -1, 0, 255), blue: SIMD4(0, 0, -1, 255)
          ).apply(to: bitmap, cancellation: flag)
        }),
    ]
  }

  private static let teal = Pixel(red: 20, green: 140, blue: 140)
  private static let orange = Pixel(red: 240, green: 130, blue: 30, alpha: 160)
  private static let sepia = ColorMatrix(
    red: SIMD4(0.393, 0.769, 0.189, 0), green: SIMD4(0.349, 0.686, 0.168, 0),
    blue: SIMD4(0.272, 0.534, 0.131, 0))
}

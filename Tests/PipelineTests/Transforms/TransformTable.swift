import Testing

@testable import Pipeline

/// One row for each transform; what holds for all of them is tested on each.
struct TransformRow: Sendable, CustomTestStringConvertible {
  /// The type's name, as in the sources.
  let name: String
  /// A value that changes every picture of more than a few pixels.
  let sample: any ImageTransform
  /// The sample's key: caches on disk are found by it, so it must never change.
  let key: String
  /// Whether a picture of one colour keeps that colour everywhere.
  let keepsOneColor: Bool
  /// Values that change nothing and are not named in the image's key.
  var idle: [any ImageTransform] = []
  /// Values that change nothing of a picture of 16×12, but may of another.
  var idleFor16x12: [any ImageTransform] = []
  /// Values that are refused.
  var bad: [any ImageTransform] = []
  /// Values at the ends of what is allowed.
  var extreme: [any ImageTransform] = []

  var testDescription: String { name }
}

extension TransformRow {
  static let all = geometry + filters + colors + shapes + composed

  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  private static let badSizes = [
    size(0, 5), size(5, 0), size(-1, 5), size(5, .min), size(.min, .max),
  ]

  private static let geometry = [
    TransformRow(
      name: "Resize", sample: Resize.resize(to: size(7, 5)), key: "resize(7x5,exact,lanczos3,up)",
      keepsOneColor: true,
      idleFor16x12: [
        Resize.resize(to: size(16, 12)), Resize.resize(fitting: size(16, 99)),
        Resize.resize(filling: size(16, 12)), Resize.resize(fitting: size(99, 99)),
      ],
      bad: badSizes.flatMap {
        [Resize.resize(to: $0), Resize.resize(fitting: $0), Resize.resize(filling: $0)]
      } + [
        Resize.resize(to: size(.max, .max)), Resize.resize(to: size(10_001, 10_001)),
        Resize.resize(filling: size(1_000_000, 1_000_000), upscales: true),
      ],
      extreme: [
        Resize.resize(to: size(1, 1)), Resize.resize(to: size(1, 100_000)),
        Resize.resize(to: size(100_000, 1)),
      ]),
    TransformRow(
      name: "Crop", sample: Crop.crop(x: 1, y: 0, size: size(4, 3)), key: "crop(1,0,4x3)",
      keepsOneColor: true,
      idleFor16x12: [
        Crop.crop(x: 0, y: 0, size: size(16, 12)), Crop.crop(to: size(16, 12)),
        Crop.crop(to: size(.max, .max), at: .topLeft),
      ],
      bad: badSizes.flatMap { [Crop.crop(to: $0), Crop.crop(x: 0, y: 0, size: $0)] } + [
        Crop.crop(x: 1_000_000, y: 0, size: size(1, 1)), Crop.crop(x: -9, y: 0, size: size(9, 9)),
        Crop.crop(x: .max, y: .min, size: size(.max, .max)),
      ],
      extreme: [Crop.crop(to: size(1, 1)), Crop.crop(x: 0, y: 0, size: size(.max, 1))]),
    TransformRow(
      name: "Pad", sample: Pad.pad(to: size(40, 30), anchor: .top, color: Pixel(gray: 9)),
      key: "pad(40x30,top,090909ff)", keepsOneColor: false,
      idleFor16x12: [Pad.pad(to: size(16, 12)), Pad.pad(to: size(1, 1))],
      bad: badSizes.map { Pad.pad(to: $0) } + [
        Pad.pad(to: size(.max, .max)), Pad.pad(to: size(100_000, 1_001)),
      ]),
    TransformRow(
      name: "Rotate", sample: Rotate.rotate(degrees: 30), key: "rotate(30.0)", keepsOneColor: false,
      idle: [0, 360, -720].map { Rotate.rotate(degrees: $0) },
      bad: [.nan, .infinity, -.infinity].map { Rotate.rotate(degrees: $0) },
      extreme: [90, 180, 270, -1e300, 1e-300].map { Rotate.rotate(degrees: $0) }),
    TransformRow(
      name: "Flip", sample: Flip.flip(.vertical), key: "flip(vertical)", keepsOneColor: true,
      extreme: [Flip.flip(.horizontal)]),
  ]

  private static let filters = [
    TransformRow(
      name: "Blur", sample: Blur.blur(sigma: 3), key: "blur(3.0)", keepsOneColor: true,
      idle: [0, 0.05].map { Blur.blur(sigma: $0) },
      bad: [-1, .nan, .infinity, -.infinity, 10_001].map { Blur.blur(sigma: $0) },
      extreme: [0.1, 2, 2.001, 10_000].map { Blur.blur(sigma: $0) }),
    TransformRow(
      name: "Sharpen", sample: Sharpen.sharpen(amount: 1, sigma: 2), key: "sharpen(1.0,2.0)",
      keepsOneColor: true,
      idle: [Sharpen.sharpen(amount: 0), Sharpen.sharpen(amount: 1, sigma: 0)],
      bad: [-1, .nan, .infinity, 101].map { Sharpen.sharpen(amount: $0) }
        + [-1, .nan, .infinity].map { Sharpen.sharpen(amount: 1, sigma: $0) },
      extreme: [Sharpen.sharpen(amount: 100, sigma: 10_000)]),
    TransformRow(
      name: "Pixelate", sample: Pixelate.pixelate(side: 3), key: "pixelate(3)", keepsOneColor: true,
      idle: [Pixelate.pixelate(side: 1)], bad: [0, -1, .min].map { Pixelate.pixelate(side: $0) },
      extreme: [Pixelate.pixelate(side: .max)]),
  ]

  private static let colors = [
    TransformRow(
      name: "ColorMatrix", sample: ColorMatrix.grayscale,
      key: "matrix(0.299,0.587,0.114,0.0,0.299,0.587,0.114,0.0,0.299,0.587,0.114,0.0)",
      keepsOneColor: true, idle: [ColorMatrix.identity],
      bad: [Float.nan, .infinity].map {
        ColorMatrix(red: SIMD4($0, 0, 0, 0), green: .one, blue: .one)
      },
      extreme: [
        ColorMatrix(
          red: SIMD4(.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0, 0),
          green: SIMD4(repeating: -.greatestFiniteMagnitude), blue: .zero)
      ]),
    TransformRow(
      name: "ColorControls", sample: ColorControls.colorControls(brightness: 0.25, contrast: 0.5),
      key: "controls(0.25,0.5,1.0)", keepsOneColor: true, idle: [ColorControls.colorControls()],
      bad: [
        ColorControls.colorControls(brightness: -1.1),
        ColorControls.colorControls(brightness: .nan),
        ColorControls.colorControls(contrast: 10.1), ColorControls.colorControls(saturation: -0.1),
        ColorControls.colorControls(saturation: .infinity),
      ],
      extreme: [
        ColorControls.colorControls(brightness: 1, contrast: 10, saturation: 10),
        ColorControls.colorControls(brightness: -1, contrast: 0, saturation: 0),
      ]),
    TransformRow(
      name: "Tint",
      sample: Tint.tint(Pixel(red: 9, green: 200, blue: 90, alpha: 128), blend: .screen),
      key: "tint(09c85a80,screen)", keepsOneColor: true, idle: [Tint.tint(.clear)],
      extreme: BlendMode.allCases.map { Tint.tint(Pixel(gray: 255), blend: $0) }),
    TransformRow(
      name: "Background", sample: Background.background(Pixel(red: 1, green: 2, blue: 3)),
      key: "background(010203ff)", keepsOneColor: true, idle: [Background.background(.clear)],
      extreme: [Background.background(Pixel(red: 1, green: 2, blue: 3, alpha: 4))]),
  ]

  private static let shapes = [
    TransformRow(
      name: "RoundedCorners", sample: RoundedCorners.roundedCorners(radius: 5),
      key: "rounded(5.0)", keepsOneColor: false,
      idle: [
        RoundedCorners.roundedCorners(radius: 0),
        RoundedCorners.roundedCorners(radius: 5, corners: []),
      ],
      bad: [-1, .nan, -.infinity].map { RoundedCorners.roundedCorners(radius: $0) },
      extreme: [1e9, .infinity, 1e-300].map { RoundedCorners.roundedCorners(radius: $0) }),
    TransformRow(name: "Circle", sample: Circle.circle, key: "circle", keepsOneColor: false),
    TransformRow(
      name: "Border", sample: Border.border(width: 2, color: Pixel(red: 255, green: 0, blue: 0)),
      key: "border(2.0,ff0000ff,0.0)", keepsOneColor: false,
      idle: [
        Border.border(width: 0, color: Pixel(gray: 1)), Border.border(width: 3, color: .clear),
      ],
      bad: [-1, .nan].flatMap {
        [
          Border.border(width: $0, color: Pixel(gray: 1)),
          Border.border(width: 1, color: Pixel(gray: 1), radius: $0),
        ]
      },
      extreme: [
        Border.border(width: .infinity, color: Pixel(gray: 1), radius: .infinity),
        Border.border(width: 1e-300, color: Pixel(gray: 1), radius: 1e300),
      ]),
    TransformRow(
      name: "Watermark", sample: Watermark.watermark(mark, name: "dot", opacity: 0.5),
      key: "watermark(dot,3x3,bottomRight,0,0.5,normal)", keepsOneColor: false,
      idle: [Watermark.watermark(mark, name: "dot", opacity: 0)],
      idleFor16x12: [
        Watermark.watermark(mark, name: "dot", placement: .once(.topLeft, margin: 500))
      ],
      bad: [-0.1, 1.1, .nan, .infinity].map { Watermark.watermark(mark, name: "dot", opacity: $0) }
        + [Watermark.watermark(mark, name: "dot", placement: .tiled(spacing: -1))],
      extreme: [
        Watermark.watermark(
          Bitmap(size: size(300, 900), color: Pixel(gray: 7)), name: "large",
          placement: .once(.center, margin: .min)),
        Watermark.watermark(mark, name: "dot", placement: .tiled(spacing: .max)),
      ]),
  ]

  private static let composed = [
    TransformRow(
      name: "TransformChain", sample: TransformChain([Flip.flip(.vertical), Blur.blur(sigma: 1)]),
      key: "flip(vertical);blur(1.0)", keepsOneColor: true,
      idle: [
        TransformChain([]), TransformChain([Blur.blur(sigma: 0), Rotate.rotate(degrees: 0)]),
      ],
      bad: [TransformChain([Flip.flip(.vertical), Blur.blur(sigma: -1)])]),
    TransformRow(
      name: "Attempt", sample: Attempt.attempt(Flip.flip(.vertical)),
      key: "attempt(flip(vertical))", keepsOneColor: true, idle: [Attempt([])],
      idleFor16x12: [
        Attempt.attempt(Flip.flip(.vertical), Blur.blur(sigma: -1)),
        Attempt.attempt(Crop.crop(to: PixelSize(width: 0, height: 0))),
      ]),
    TransformRow(
      name: "CustomTransform",
      sample: CustomTransform.custom("turned") { bitmap, flag in
        try Rotate(degrees: 180).apply(to: bitmap, cancellation: flag)
      },
      key: "custom(turned)", keepsOneColor: true,
      bad: [
        CustomTransform.custom("") { bitmap, _ in bitmap },
        CustomTransform.custom("no") { _, _ in throw CancellationError() },
      ]),
  ]

  private static let mark = Picture.make(3, 3) { x, y in
    Pixel(red: 0, green: 0, blue: UInt8(100 * x), alpha: UInt8(255 - 100 * y))
  }
}

import Pipeline
import Testing

struct ColorTransformTests {
  private let picture = Picture.make(2, 1) { x, _ in
    x == 0 ? Pixel(red: 200, green: 100, blue: 50) : Pixel(red: 10, green: 20, blue: 30, alpha: 100)
  }

  @Test func `grey has the brightness of the colour, alpha stays`() throws {
    let gray = try ColorMatrix.grayscale.apply(to: picture)
    #expect(gray[0, 0] == Pixel(gray: 124))
    #expect(gray[1, 0] == Pixel(red: 18, green: 18, blue: 18, alpha: 100))
  }

  @Test func `the identity is the same bitmap without a key`() throws {
    #expect(try ColorMatrix.identity.apply(to: picture) == picture)
    #expect(ColorMatrix.identity.key == "" && ColorControls().key == "")
    #expect(try ColorControls().apply(to: picture) == picture)
  }

  @Test func `contrast turns around middle grey and brightness adds`() throws {
    let flat = try ColorControls(contrast: 0).apply(to: picture)
    #expect(flat[0, 0] == Pixel(gray: 128))
    let bright = try ColorControls(brightness: 0.2).apply(to: picture)
    #expect(bright[0, 0] == Pixel(red: 251, green: 151, blue: 101))
    let white = try ColorControls(brightness: 1).apply(to: picture)
    #expect(white[0, 0] == Pixel(gray: 255))
  }

  @Test(arguments: [(2, 1, 1), (0, -1, 1), (0, 1, 11), (.nan, 1, 1), (0, .infinity, 1)])
  func `controls beyond their range are a typed error`(
    brightness: Double, contrast: Double, saturation: Double
  ) {
    #expect(throws: TransformError.self) {
      try ColorControls(brightness: brightness, contrast: contrast, saturation: saturation).apply(
        to: picture)
    }
  }

  @Test func `a matrix with a number that is not finite is a typed error`() {
    var matrix = ColorMatrix.identity
    matrix.green.w = .nan
    #expect(throws: TransformError.self) { try matrix.apply(to: picture) }
    matrix.green.w = .greatestFiniteMagnitude
    #expect(throws: Never.self) { try matrix.apply(to: picture) }
  }

  @Test(arguments: [
    (BlendMode.normal, 51), (.multiply, 20), (.screen, 131), (.overlay, 40), (.darken, 51),
    (.lighten, 100), (.colorDodge, 125), (.colorBurn, 0), (.hardLight, 40), (.difference, 49),
    (.exclusion, 111), (.softLight, 63),
  ])
  func `a tint of 51 on 100 blends as the recommendation says`(mode: BlendMode, result: Int)
    throws
  {
    let tinted = try Tint(Pixel(gray: 51), blend: mode).apply(to: Picture.gray([100]))
    #expect(abs(Int(tinted[0, 0].red) - result) <= 1)
  }

  @Test func `a tint keeps transparency and weighs by its alpha`() throws {
    let half = Pixel(red: 0, green: 0, blue: 0, alpha: 128)
    let tinted = try Tint(half).apply(to: picture)
    #expect(tinted[0, 0] == Pixel(red: 100, green: 50, blue: 25))
    #expect(tinted[1, 0].alpha == 100)
    #expect(Tint(.clear).key == "")
  }

  @Test func `a background fills what is transparent and leaves nothing so`() throws {
    let result = try Background(Pixel(gray: 255)).apply(to: picture)
    #expect(result[0, 0] == Pixel(red: 200, green: 100, blue: 50))
    #expect(result[1, 0].alpha == 255 && result[1, 0].red == 159)
    #expect(!result.hasAlpha)
    #expect(try Background(Pixel(gray: 9)).apply(to: Picture.gray([1])) == Picture.gray([1]))
  }

  @Test func `a border has its width and follows round corners`() throws {
    let white = Bitmap(size: PixelSize(width: 20, height: 12), color: Pixel(gray: 255))
    let red = Pixel(red: 255, green: 0, blue: 0)
    let result = try Border(width: 2, color: red).apply(to: white)
    for (x, y, isLine) in [
      (0, 0, true), (1, 6, true), (2, 6, false), (18, 6, true), (17, 6, false), (9, 1, true),
      (9, 2, false), (9, 10, true), (9, 9, false), (19, 11, true),
    ] {
      #expect(result[x, y] == (isLine ? red : Pixel(gray: 255)), "\(x),\(y)")
    }
    let round = try RoundedCorners(radius: 5).apply(to: white)
    let framed = try Border(width: 2, color: red, radius: 5).apply(to: round)
    #expect(framed[0, 0] == .clear && framed[10, 0] == red && framed[10, 6] == Pixel(gray: 255))
    #expect(try Border(width: .infinity, color: red).apply(to: white)[10, 6] == red)
  }

  @Test(arguments: [(-1.0, 0.0), (.nan, 0), (1, -1), (1, .nan)])
  func `a border of nonsense is a typed error`(width: Double, radius: Double) {
    #expect(throws: TransformError.self) {
      try Border(width: width, color: .clear, radius: radius).apply(to: picture)
    }
  }

  @Test func `a watermark lies at its anchor, its margin off the edges`() throws {
    let page = Bitmap(size: PixelSize(width: 10, height: 10), color: Pixel(gray: 255))
    let mark = Bitmap(size: PixelSize(width: 2, height: 2), color: Pixel(gray: 0))
    let once = try Watermark(mark, name: "m", placement: .once(.bottomRight, margin: 1)).apply(
      to: page)
    #expect(once.reds(row: 8) == [255, 255, 255, 255, 255, 255, 255, 0, 0, 255])
    #expect(once.reds(row: 9).allSatisfy { $0 == 255 })
    let tiled = try Watermark(mark, name: "m", placement: .tiled(spacing: 2)).apply(to: page)
    #expect(tiled.reds(row: 4) == [0, 0, 255, 255, 0, 0, 255, 255, 0, 0])
    #expect(tiled.reds(row: 2).allSatisfy { $0 == 255 })
  }

  @Test func `a watermark larger than the picture covers it without a trap`() throws {
    let mark = Bitmap(size: PixelSize(width: 50, height: 50), color: Pixel(gray: 0))
    for placement in [
      Watermark.Placement.once(.center, margin: 0), .once(.topLeft, margin: 0),
      .tiled(spacing: .max),
    ] {
      let result = try Watermark(mark, name: "m", placement: placement).apply(to: picture)
      #expect(result[0, 0] == Pixel(gray: 0))
    }
    for margin in [Int.min, Int.max] {
      #expect(throws: Never.self) {
        try Watermark(mark, name: "m", placement: .once(.center, margin: margin)).apply(to: picture)
      }
    }
    #expect(throws: TransformError.self) {
      try Watermark(mark, name: "m", placement: .tiled(spacing: -1)).apply(to: picture)
    }
  }

  @Test func `a closure is keyed by its name and its error is kept in words`() throws {
    struct Broken: Error {}
    let flip = CustomTransform(name: "flip") { bitmap, flag in
      try Flip(.horizontal).apply(to: bitmap, cancellation: flag)
    }
    #expect(flip.key == "custom(flip)")
    #expect(try flip.apply(to: picture) == (try Flip(.horizontal).apply(to: picture)))
    #expect(throws: TransformError.failed(transform: "custom(x)", reason: "Broken()")) {
      try CustomTransform(name: "x") { _, _ in throw Broken() }.apply(to: picture)
    }
    #expect(throws: TransformError.self) {
      try CustomTransform(name: "") { bitmap, _ in bitmap }.apply(to: picture)
    }
  }
}

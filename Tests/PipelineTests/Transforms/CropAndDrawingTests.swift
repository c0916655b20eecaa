import Pipeline
import Testing

struct CropAndDrawingTests {
  private let picture = Picture.gradient(10, 6)

  private func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  @Test func `a rectangle is cut out pixel for pixel`() throws {
    let part = try Crop(.rectangle(x: 2, y: 1, size: size(3, 4))).apply(to: picture)
    #expect(part == Picture.make(3, 4, hasAlpha: false) { picture[$0 + 2, $1 + 1] })
  }

  @Test func `what lies outside the picture is left out`() throws {
    let part = try Crop(.rectangle(x: -5, y: 4, size: size(8, 100))).apply(to: picture)
    #expect(part == Picture.make(3, 2, hasAlpha: false) { picture[$0, $1 + 4] })
  }

  @Test(arguments: Anchor.allCases) func `an anchored part keeps its side of the picture`(
    anchor: Anchor
  ) throws {
    let part = try Crop(.anchored(anchor, size: size(4, 2))).apply(to: picture)
    let (x, y) = anchor.origin(of: size(4, 2), in: picture.size)
    #expect(part[0, 0] == picture[x, y] && part[3, 1] == picture[x + 3, y + 1])
  }

  @Test(arguments: [
    (0, 0, 0, 5), (0, 0, 5, -1), (10, 0, 5, 5), (-5, -5, 5, 5), (Int.max, Int.min, 5, 5),
    (Int.min, Int.min, 3, Int.max),
  ])
  func `a part outside or without size is a typed error`(x: Int, y: Int, width: Int, height: Int) {
    #expect(throws: TransformError.self) {
      try Crop(.rectangle(x: x, y: y, size: size(width, height))).apply(to: picture)
    }
  }

  @Test func `all of the picture is the same bitmap`() throws {
    #expect(try Crop(.rectangle(x: 0, y: 0, size: size(10, 6))).apply(to: picture) == picture)
    #expect(
      try Crop(.rectangle(x: -1, y: -1, size: size(.max, .max))).apply(to: picture) == picture)
  }

  @Test func `padding puts the picture at its anchor`() throws {
    let red = Pixel(red: 255, green: 0, blue: 0)
    let result = try Pad(to: size(14, 6), anchor: .right, color: red).apply(to: picture)
    #expect(result[3, 0] == red && result[4, 0] == picture[0, 0])
    #expect(!result.hasAlpha)
    #expect(try Pad(to: size(3, 3)).apply(to: picture) == picture)
    #expect(throws: TransformError.self) { try Pad(to: size(.max, 3)).apply(to: picture) }
  }

  @Test func `half transparent over opaque is the mean, over nothing itself`() {
    let half = Bitmap(size: size(1, 1), color: Pixel(red: 200, green: 0, blue: 0, alpha: 128))
    let blue = Bitmap(size: size(1, 1), color: Pixel(red: 0, green: 0, blue: 100))
    let laid = blue.drawing(half, x: 0, y: 0)[0, 0]
    #expect(laid == Pixel(red: 100, green: 0, blue: 50))
    let nothing = Bitmap(size: size(1, 1), color: .clear)
    #expect(nothing.drawing(half, x: 0, y: 0) == half)
  }

  @Test(arguments: [(Int.min, Int.min), (.max, .max), (-100, 0), (0, 6)])
  func `drawing outside changes nothing`(x: Int, y: Int) {
    #expect(picture.drawing(picture, x: x, y: y) == picture)
  }

  @Test func `drawing leaves out what lies outside`() {
    let result = picture.drawing(Bitmap(size: size(4, 4), color: Pixel(gray: 1)), x: 8, y: -2)
    #expect(result[8, 0] == Pixel(gray: 1) && result[9, 1] == Pixel(gray: 1))
    #expect(result[7, 0] == picture[7, 0] && result[8, 2] == picture[8, 2])
  }

  @Test func `transforms are written by their short names`() throws {
    let chain: [any ImageTransform] = [
      .resize(fitting: size(4, 4)), .roundedCorners(radius: 1), .circle,
      .crop(to: size(2, 2)), .pad(to: size(3, 3)),
    ]
    #expect(try TransformChain(chain).apply(to: picture).size == size(3, 3))
    #expect(TransformChain(chain).key.split(separator: ";").count == 5)
  }
}

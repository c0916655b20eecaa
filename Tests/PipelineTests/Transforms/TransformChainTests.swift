import Testing

@testable import Pipeline

struct TransformChainTests {
  private let picture = Picture.make(90, 70) { x, y in
    Pixel(
      red: UInt8(x * 2), green: UInt8(y * 3), blue: UInt8((x * y) % 256),
      alpha: UInt8(255 - (x + y)))
  }

  private func stepByStep(_ steps: [any ImageTransform]) throws -> Bitmap {
    var result = picture
    for step in steps { result = try step.apply(to: result) }
    return result
  }

  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  @Test func `what changes pixels where they are does so in memory just made, to the same effect`()
    throws
  {
    let steps: [any ImageTransform] = [
      .resize(fitting: Self.size(40, 40)), .roundedCorners(radius: 6),
      .border(width: 2, color: Pixel(red: 255, green: 0, blue: 0), radius: 6),
      .tint(Pixel(red: 0, green: 0, blue: 90, alpha: 60)), .colorControls(contrast: 1.2),
      .grayscale, .sharpen(amount: 0.5), .background(Pixel(gray: 200)),
    ]
    let joined = try TransformChain(steps).apply(to: picture)
    #expect(joined == (try stepByStep(steps)))
    let made = try Resize.resize(fitting: Self.size(40, 40)).apply(to: picture)
    let before = made.storage
    #expect(try Tint(Pixel(gray: 9)).changing(inPlace: made, .init()).storage === before)
  }

  @Test func `a picture that the caller or a closure holds is never changed where it is`() throws {
    let copy = picture.drawing(Bitmap(size: Self.size(1, 1), color: picture[0, 0]), x: 0, y: 0)
    let kept = try Flip(.vertical).apply(to: picture)
    let keptCopy = try Flip(.vertical).apply(to: picture)
    let steps: [any ImageTransform] = [
      Blur(sigma: 0), Tint(Pixel(gray: 1)), CustomTransform(name: "kept") { _, _ in kept },
      .roundedCorners(radius: 9),
    ]
    _ = try TransformChain(steps).apply(to: picture)
    #expect(kept == keptCopy && picture[0, 0] == copy[0, 0])
    #expect(picture.reds(row: 69) == copy.reds(row: 69))
  }

  @Test(
    arguments: [
      [Rotate(degrees: 90)], [Rotate(degrees: 180)], [Flip(.horizontal)],
      [Rotate(degrees: 270), Flip(.vertical)], [Flip(.vertical), Rotate(degrees: 90)],
    ] as [[any ImageTransform]])
  func `turning before shrinking is done to the small picture`(turns: [any ImageTransform]) throws {
    for resize in [
      Resize.resize(fitting: Self.size(31, 20)), .resize(filling: Self.size(20, 31)),
      .resize(to: Self.size(13, 50)), .resize(fitting: Self.size(31, 20), filter: .box),
    ] {
      let steps = turns + [resize]
      let (joined, single) = (try TransformChain(steps).apply(to: picture), try stepByStep(steps))
      #expect(joined.size == single.size)
      let worst = joined.withUnsafeBytes { a in
        single.withUnsafeBytes { b in zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 255 }
      }
      #expect(worst <= 1)
    }
  }

  @Test func `turning before growing stays first, and an odd angle is not joined`() throws {
    let grow: [any ImageTransform] = [
      Rotate(degrees: 90), Resize.resize(to: Self.size(200, 300)),
    ]
    #expect(try TransformChain(grow).apply(to: picture) == stepByStep(grow))
    let odd: [any ImageTransform] = [Rotate(degrees: 30), Resize.resize(to: Self.size(20, 30))]
    #expect(try TransformChain(odd).apply(to: picture) == stepByStep(odd))
  }
}

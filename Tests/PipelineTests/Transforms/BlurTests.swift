import Foundation
import Pipeline
import Testing

struct BlurTests {
  @Test(arguments: [0.5, 1, 2, 2.5, 4, 10, 25])
  func `a point spreads with the variance asked for`(sigma: Double) throws {
    let side = Int(sigma * 10) * 2 + 21
    let middle = side / 2
    // A line across the picture: its profile is the filter itself.
    let line = Picture.make(side, 1, hasAlpha: false) { x, _ in
      Pixel(gray: abs(x - middle) <= middle / 2 ? 255 : 0)
    }
    let blurred = try Blur(sigma: sigma).apply(to: line).reds().map(Double.init)
    let edge = Double(middle / 2) + 0.5
    // The derivative of a blurred step is the Gaussian: compare with its integral.
    var worst = 0.0
    for x in middle..<side {
      let distance = Double(x - middle) - edge
      let ideal = 127.5 * erfc(distance / (sigma * 2.0.squareRoot()))
      worst = max(worst, abs(blurred[x] - ideal))
    }
    #expect(worst <= (sigma < 1 ? 16 : 4), "off by \(worst)")
  }

  @Test(arguments: [0.7, 3, 40]) func `one colour stays that colour`(sigma: Double) throws {
    let picture = Bitmap(
      size: PixelSize(width: 40, height: 30), color: Pixel(red: 3, green: 99, blue: 250))
    #expect(try Blur(sigma: sigma).apply(to: picture) == picture)
  }

  @Test(arguments: [1, 5]) func `transparent surroundings lend no colour`(sigma: Double) throws {
    let picture = Picture.make(60, 60) { x, y in
      (20..<40).contains(x) && (20..<40).contains(y)
        ? Pixel(gray: 255) : Pixel(red: 0, green: 0, blue: 0, alpha: 0)
    }
    let result = try Blur(sigma: sigma).apply(to: picture)
    for x in 0..<60 where result[x, 30].alpha > 3 { #expect(result[x, 30].red >= 254) }
    #expect((1..<255).contains(result[20, 30].alpha))
  }

  @Test func `a sigma of zero is the same bitmap without a key`() throws {
    let picture = Picture.gradient(9, 9)
    #expect(try Blur(sigma: 0).apply(to: picture) == picture)
    #expect(Blur(sigma: 0).key == "" && Blur(sigma: 2).key == "blur(2.0)")
  }

  @Test(arguments: [-1, .nan, .infinity, 1e9])
  func `a sigma that is negative, huge or no number is a typed error`(sigma: Double) {
    #expect(throws: TransformError.self) { try Blur(sigma: sigma).apply(to: Picture.gray([1, 2])) }
  }

  @Test(arguments: [(1, 1), (1, 500), (500, 1), (3, 3)], [0.3, 1.9, 2.1, 9_999])
  func `thin and tiny pictures survive any sigma`(size: (Int, Int), sigma: Double) throws {
    let picture = Picture.gradient(size.0, size.1)
    #expect(try Blur(sigma: sigma).apply(to: picture).size == picture.size)
  }

  @Test func `cancelled work stops`() {
    let flag = CancellationFlag()
    flag.cancel()
    for sigma in [1.0, 10] {
      #expect(throws: TransformError.cancelled) {
        try Blur(sigma: sigma).apply(to: Picture.gradient(50, 50), cancellation: flag)
      }
    }
  }

  @Test func `sharpening steepens an edge and leaves flat parts`() throws {
    let edge = Picture.gray([50, 50, 50, 50, 50, 150, 150, 150, 150, 150])
    let result = try Sharpen(amount: 1).apply(to: edge).reds()
    #expect(result[0] == 50 && result[9] == 150)
    #expect(result[4] < 50 && result[5] > 150)
    #expect(try Sharpen(amount: 0).apply(to: edge) == edge)
  }

  @Test(arguments: [(-1.0, 1.0), (.nan, 1), (1, -1), (1, .infinity)])
  func `sharpening by nonsense is a typed error`(amount: Double, sigma: Double) {
    #expect(throws: TransformError.self) {
      try Sharpen(amount: amount, sigma: sigma).apply(to: Picture.gray([1, 2]))
    }
  }

  @Test func `squares have the mean of what they cover, at the edges too`() throws {
    let result = try Pixelate(side: 2).apply(to: Picture.gray([0, 100, 7, 9, 200]))
    #expect(result.reds() == [50, 50, 8, 8, 200])
    #expect(try Pixelate(side: .max).apply(to: Picture.gray([0, 100])).reds() == [50, 50])
    for side in [0, -1, .min] {
      #expect(throws: TransformError.self) {
        try Pixelate(side: side).apply(to: Picture.gray([1, 2]))
      }
    }
  }
}

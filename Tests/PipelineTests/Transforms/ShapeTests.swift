import Pipeline
import Testing

struct ShapeTests {
  private let white = Bitmap(size: PixelSize(width: 20, height: 10), color: Pixel(gray: 255))

  @Test func `rounded corners are clear at the corner, whole inside, smooth between`() throws {
    let result = try RoundedCorners(radius: 4).apply(to: white)
    #expect(result[0, 0] == .clear && result[19, 9] == .clear)
    #expect(result[10, 0].alpha == 255 && result[0, 5].alpha == 255)
    #expect((1..<255).contains(result[1, 1].alpha))
    #expect(result.alphas(row: 0) == result.alphas(row: 0).reversed())
    #expect(result.alphas(row: 0) == result.alphas(row: 9))
  }

  @Test func `the area of a circle is that of a circle`() throws {
    let side = 100
    let picture = Bitmap(size: PixelSize(width: 140, height: side), color: Pixel(gray: 9))
    let result = try Circle().apply(to: picture)
    #expect(result.size == PixelSize(width: side, height: side))
    let area = (0..<side).reduce(0.0) { sum, row in
      sum + result.alphas(row: row).reduce(0) { $0 + Double($1) / 255 }
    }
    #expect(abs(area - .pi * 50 * 50) < 10)
  }

  @Test func `only the corners named are cut`() throws {
    let result = try RoundedCorners(radius: 4, corners: [.topLeft, .bottomRight]).apply(to: white)
    let corners = [result[0, 0], result[19, 0], result[0, 9], result[19, 9]]
    #expect(corners.map(\.alpha) == [0, 255, 255, 0])
  }

  @Test func `a radius of zero is the same bitmap and no key`() throws {
    #expect(try RoundedCorners(radius: 0).apply(to: white) == white)
    #expect(RoundedCorners(radius: 0).key == "")
  }

  @Test(arguments: [1000, .infinity, Double.greatestFiniteMagnitude])
  func `a radius beyond the picture counts as half its shorter side`(radius: Double) throws {
    let most = try RoundedCorners(radius: 5).apply(to: white)
    #expect(try RoundedCorners(radius: radius).apply(to: white) == most)
  }

  @Test(arguments: [-1, -Double.infinity, .nan])
  func `a radius that is negative or no number is a typed error`(radius: Double) {
    #expect(throws: TransformError.self) { try RoundedCorners(radius: radius).apply(to: white) }
  }

  @Test func `a picture of one pixel survives`() throws {
    let dot = Bitmap(size: PixelSize(width: 1, height: 1), color: Pixel(gray: 7))
    #expect(try RoundedCorners(radius: 3).apply(to: dot).size == dot.size)
    #expect(try Circle().apply(to: dot).size == dot.size)
  }
}

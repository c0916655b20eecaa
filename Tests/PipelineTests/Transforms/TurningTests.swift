import Pipeline
import Testing

struct TurningTests {
  private let picture = Picture.gradient(5, 3)

  @Test func `flips move each pixel to the mirrored place`() throws {
    let across = try Flip(.horizontal).apply(to: picture)
    #expect(across == Picture.make(5, 3, hasAlpha: false) { picture[4 - $0, $1] })
    let down = try Flip(.vertical).apply(to: picture)
    #expect(down == Picture.make(5, 3, hasAlpha: false) { picture[$0, 2 - $1] })
  }

  @Test func `quarter turns go clockwise and change no pixel`() throws {
    let quarter = try Rotate(degrees: 90).apply(to: picture)
    #expect(quarter == Picture.make(3, 5, hasAlpha: false) { picture[$1, 2 - $0] })
    let half = try Rotate(degrees: -180).apply(to: picture)
    #expect(half == Picture.make(5, 3, hasAlpha: false) { picture[4 - $0, 2 - $1] })
    let back = try Rotate(degrees: 270).apply(to: quarter)
    #expect(back == picture)
  }

  @Test(arguments: [0, 360, -720]) func `whole turns are the same bitmap without a key`(
    degrees: Double
  ) throws {
    #expect(try Rotate(degrees: degrees).apply(to: picture) == picture)
    #expect(Rotate(degrees: degrees).key == "")
  }

  @Test func `an angle in between grows the canvas and leaves the corners bare`() throws {
    let white = Bitmap(size: PixelSize(width: 100, height: 100), color: Pixel(gray: 255))
    let turned = try Rotate(degrees: 45).apply(to: white)
    #expect(turned.size == PixelSize(width: 142, height: 142))
    #expect(turned[0, 0] == .clear && turned[71, 71] == Pixel(gray: 255))
    // No dark fringe: what shows at all is white.
    for x in 0..<142 where turned[x, 40].alpha > 0 { #expect(turned[x, 40].red == 255) }
  }

  @Test func `a small angle on a symmetric picture keeps its point symmetry`() throws {
    let disc = Picture.make(31, 31) { x, y in
      (x - 15) * (x - 15) + (y - 15) * (y - 15) < 100 ? Pixel(gray: 200) : .clear
    }
    let turned = try Rotate(degrees: 10).apply(to: disc)
    let (w, h) = (turned.width, turned.height)
    for y in 0..<h {
      for x in 0..<w {
        let (a, b) = (turned[x, y].alpha, turned[w - 1 - x, h - 1 - y].alpha)
        #expect(abs(Int(a) - Int(b)) <= 1)
      }
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `an angle that is not finite is a typed error`(degrees: Double) {
    #expect(throws: TransformError.self) { try Rotate(degrees: degrees).apply(to: picture) }
  }
}

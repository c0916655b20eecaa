import Pipeline
import Testing

struct PlaceholderTests {
  private let picture = Picture.make(60, 40, hasAlpha: false) { x, y in
    Pixel(red: UInt8(x * 4), green: UInt8(y * 6), blue: 80)
  }

  private func difference(_ a: Pixel, _ b: Pixel) -> Int {
    max(
      abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)),
      abs(Int(a.blue) - Int(b.blue)))
  }

  @Test func `a blur hash brings back the colours where they were`() throws {
    let hash = BlurHash(picture)
    // As another implementation of the format writes it.
    #expect(hash.text == "LrG94Z2Y$5Sgl|azjtf7gJfjfQfj")
    let back = try #require(BlurHash(hash.text)).bitmap(size: PixelSize(width: 60, height: 40))
    for (x, y) in [(5, 5), (55, 5), (30, 20), (5, 35), (55, 35)] {
      #expect(difference(back[x, y], picture[x, y]) < 40)
    }
  }

  @Test func `one colour has a blur hash of that colour`() {
    let color = Pixel(red: 200, green: 30, blue: 90)
    let hash = BlurHash(
      Bitmap(size: PixelSize(width: 9, height: 9), color: color), components: (1, 1))
    #expect(hash.bitmap(size: PixelSize(width: 3, height: 2))[2, 1] == color)
  }

  @Test func `the blur hash published with the format is read as its picture`() throws {
    let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
    let back = hash.bitmap(size: PixelSize(width: 32, height: 32))
    // As another implementation of the format reads it.
    let known = [
      (0, 0, Pixel(red: 135, green: 164, blue: 177)),
      (16, 16, Pixel(red: 158, green: 125, blue: 108)),
      (31, 0, Pixel(red: 137, green: 166, blue: 181)),
      (0, 31, Pixel(red: 136, green: 144, blue: 147)),
      (31, 31, Pixel(red: 133, green: 142, blue: 147)),
    ]
    for (x, y, color) in known { #expect(difference(back[x, y], color) <= 1) }
  }

  @Test func `a thumb hash has the bytes another implementation gives`() {
    let known: [UInt8] = [
      26, 9, 10, 53, 152, 112, 119, 119, 128, 136, 120, 119, 136, 120, 135, 135, 112, 112, 8, 247,
      119,
    ]
    // Halves are rounded differently there, which moves a nibble by one.
    let bytes = ThumbHash(picture).bytes
    #expect(bytes.count == known.count && bytes.prefix(5) == known.prefix(5))
    for (ours, theirs) in zip(bytes, known) {
      #expect(abs(Int(ours & 15) - Int(theirs & 15)) <= 1)
      #expect(abs(Int(ours >> 4) - Int(theirs >> 4)) <= 1)
    }
  }

  @Test(arguments: ["", "L", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdn\"", "äöü"])
  func `what is no blur hash is refused`(text: String) {
    #expect(BlurHash(text) == nil)
  }

  @Test(arguments: [(0, 0), (-1, 5), (Int.max, 1)]) func `a blur hash gives a picture in any size`(
    width: Int, height: Int
  ) {
    let size = BlurHash(picture, components: (99, -3)).bitmap(
      size: PixelSize(width: width, height: height)
    ).size
    #expect((1...1000).contains(size.width) && (1...1000).contains(size.height))
  }

  @Test func `a thumb hash keeps colours, aspect and alpha`() throws {
    let hash = ThumbHash(picture)
    #expect(hash.bytes.count <= 25)
    let back = try #require(ThumbHash(hash.bytes)).bitmap()
    #expect(back.size == PixelSize(width: 32, height: 23) && !back.hasAlpha)
    #expect(difference(back[2, 2], picture[4, 4]) < 40)
    #expect(difference(back[29, 20], picture[55, 35]) < 40)
    let clear = Picture.make(20, 20) { x, _ in x < 10 ? Pixel(gray: 250) : .clear }
    let half = ThumbHash(clear).bitmap()
    #expect(half.hasAlpha && half[3, 16].alpha > 200 && half[28, 16].alpha < 55)
  }

  @Test func `what is no thumb hash is refused`() {
    #expect(ThumbHash([]) == nil && ThumbHash([1, 2, 3, 4]) == nil)
    #expect(ThumbHash([UInt8](repeating: 255, count: 6)) == nil)
    for byte in UInt8.min ... .max {
      if let hash = ThumbHash([UInt8](repeating: byte, count: 40)) { _ = hash.bitmap() }
    }
  }

  @Test func `the dominant colour is that of most pixels, and bare ones do not count`() {
    let flag = Picture.make(10, 10) { x, y in
      if y == 0 { return Pixel(gray: 255) }
      return x < 6 ? Pixel(red: 200, green: 10, blue: 10) : .clear
    }
    #expect(flag.dominantColor == Pixel(red: 200, green: 10, blue: 10))
    #expect(flag.palette(count: 5) == [Pixel(red: 200, green: 10, blue: 10), Pixel(gray: 255)])
    #expect(Bitmap(size: PixelSize(width: 3, height: 3), color: .clear).dominantColor == nil)
    #expect(flag.palette(count: -1).isEmpty)
  }
}

import Pipeline
import Testing

struct ResizeTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  @Test(arguments: [
    (Resize.Mode.fit, 100, 100, 100, 50), (.fit, 100, 10, 20, 10), (.fit, 7, 7, 7, 4),
    (.fill, 100, 100, 100, 100), (.exact, 30, 70, 30, 70),
  ])
  func `a 200×100 picture gets the size its mode says`(
    mode: Resize.Mode, width: Int, height: Int, outWidth: Int, outHeight: Int
  ) throws {
    let result = try Resize(to: size(width, height), mode: mode).apply(
      to: Picture.gradient(200, 100))
    #expect(result.size == size(outWidth, outHeight))
  }

  @Test func `a side is never zero, however thin the picture`() throws {
    let thin = Picture.gradient(10_000, 1)
    #expect(try Resize(to: size(10, 10), mode: .fit).apply(to: thin).size == size(10, 1))
    let high = Picture.gradient(1, 10_000)
    #expect(try Resize(to: size(10, 10), mode: .fit).apply(to: high).size == size(1, 10))
  }

  @Test func `a small picture grows only when told to`() throws {
    let small = Picture.gradient(4, 2)
    #expect(try Resize(to: size(8, 8), mode: .fit).apply(to: small).size == size(4, 2))
    #expect(
      try Resize(to: size(8, 8), mode: .fit, upscales: true).apply(to: small).size == size(8, 4))
    #expect(try Resize(to: size(8, 8), mode: .fill).apply(to: small).size == size(2, 2))
    #expect(
      try Resize(to: size(8, 8), mode: .fill, upscales: true).apply(to: small).size == size(8, 8))
  }

  @Test func `the size a picture has already gives the same bitmap`() throws {
    let picture = Picture.gradient(20, 10)
    #expect(try Resize(to: size(20, 10), mode: .exact).apply(to: picture) == picture)
    #expect(try Resize(to: size(20, 99), mode: .fit).apply(to: picture) == picture)
  }

  @Test func `box halving takes the mean of each pair`() throws {
    let result = try Resize(to: size(3, 1), mode: .exact, filter: .box).apply(
      to: Picture.gray([0, 100, 50, 50, 255, 1]))
    #expect(result.reds() == [50, 50, 128])
  }

  @Test func `bilinear doubling interpolates between neighbours and holds the ends`() throws {
    let result = try Resize(to: size(4, 1), mode: .exact, filter: .bilinear, upscales: true).apply(
      to: Picture.gray([0, 200]))
    #expect(result.reds() == [0, 50, 150, 200])
  }

  @Test(arguments: ResampleFilter.allCases)
  func `one colour stays that colour, to the edges`(filter: ResampleFilter) throws {
    let color = Pixel(red: 10, green: 128, blue: 250, alpha: 255)
    let picture = Bitmap(size: size(37, 23), color: color)
    for target in [size(5, 4), size(36, 22), size(60, 50), size(1, 1)] {
      let result = try Resize(to: target, mode: .exact, filter: filter, upscales: true).apply(
        to: picture)
      #expect(result == Bitmap(size: target, color: color))
    }
  }

  @Test(
    arguments: ResampleFilter.allCases, [Pixel(red: 255, green: 255, blue: 255), .init(gray: 0)])
  func `R118: a transparent surround leaves no fringe`(filter: ResampleFilter, shape: Pixel) throws
  {
    // The surround has the opposite colour, which must not show.
    let other = Pixel(red: 255 - shape.red, green: 255 - shape.red, blue: 255 - shape.red, alpha: 0)
    let picture = Picture.make(64, 64) { x, y in
      (16..<48).contains(x) && (16..<48).contains(y) ? shape : other
    }
    let small = try Resize(to: size(16, 16), mode: .exact, filter: filter).apply(to: picture)
    let laid = Bitmap(size: size(16, 16), color: shape).drawing(small, x: 0, y: 0)
    for y in 0..<16 { #expect(laid.reds(row: y) == [UInt8](repeating: shape.red, count: 16)) }
  }

  @Test func `a picture keeps its mirror symmetry`() throws {
    let picture = Picture.make(50, 40) { x, y in
      let v = UInt8(min(x, 49 - x) * 5 + min(y, 39 - y))
      return Pixel(red: v, green: v, blue: v, alpha: 255 - v)
    }
    let result = try Resize(to: size(20, 16), mode: .exact).apply(to: picture)
    for y in 0..<16 {
      #expect(result.reds(row: y) == result.reds(row: y).reversed())
      #expect(result.reds(row: y) == result.reds(row: 15 - y))
    }
  }

  @Test func `a crop before a resize is the same fused as in two steps`() throws {
    let picture = Picture.gradient(90, 70)
    let crop = Crop.crop(x: 10, y: 5, size: size(61, 43))
    let resize = Resize.resize(fitting: size(20, 20))
    let fused = try TransformChain([crop, resize]).apply(to: picture)
    #expect(fused == (try resize.apply(to: try crop.apply(to: picture))))
  }

  @Test(arguments: [(0, 10), (10, 0), (-5, 10), (.min, .max)])
  func `a side that is not positive is a typed error`(width: Int, height: Int) {
    for mode in [Resize.Mode.fit, .fill, .exact] {
      #expect(throws: TransformError.self) {
        try Resize(to: size(width, height), mode: mode).apply(to: Picture.gradient(4, 4))
      }
    }
  }

  @Test func `a result beyond the pixel limit is a typed error`() {
    for mode in [Resize.Mode.fit, .fill, .exact] {
      #expect(throws: TransformError.self) {
        try Resize(to: size(.max, .max), mode: mode, upscales: true).apply(
          to: Picture.gradient(4, 3))
      }
    }
  }

  @Test func `work that was cancelled stops with that error`() {
    let flag = CancellationFlag()
    flag.cancel()
    #expect(throws: TransformError.cancelled) {
      try Resize(to: size(2, 2), mode: .exact).apply(
        to: Picture.gradient(10, 10), cancellation: flag)
    }
  }

  @Test func `equal transforms have equal keys and others do not`() {
    let keys = [
      Resize.resize(fitting: size(10, 20)), .resize(filling: size(10, 20)),
      .resize(to: size(10, 20)), .resize(fitting: size(20, 10)),
      .resize(fitting: size(10, 20), filter: .box),
      .resize(fitting: size(10, 20), upscales: true),
    ].map(\.key)
    #expect(Set(keys).count == keys.count)
    #expect(keys[0] == "resize(10x20,fit,lanczos3)")
  }
}

extension Pixel {
  init(gray: UInt8) { self.init(red: gray, green: gray, blue: gray) }
}

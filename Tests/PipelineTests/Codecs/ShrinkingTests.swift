import Pipeline
import Testing

/// Pictures shrunk row by row while they are decoded.
struct ShrinkingTests {
  /// Pixels that no two rows and columns share.
  private static func noise(width: Int, height: Int, hasAlpha: Bool) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), hasAlpha: hasAlpha) { bytes in
      var state: UInt32 = 7
      for index in 0..<(width * height * 4) {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes[index] = index % 4 == 3 && !hasAlpha ? 255 : UInt8(state >> 24)
      }
    }
  }

  /// The mean of all pixels that fall into each pixel of `size`, weighed by alpha.
  private static func means(of picture: Bitmap, in size: PixelSize) -> [UInt8] {
    var sums = [Int](repeating: 0, count: size.width * size.height * 5)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let pixel = picture[x, y]
        let column = x * size.width / picture.width
        let cell = (y * size.height / picture.height * size.width + column) * 5
        sums[cell] += Int(pixel.red) * Int(pixel.alpha)
        sums[cell + 1] += Int(pixel.green) * Int(pixel.alpha)
        sums[cell + 2] += Int(pixel.blue) * Int(pixel.alpha)
        sums[cell + 3] += Int(pixel.alpha)
        sums[cell + 4] += 1
      }
    }
    return stride(from: 0, to: sums.count, by: 5).flatMap { cell in
      let (alpha, count) = (sums[cell + 3], sums[cell + 4])
      let colors = (0..<3).map { alpha == 0 ? 0 : (sums[cell + $0] + alpha / 2) / alpha }
      return (colors + [(alpha + count / 2) / count]).map { UInt8($0) }
    }
  }

  @Test(
    arguments: [
      // Cells of few and many pixels, odd and even, of unlike widths, and of more than a row's sum
      // of sixteen bits could hold.
      (PixelSize(width: 31, height: 23), PixelSize(width: 10, height: 7)),
      (PixelSize(width: 64, height: 40), PixelSize(width: 16, height: 10)),
      (PixelSize(width: 700, height: 301), PixelSize(width: 6, height: 2)),
      (PixelSize(width: 5, height: 900), PixelSize(width: 2, height: 300)),
    ], [false, true])
  func `each pixel is the exact mean of those it covers`(
    _ sizes: (PixelSize, PixelSize), _ hasAlpha: Bool
  ) throws {
    let picture = Self.noise(
      width: sizes.0.width, height: sizes.0.height, hasAlpha: hasAlpha)
    var options = DecodingOptions()
    options.targetSize = sizes.1
    let bytes = try PNGEncoder().encode(picture)
    let small = try DecoderRegistry.standard.decode(bytes, options: options).bitmap
    #expect(small.size.width >= sizes.1.width && small.size.width < sizes.0.width)
    #expect(small.size.height >= sizes.1.height)
    let means = Self.means(of: picture, in: small.size)
    #expect(small.withUnsafeBytes { $0.elementsEqual(means) })
    let interlaced = HandmadeFiles.interlacedPNG(picture)
    #expect(try DecoderRegistry.standard.decode(interlaced).bitmap == picture)
    #expect(try DecoderRegistry.standard.decode(interlaced, options: options).bitmap == small)
  }

  @Test func `an interlaced picture shrinks pass by pass, with previews of what has come`() throws {
    let picture = Bitmap(
      size: PixelSize(width: 97, height: 61), color: Pixel(red: 200, green: 100, blue: 50))
    let bytes = HandmadeFiles.interlacedPNG(picture)
    var options = DecodingOptions()
    options.targetSize = PixelSize(width: 12, height: 7)
    let session = PNGDecoder().makeSession(options: options)
    var previews: [Bitmap] = []
    for end in stride(from: 400, to: bytes.count, by: 700) {
      try session.append(bytes.beginning(end))
      if let preview = session.preview() { previews.append(preview) }
    }
    try session.append(bytes)
    let image = try session.finish()
    #expect(image.bitmap.size == PixelSize(width: 12, height: 7))
    #expect(image.isComplete && image.bitmap[5, 5] == Pixel(red: 200, green: 100, blue: 50))
    #expect(previews.count > 10 && previews.allSatisfy { $0.size == image.bitmap.size })
    // The first passes tell of every part of the picture.
    #expect(previews[4][11, 6] == Pixel(red: 200, green: 100, blue: 50))
    #expect(previews.allSatisfy { $0.hasAlpha })
  }

  @Test(.enabled(if: MemoryPeak.isMeasurable, "needs /proc, and no sanitizer"))
  func `an interlaced picture shrinks in the memory of the result`() throws {
    // In full it would need nine megabytes.
    let bytes = HandmadeFiles.interlacedPNG(
      Self.noise(width: 1_500, height: 1_500, hasAlpha: false))
    var options = DecodingOptions()
    options.targetSize = PixelSize(width: 50, height: 50)
    var image: DecodedImage?
    let peak = try MemoryPeak.during {
      image = try DecoderRegistry.standard.decode(bytes, options: options)
    }
    #expect(peak < 4 << 20, "\(peak >> 10) KiB")
    #expect(image?.size == PixelSize(width: 50, height: 50))
  }
}

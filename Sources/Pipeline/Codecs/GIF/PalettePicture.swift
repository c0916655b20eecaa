/// A picture as a GIF frame holds it: at most 256 colours, one of which may mean transparent.
struct PalettePicture {
  /// One byte a pixel, rows from the top.
  private(set) var indexes: [UInt8]
  private(set) var colors: [Pixel]
  private(set) var transparentIndex: UInt8?

  /// Keeps the colours if they are few enough, else picks those that stand for them. Pixels less
  /// than half opaque become transparent, the others opaque.
  init(_ bitmap: Bitmap) {
    let hasClear =
      bitmap.hasAlpha
      && bitmap.withUnsafeBytes { bytes in
        stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] < 128 }
      }
    let limit = hasClear ? 255 : 256
    let exact = Self.exactColors(of: bitmap, limit: limit)
    let quantizer = exact == nil ? ColorQuantizer(bitmap, limit: limit) : nil
    colors = exact?.colors ?? quantizer?.colors ?? []
    let clear = UInt8(truncatingIfNeeded: colors.count)
    if hasClear {
      transparentIndex = clear
      colors.append(.clear)
    }
    indexes = bitmap.withUnsafeBytes { bytes in
      (0..<(bytes.count / 4)).map { pixel in
        let start = pixel * 4
        guard bytes[start + 3] >= 128 else { return clear }
        let (red, green, blue) = (bytes[start], bytes[start + 1], bytes[start + 2])
        let color = Pixel(red: red, green: green, blue: blue)
        return exact?.places[color] ?? quantizer?.place(red: red, green: green, blue: blue) ?? 0
      }
    }
  }

  private static func exactColors(
    of bitmap: Bitmap, limit: Int
  ) -> (colors: [Pixel], places: [Pixel: UInt8])? {
    bitmap.withUnsafeBytes { bytes in
      var colors: [Pixel] = []
      var places: [Pixel: UInt8] = [:]
      for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] >= 128 {
        let color = Pixel(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
        guard places[color] == nil else { continue }
        guard colors.count < limit else { return nil }
        places[color] = UInt8(truncatingIfNeeded: colors.count)
        colors.append(color)
      }
      return (colors, places)
    }
  }
}

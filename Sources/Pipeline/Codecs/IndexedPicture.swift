/// A picture of few colours: a palette, and each pixel's place in it.
struct IndexedPicture {
  /// One byte a pixel, rows from the top.
  let indexes: ImageBytes
  /// Four bytes a colour: red, green, blue, alpha.
  let palette: ImageBytes

  /// `nil` when the picture has more colours than `limit`, which is at most 256.
  init?(_ bitmap: Bitmap, limit: Int) {
    let found: (indexes: [UInt8], colors: [UInt32])? = bitmap.withUnsafeBytes { bytes in
      var places: [UInt32: UInt8] = [:]
      var colors: [UInt32] = []
      var indexes = [UInt8](repeating: 0, count: bytes.count / 4)
      var (last, lastPlace): (UInt32?, UInt8) = (nil, 0)
      for pixel in 0..<indexes.count {
        let color = bytes.loadUnaligned(fromByteOffset: pixel * 4, as: UInt32.self)
        if color != last {
          if let place = places[color] {
            lastPlace = place
          } else {
            guard colors.count < limit else { return nil }
            lastPlace = UInt8(colors.count)
            places[color] = lastPlace
            colors.append(color)
          }
          last = color
        }
        indexes[pixel] = lastPlace
      }
      return (indexes, colors)
    }
    guard let found else { return nil }
    indexes = ImageBytes(found.indexes)
    palette = ImageBytes(found.colors.flatMap { color in withUnsafeBytes(of: color, Array.init) })
  }
}

extension [CChar] {
  /// The text up to the first zero, without a full stop.
  var sentence: String {
    let bytes = prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

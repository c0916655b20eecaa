import Foundation
import Pipeline
import Testing

/// Pictures with a profile, against the arithmetic of colour spaces itself.
struct ColorProfileTests {
  @Test func `Adobe RGB and Display P3 become sRGB, or stay as stored (R115)`() throws {
    for space in [RGBSpace.adobe, .displayP3] {
      let metadata = ImageMetadata(profile: ImageBytes(space.profile))
      for stored in [Pixel(red: 40, green: 180, blue: 90), Pixel(red: 200, green: 130, blue: 70)] {
        let bitmap = Bitmap(size: PixelSize(width: 16, height: 16), color: stored)
        let files = [
          try JPEGEncoder(quality: 98, subsampling: .none, metadata: metadata).encode(bitmap),
          try PNGEncoder(metadata: metadata).encode(bitmap),
          try WebPEncoder(compression: .lossless, metadata: metadata).encode(bitmap),
        ]
        for bytes in files {
          let image = try DecoderRegistry.standard.decode(bytes)
          #expect(image.notes.isEmpty)
          #expect(Self.distance(image.bitmap[8, 8], space.inSRGB(stored)) <= 3, "\(image.format)")
          #expect(Self.distance(image.bitmap[8, 8], stored) > 5)
          var options = DecodingOptions()
          options.colors = .asStored
          let kept = try DecoderRegistry.standard.decode(bytes, options: options).bitmap[8, 8]
          #expect(Self.distance(kept, stored) <= 3)
          #expect(try DecoderRegistry.standard.probe(bytes)?.profileName != nil)
        }
      }
    }
  }

  @Test func `a broken profile is ignored, with a note`() throws {
    let metadata = ImageMetadata(profile: ImageBytes(Array(repeating: UInt8(7), count: 200)))
    let bitmap = Bitmap(
      size: PixelSize(width: 8, height: 8), color: Pixel(red: 50, green: 90, blue: 30))
    for bytes in [
      try JPEGEncoder(quality: 98, subsampling: .none, metadata: metadata).encode(bitmap),
      try WebPEncoder(compression: .lossless, metadata: metadata).encode(bitmap),
    ] {
      let image = try DecoderRegistry.standard.decode(bytes)
      #expect(image.notes.count == 1)
      #expect(Self.distance(image.bitmap[4, 4], bitmap[4, 4]) <= 3)
    }
  }

  private static func distance(_ left: Pixel, _ right: Pixel) -> Int {
    max(
      abs(Int(left.red) - Int(right.red)), abs(Int(left.green) - Int(right.green)),
      abs(Int(left.blue) - Int(right.blue)))
  }
}

/// A colour space of three primaries, given in the profile's own white, and one exponent.
struct RGBSpace {
  /// X, Y, Z of red, green and blue.
  var primaries: [[Double]]
  var gamma: Double

  static let adobe = RGBSpace(
    primaries: [
      [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    ], gamma: 2.19921875)
  static let displayP3 = RGBSpace(
    primaries: [
      [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
    ], gamma: 2.19921875)

  /// The colour in sRGB, worked out by hand.
  func inSRGB(_ pixel: Pixel) -> Pixel {
    let linear = [pixel.red, pixel.green, pixel.blue].map { pow(Double($0) / 255, gamma) }
    let xyz = (0..<3).map { axis in
      (0..<3).reduce(0.0) { $0 + linear[$1] * primaries[$1][axis] }
    }
    let fromXYZ = [
      [3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
      [0.0719453, -0.2289914, 1.4052427],
    ]
    let bytes = fromXYZ.map { row -> UInt8 in
      let value = min(1, max(0, zip(row, xyz).reduce(0) { $0 + $1.0 * $1.1 }))
      let curved = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
      return UInt8((curved * 255).rounded())
    }
    return Pixel(red: bytes[0], green: bytes[1], blue: bytes[2])
  }

  /// A profile of the second version that says so.
  var profile: [UInt8] {
    func number(_ value: Double) -> [UInt8] { Self.four(Int((value * 65_536).rounded())) }
    func xyz(_ values: [Double]) -> [UInt8] {
      Array("XYZ ".utf8) + Self.four(0) + values.flatMap(number)
    }
    let curve =
      Array("curv".utf8) + Self.four(0) + Self.four(1)
      + [UInt8(Int(gamma * 256) >> 8), UInt8(Int(gamma * 256) & 255), 0, 0]
    let text = Array("A space of tests".utf8) + [0]
    let description =
      Array("desc".utf8) + Self.four(0) + Self.four(text.count) + text
      + Array(repeating: UInt8(0), count: 78 + (4 - (12 + text.count + 78) % 4) % 4)
    let copyright = Array("text".utf8) + Self.four(0) + Array("none".utf8) + [0, 0, 0, 0]
    let tags: [(String, [UInt8])] = [
      ("desc", description), ("cprt", copyright), ("wtpt", xyz([0.9642, 1, 0.8249])),
      ("rXYZ", xyz(primaries[0])), ("gXYZ", xyz(primaries[1])), ("bXYZ", xyz(primaries[2])),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var table = Self.four(tags.count)
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    for (name, bytes) in tags {
      table += Array(name.utf8) + Self.four(start + data.count) + Self.four(bytes.count)
      data += bytes
    }
    var header = Self.four(start + data.count) + Self.four(0) + Self.four(0x0210_0000)
    header += Array("mntrRGB XYZ ".utf8) + Array(repeating: 0, count: 12) + Array("acsp".utf8)
    header += Array(repeating: 0, count: 28) + [0.9642, 1, 0.8249].flatMap(number)
    header += Array(repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  private static func four(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A picture in some thirty characters: a few waves of colour, for a placeholder while it loads.
///
/// The format of blurha.sh; alpha is not kept.
public struct BlurHash: Sendable, Hashable {
  /// The characters.
  public let text: String

  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  /// Takes characters made elsewhere; `nil` if they are no such hash.
  public init?(_ text: String) {
    let values = text.utf8.map { Self.digits.firstIndex(of: $0) }
    guard values.count >= 6, let size = values[0], !values.contains(nil),
      values.count == 4 + 2 * (size % 9 + 1) * (size / 9 + 1)
    else { return nil }
    self.text = text
  }

  /// Makes the hash of a picture; large ones are looked at in a small size.
  ///
  /// - Parameters:
  ///   - bitmap: The picture.
  ///   - components: Waves across and down, 1…9 each; beyond that counts as the end.
  public init(_ bitmap: Bitmap, components: (x: Int, y: Int) = (4, 3)) {
    let (across, down) = (min(9, max(1, components.x)), min(9, max(1, components.y)))
    let factors = Self.factors(of: bitmap.shrunk(to: 64), across: across, down: down)
    var text = Self.encode((across - 1) + (down - 1) * 9, length: 1)
    var peak = 0.0
    for factor in factors.dropFirst() {
      for channel in 0..<3 { peak = max(peak, abs(factor[channel])) }
    }
    let level = min(82, max(0, Int((peak * 166 - 0.5).rounded(.down))))
    text += Self.encode(factors.count > 1 ? level : 0, length: 1)
    let scale = factors.count > 1 ? Double(level + 1) / 166 : 1
    let mean = (0..<3).map { Int(SRGB.encode(factors[0][$0])) }
    text += Self.encode(mean[0] << 16 | mean[1] << 8 | mean[2], length: 4)
    for factor in factors.dropFirst() {
      let parts = (0..<3).map { channel -> Int in
        let value = factor[channel] / scale
        let root = abs(value).squareRoot() * (value < 0 ? -1 : 1)
        return min(18, max(0, Int((root * 9 + 9.5).rounded(.down))))
      }
      text += Self.encode(parts[0] * 361 + parts[1] * 19 + parts[2], length: 2)
    }
    self.text = text
  }

  /// The placeholder in a size of at least 1×1; sides beyond 1,000 count as that.
  public func bitmap(size: PixelSize, punch: Double = 1) -> Bitmap {
    let values = text.utf8.map { Self.digits.firstIndex(of: $0) ?? 0 }
    let (across, down) = (values[0] % 9 + 1, values[0] / 9 + 1)
    func number(_ range: Range<Int>) -> Int { values[range].reduce(0) { $0 * 83 + $1 } }
    let mean = number(2..<6)
    let red = SRGB.decode(mean >> 16 & 255)
    var colors = [SIMD3(red, SRGB.decode(mean >> 8 & 255), SRGB.decode(mean & 255))]
    let scale = Double(values[1] + 1) / 166 * (punch.isFinite ? punch : 1)
    for index in 1..<(across * down) {
      let value = number((4 + index * 2)..<(6 + index * 2))
      let parts = [value / 361, value / 19 % 19, value % 19].map { part -> Double in
        let root = Double(part - 9) / 9
        return root * abs(root) * scale
      }
      colors.append(SIMD3(parts[0], parts[1], parts[2]))
    }
    let width = min(1000, max(1, size.width))
    let height = min(1000, max(1, size.height))
    let (wavesX, wavesY) = (Self.waves(width, across), Self.waves(height, down))
    return Bitmap(size: PixelSize(width: width, height: height), hasAlpha: false) { bytes in
      for y in 0..<height {
        for x in 0..<width {
          var color = SIMD3<Double>.zero
          for j in 0..<down {
            for i in 0..<across {
              let weight: Double = wavesX[i * width + x] * wavesY[j * height + y]
              color += colors[j * across + i] * weight
            }
          }
          let offset = (y * width + x) * 4
          for channel in 0..<3 { bytes[offset + channel] = SRGB.encode(color[channel]) }
          bytes[offset + 3] = 255
        }
      }
    }
  }

  private static func factors(of bitmap: Bitmap, across: Int, down: Int) -> [SIMD3<Double>] {
    let (width, height) = (bitmap.width, bitmap.height)
    let (wavesX, wavesY) = (waves(width, across), waves(height, down))
    var factors = [SIMD3<Double>](repeating: .zero, count: across * down)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = bitmap[x, y]
        let color = SIMD3(
          SRGB.decode(Int(pixel.red)), SRGB.decode(Int(pixel.green)), SRGB.decode(Int(pixel.blue)))
        for j in 0..<down {
          for i in 0..<across {
            let weight: Double = wavesX[i * width + x] * wavesY[j * height + y]
            factors[j * across + i] += color * weight
          }
        }
      }
    }
    for index in factors.indices {
      let norm: Double = index == 0 ? 1 : 2
      factors[index] *= norm / Double(width * height)
    }
    return factors
  }

  /// `count` cosines over `length` places, one after the other.
  private static func waves(_ length: Int, _ count: Int) -> [Double] {
    (0..<count).flatMap { wave in
      (0..<length).map { cos(.pi * Double(wave) * Double($0) / Double(length)) }
    }
  }

  private static func encode(_ value: Int, length: Int) -> String {
    var rest = value
    var text: [UInt8] = []
    for _ in 0..<length {
      text.insert(digits[rest % 83], at: 0)
      rest /= 83
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The transfer curve of sRGB.
enum SRGB {
  /// 0…255 to linear light, 0…1.
  static func decode(_ value: Int) -> Double {
    let v = Double(value) / 255
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
  }

  /// Linear light to 0…255; beyond 0…1 counts as the end.
  static func encode(_ value: Double) -> UInt8 {
    let v = min(1, max(0, value))
    return UInt8((v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055) * 255 + 0.5)
  }
}

extension Bitmap {
  /// This picture no larger than `side`, by the mean of what is covered; itself if it fits.
  func shrunk(to side: Int) -> Bitmap {
    let resize = Resize(to: PixelSize(width: side, height: side), mode: .fit, filter: .box)
    // Fails only without memory; the picture itself does as well, slower.
    return (try? resize.apply(to: self, cancellation: CancellationFlag())) ?? self
  }
}

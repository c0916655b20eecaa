#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Turns a picture clockwise. The canvas grows to hold all of it; what is bare is transparent.
///
/// Quarter turns move pixels and change none; others interpolate between four, alpha respected.
public struct Rotate: ImageTransform, Hashable {
  /// Clockwise, in degrees.
  public var degrees: Double

  /// Turns by `degrees`.
  public init(degrees: Double) { self.degrees = degrees }

  /// The angle, within one turn; empty for whole turns.
  public var key: String {
    let angle = normalized
    return angle == 0 ? "" : "rotate(\(angle))"
  }

  /// 0 up to 360; whatever is no number stays so.
  private var normalized: Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
  }

  /// The turned picture; the same bitmap for whole turns.
  ///
  /// - Throws: `.invalidParameter` for an angle that is not finite, `.tooLarge` beyond 100 megapixels.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard degrees.isFinite else {
      throw .invalidParameter(transform: "rotate", reason: "its angle is not finite")
    }
    let (right, bottom) = (bitmap.width - 1, bitmap.height - 1)
    let turned = PixelSize(width: bitmap.height, height: bitmap.width)
    switch normalized {
    case 0: return bitmap
    case 90: return try bitmap.rearranged(to: turned, cancellation) { x, y in (y, bottom - x) }
    case 180:
      return try bitmap.rearranged(to: bitmap.size, cancellation) { x, y in
        (right - x, bottom - y)
      }
    case 270: return try bitmap.rearranged(to: turned, cancellation) { x, y in (right - y, x) }
    default: return try turn(bitmap, cancellation)
    }
  }

  private func turn(
    _ bitmap: Bitmap, _ cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    let radians = normalized * .pi / 180
    let (sine, cosine) = (sin(radians), cos(radians))
    let (width, height) = (Double(bitmap.width), Double(bitmap.height))
    // A little less, so that rounding errors do not add a bare row.
    let size = PixelSize(
      width: max(1, Int((abs(width * cosine) + abs(height * sine) - 1e-6).rounded(.up))),
      height: max(1, Int((abs(width * sine) + abs(height * cosine) - 1e-6).rounded(.up))))
    try TransformLimits.check(size, transform: "rotate")
    let storage = try PixelStorage.reserve(for: size)
    let (centerX, centerY) = (Double(size.width) / 2, Double(size.height) / 2)
    try Bands.run(rowsOf: size, cancellation: cancellation) { rows in
      let target = PixelRows(rows, of: storage, width: size.width)
      bitmap.withUnsafeBytes { bytes in
        let sampler = Sampler(bytes: bytes, width: bitmap.width, height: bitmap.height)
        for y in rows {
          let line = target[y]
          for x in line.indices {
            let (dx, dy) = (Double(x) + 0.5 - centerX, Double(y) + 0.5 - centerY)
            line[x] = sampler.value(
              x: dx * cosine + dy * sine + width / 2, y: dy * cosine - dx * sine + height / 2)
          }
        }
      }
    }
    return Bitmap(size: size, hasAlpha: true, storage: storage)
  }
}

extension Rotate: QuarterTurning, MemoryMaking {
  var swapsSides: Bool? {
    switch normalized {
    case 0, 180: false
    case 90, 270: true
    default: nil
    }
  }
}

/// Reads a picture between its pixels; beyond its edges it is transparent.
struct Sampler {
  let bytes: UnsafeRawBufferPointer
  let width: Int
  let height: Int

  /// The mean of the four pixels around a place.
  func value(x: Double, y: Double) -> SIMD4<UInt8> {
    guard x > -0.5, y > -0.5, x < Double(width) + 0.5, y < Double(height) + 0.5 else {
      return .zero
    }
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    let (partX, partY) = (Float(x - 0.5 - left), Float(y - 0.5 - top))
    let (column, row) = (Int(left), Int(top))
    let upper = premultiplied(column, row) * (1 - partX) + premultiplied(column + 1, row) * partX
    let lower =
      premultiplied(column, row + 1) * (1 - partX) + premultiplied(column + 1, row + 1) * partX
    return Self.straight(upper * (1 - partY) + lower * partY)
  }

  private func premultiplied(_ x: Int, _ y: Int) -> SIMD4<Float> {
    guard x >= 0, y >= 0, x < width, y < height else { return .zero }
    return Self.premultiplied(bytes, at: (y * width + x) * 4)
  }

  /// The pixel at a byte offset, colours multiplied with alpha.
  static func premultiplied(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> SIMD4<Float> {
    premultiplied(bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
  }

  /// A pixel, colours multiplied with alpha.
  static func premultiplied(_ straight: SIMD4<UInt8>) -> SIMD4<Float> {
    var pixel = SIMD4<Float>(straight)
    let alpha = pixel.w
    pixel *= alpha / 255
    pixel.w = alpha
    return pixel
  }

  /// The pixel, colours divided by alpha.
  static func straight(_ pixel: SIMD4<Float>) -> SIMD4<UInt8> {
    guard pixel.w >= 0.5 else { return .zero }
    var result = pixel * (255 / pixel.w)
    result.w = pixel.w
    result = (result + 0.5).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
    return SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(result))
  }
}

extension ImageTransform where Self == Rotate {
  /// Turns clockwise.
  public static func rotate(degrees: Double) -> Rotate { Rotate(degrees: degrees) }
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How pixels are weighed when a picture changes its size.
public enum ResampleFilter: String, Sendable, Hashable, CaseIterable {
  /// Sharpest; rings a little at hard edges.
  case lanczos3
  /// A compromise between sharp and smooth, without visible rings.
  case mitchell
  /// Sharp, smoother than Lanczos.
  case catmullRom
  /// Soft; the quickest when enlarging.
  case bilinear
  /// The mean of the pixels covered; the quickest when shrinking.
  case box

  /// Pixels on either side that have a weight, when sizes are equal.
  var support: Double {
    switch self {
    case .lanczos3: 3
    case .mitchell, .catmullRom: 2
    case .bilinear: 1
    case .box: 0.5
    }
  }

  /// The weight at a distance, in pixels.
  func weight(at distance: Double) -> Double {
    let x = abs(distance)
    switch self {
    case .lanczos3: return x < 3 ? Self.sinc(x) * Self.sinc(x / 3) : 0
    case .mitchell: return Self.cubic(x, b: 1.0 / 3, c: 1.0 / 3)
    case .catmullRom: return Self.cubic(x, b: 0, c: 0.5)
    case .bilinear: return max(0, 1 - x)
    case .box: return distance > -0.5 && distance <= 0.5 ? 1 : 0
    }
  }

  private static func sinc(_ x: Double) -> Double {
    guard x != 0 else { return 1 }
    return sin(.pi * x) / (.pi * x)
  }

  /// The cubics of Mitchell and Netravali.
  private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
    switch x {
    case ..<1:
      return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6
    case ..<2:
      return
        ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + 8 * b
        + 24 * c) / 6
    default: return 0
    }
  }
}

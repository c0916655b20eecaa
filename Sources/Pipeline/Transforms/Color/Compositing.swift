/// Laying pixels over pixels.
enum Compositing {
  /// A pixel over another, its alpha multiplied with `opacity`.
  static func laid(
    _ source: SIMD4<UInt8>, over target: SIMD4<UInt8>, opacity: Float = 1
  ) -> SIMD4<UInt8> {
    let alpha = Float(source.w) / 255 * opacity
    guard alpha > 0 else { return target }
    let below = Float(target.w) / 255 * (1 - alpha)
    let sum = alpha + below
    let mixed = (SIMD4<Float>(source) * alpha + SIMD4<Float>(target) * below) / sum
    return mixed.pixel(alpha: UInt8(min(255, sum * 255 + 0.5)))
  }

  /// A pixel over another, the colours of both mixed as `blend` says where both are.
  static func laid(
    _ source: SIMD4<UInt8>, over target: SIMD4<UInt8>, opacity: Float, blend: BlendMode
  ) -> SIMD4<UInt8> {
    guard blend != .normal else { return laid(source, over: target, opacity: opacity) }
    let alpha = Float(source.w) / 255 * opacity
    guard alpha > 0 else { return target }
    let below = Float(target.w) / 255
    let (s, b) = (SIMD4<Float>(source) / 255, SIMD4<Float>(target) / 255)
    var mixed = SIMD4<Float>.zero
    for channel in 0..<3 {
      mixed[channel] = (1 - below) * s[channel] + below * blend.blend(b[channel], s[channel])
    }
    let rest = below * (1 - alpha)
    let sum = alpha + rest
    return ((mixed * alpha + b * rest) * (255 / sum)).pixel(alpha: UInt8(min(255, sum * 255 + 0.5)))
  }
}

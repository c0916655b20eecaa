/// How a colour meets the one below it, as in the W3C's compositing recommendation.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight
  case softLight, difference, exclusion

  /// The blended colour of `source` over `backdrop`, both 0…1.
  func blend(_ backdrop: Float, _ source: Float) -> Float {
    switch self {
    case .normal: source
    case .multiply: backdrop * source
    case .screen: backdrop + source - backdrop * source
    case .overlay: BlendMode.hardLight.blend(source, backdrop)
    case .darken: min(backdrop, source)
    case .lighten: max(backdrop, source)
    case .colorDodge: backdrop == 0 ? 0 : source >= 1 ? 1 : min(1, backdrop / (1 - source))
    case .colorBurn: backdrop >= 1 ? 1 : source <= 0 ? 0 : 1 - min(1, (1 - backdrop) / source)
    case .hardLight:
      source <= 0.5
        ? backdrop * 2 * source
        : backdrop + (2 * source - 1) - backdrop * (2 * source - 1)
    case .softLight: softLight(backdrop, source)
    case .difference: abs(backdrop - source)
    case .exclusion: backdrop + source - 2 * backdrop * source
    }
  }

  private func softLight(_ backdrop: Float, _ source: Float) -> Float {
    if source <= 0.5 { return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop) }
    let d =
      backdrop <= 0.25
      ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : backdrop.squareRoot()
    return backdrop + (2 * source - 1) * (d - backdrop)
  }
}

/// Laying pixels over pixels.
enum Compositing {
  /// Lays a run of pixels over another of the same length.
  static func lay(
    _ source: UnsafeRawBufferPointer, over target: UnsafeMutableRawBufferPointer,
    blend: BlendMode, opacity: Float
  ) {
    for offset in stride(from: 0, to: target.count, by: 4) {
      let alpha = Float(source[offset + 3]) / 255 * opacity
      guard alpha > 0 else { continue }
      let below = Float(target[offset + 3]) / 255
      let result = alpha + below * (1 - alpha)
      for channel in 0..<3 {
        let s = Float(source[offset + channel]) / 255
        let b = Float(target[offset + channel]) / 255
        let mixed = (1 - below) * s + below * (blend == .normal ? s : blend.blend(b, s))
        let value = (alpha * mixed + (1 - alpha) * below * b) / result
        target[offset + channel] = UInt8(min(255, max(0, value * 255 + 0.5)))
      }
      target[offset + 3] = UInt8(min(255, result * 255 + 0.5))
    }
  }
}

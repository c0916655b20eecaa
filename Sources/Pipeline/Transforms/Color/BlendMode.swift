/// How a colour meets the one below it, as in the W3C's compositing recommendation.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
  /// The mode of this name in the recommendation.
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight
  /// The mode of this name in the recommendation.
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

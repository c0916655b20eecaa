private import CLCMS

/// Turns rows of pixels with a colour profile into sRGB, in place, through Little CMS.
final class ColorConversion: RowConversion {
  /// How a pixel's four bytes are to be read.
  enum PixelKind {
    /// Red, green, blue, alpha.
    case rgb
    /// The gray in the first byte, alpha in the last.
    case gray
    /// Cyan, magenta, yellow, black; `inverted` as Adobe stores them. Becomes opaque.
    case fourColor(inverted: Bool)
  }

  /// What is noted on an image whose profile could not be used.
  static let brokenProfileNote = "the colour profile is broken or of another kind and was ignored"

  private let transform: cmsHTRANSFORM
  private let kind: PixelKind

  /// `nil` when the profile is broken or not made for such pixels.
  convenience init?(profile bytes: [UInt8], kind: PixelKind) {
    guard bytes.count <= Int(UInt32.max) else { return nil }
    let opened = bytes.withUnsafeBytes {
      cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count))
    }
    guard let opened else { return nil }
    defer { cmsCloseProfile(opened) }
    guard cmsGetColorSpace(opened) == kind.colorSpace else { return nil }
    self.init(profile: opened, kind: kind)
  }

  /// Converts from what a PNG's `gAMA` and `cHRM` chunks say; `nil` where that makes no sense.
  ///
  /// - Parameters:
  ///   - gamma: The file's exponent, such as 0.45455.
  ///   - chromaticities: x and y of white, red, green, blue; those of sRGB when `nil`.
  convenience init?(gamma: Double, chromaticities: [Double]?, kind: PixelKind) {
    guard gamma > 0.01, gamma < 10, let curve = cmsBuildGamma(nil, 1 / gamma) else { return nil }
    defer { cmsFreeToneCurve(curve) }
    let xy = chromaticities ?? [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    guard xy.count == 8, xy.allSatisfy({ $0 >= 0 && $0 <= 1 }), xy[1] > 0 else { return nil }
    var white = cmsCIExyY(x: xy[0], y: xy[1], Y: 1)
    let made: cmsHPROFILE?
    if case .gray = kind {
      // Gray has no primaries: only its curve counts, whatever white it was meant for.
      made = cmsCreateGrayProfile(cmsD50_xyY(), curve)
    } else {
      var primaries = cmsCIExyYTRIPLE(
        Red: cmsCIExyY(x: xy[2], y: xy[3], Y: 1), Green: cmsCIExyY(x: xy[4], y: xy[5], Y: 1),
        Blue: cmsCIExyY(x: xy[6], y: xy[7], Y: 1))
      var curves: [OpaquePointer?] = [curve, curve, curve]
      made = cmsCreateRGBProfile(&white, &primaries, &curves)
    }
    guard let made else { return nil }
    defer { cmsCloseProfile(made) }
    self.init(profile: made, kind: kind)
  }

  private init?(profile: cmsHPROFILE, kind: PixelKind) {
    guard let target = cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(target) }
    let made = cmsCreateTransform(
      profile, kind.inputLayout, target, Self.outputLayout, UInt32(INTENT_PERCEPTUAL),
      UInt32(cmsFLAGS_NOCACHE))
    guard let made else { return nil }
    transform = made
    self.kind = kind
  }

  deinit { cmsDeleteTransform(transform) }

  func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    cmsDoTransform(transform, pixels, pixels, UInt32(count))
    guard case .fourColor = kind else { return }
    for pixel in 0..<count { pixels[pixel * 4 + 3] = 255 }
  }

  /// Whether no colour changes by more than a level: the profile is sRGB under another name.
  func changesNothing() -> Bool {
    guard case .fourColor = kind else {
      var samples: [UInt8] = []
      let levels: [UInt8] = [0, 16, 32, 64, 96, 128, 160, 192, 224, 255]
      for red in levels {
        for green in levels {
          for blue in levels {
            samples += isGray ? [red, red, red, 255] : [red, green, blue, 255]
          }
        }
      }
      var converted = samples
      converted.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        convert(base, count: buffer.count / 4)
      }
      return zip(samples, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
    return false
  }

  private var isGray: Bool {
    if case .gray = kind { true } else { false }
  }

  /// Red, green, blue in one byte each; the fourth is left as it is.
  private static let outputLayout: UInt32 = layout(space: PT_RGB, channels: 3, extra: 1)

  fileprivate static func layout(space: Int32, channels: UInt32, extra: UInt32) -> UInt32 {
    UInt32(space) << 16 | extra << 7 | channels << 3 | 1
  }

  /// The description inside a profile; `nil` when the profile is broken.
  static func name(ofProfile bytes: [UInt8]) -> String? {
    let opened = bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count)) }
    guard let opened else { return nil }
    defer { cmsCloseProfile(opened) }
    return description(of: opened)
  }

  private static func description(of profile: cmsHPROFILE) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let length = cmsGetProfileInfoASCII(
      profile, cmsInfoDescription, "en", "US", &buffer, UInt32(buffer.count))
    guard length > 1 else { return nil }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ColorConversion.PixelKind {
  fileprivate var colorSpace: cmsColorSpaceSignature {
    switch self {
    case .rgb: cmsSigRgbData
    case .gray: cmsSigGrayData
    case .fourColor: cmsSigCmykData
    }
  }

  fileprivate var inputLayout: UInt32 {
    switch self {
    case .rgb: ColorConversion.layout(space: PT_RGB, channels: 3, extra: 1)
    case .gray: ColorConversion.layout(space: PT_GRAY, channels: 1, extra: 3)
    case .fourColor(let inverted):
      ColorConversion.layout(space: PT_CMYK, channels: 4, extra: 0) | (inverted ? 1 << 13 : 0)
    }
  }
}

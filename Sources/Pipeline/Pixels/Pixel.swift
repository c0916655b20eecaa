/// One pixel: straight alpha, sRGB, 0…255 each.
public struct Pixel: Sendable, Hashable {
  /// Red, not multiplied with alpha.
  public var red: UInt8
  /// Green, not multiplied with alpha.
  public var green: UInt8
  /// Blue, not multiplied with alpha.
  public var blue: UInt8
  /// 0 is transparent, 255 opaque.
  public var alpha: UInt8

  /// Makes a pixel, opaque unless told otherwise.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Fully transparent black.
  public static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)
}

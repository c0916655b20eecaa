/// Turns rows of cyan, magenta, yellow and black into red, green and blue without a profile.
struct FourColorArithmetic: RowConversion {
  /// Whether 255 stands for no ink, as Adobe stores it.
  let isInverted: Bool

  func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    let flip: UInt8 = isInverted ? 0 : 255
    for pixel in 0..<count {
      let start = pixel * 4
      let light = UInt32(pixels[start + 3] ^ flip)
      for channel in start..<(start + 3) {
        pixels[channel] = UInt8((UInt32(pixels[channel] ^ flip) * light + 127) / 255)
      }
      pixels[start + 3] = 255
    }
  }
}

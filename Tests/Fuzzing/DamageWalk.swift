import Pipeline

/// Decodes a file cut at every byte, or with each of its first 512 bytes flipped.
func walkDamage(_ file: [UInt8], everyPrefix: Bool) {
  let whole = ImageBytes(file)
  for index in 0..<(everyPrefix ? file.count : min(512, file.count)) {
    var options = DecodingOptions()
    // Above every picture of the corpus, so that each is decoded with its damage.
    options.limits.pixels = 1 << 25
    options.limits.framePixels = 1 << 27
    options.acceptsPartial = index % 2 == 0
    if index % 3 == 0 { options.targetSize = PixelSize(width: 16, height: 16) }
    if everyPrefix {
      decodeEveryWay(whole.beginning(index), options)
    } else {
      var damaged = file
      damaged[index] ^= 0xFF
      // Decoding large files again and again in pieces would take hours.
      decodeEveryWay(ImageBytes(damaged), options, inPieces: file.count < 1 << 20)
    }
  }
}

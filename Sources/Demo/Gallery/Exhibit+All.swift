import Pipeline

extension Exhibit {
  /// The pictures of the gallery: every format, still and moving, with and without alpha.
  static let all: [Exhibit] = [
    Exhibit(name: "sunset.jpg", format: .jpeg, caption: "baseline", size: still) {
      () throws(EncodeError) in
      try JPEGEncoder(quality: 88).encode(Scene.hills(still.width, still.height, .evening).bitmap)
    },
    Exhibit(name: "waves.jpg", format: .jpeg, caption: "progressive", size: still) {
      () throws(EncodeError) in
      try JPEGEncoder(quality: 85, isProgressive: true)
        .encode(Scene.waves(still.width, still.height).bitmap)
    },
    Exhibit(name: "boat.jpg", format: .jpeg, caption: "stored on its side", size: upright) {
      () throws(EncodeError) in
      let picture = Scene.boat(upright.width, upright.height).bitmap.turnedLeft
      return try JPEGEncoder(quality: 88, metadata: ImageMetadata(exif: quarterTurnRight))
        .encode(picture)
    },
    Exhibit(name: "glass.png", format: .png, caption: "with alpha", size: still) {
      () throws(EncodeError) in
      try PNGEncoder().encode(Scene.glass(still.width, still.height).bitmap)
    },
    Exhibit(
      name: "night.png", format: .png, caption: "resized, rounded",
      transforms: [
        .resize(fitting: PixelSize(width: 300, height: 300)), .roundedCorners(radius: 24),
      ], size: large
    ) { () throws(EncodeError) in
      try PNGEncoder().encode(Scene.night(large.width, large.height).bitmap)
    },
    Exhibit(name: "orbit.gif", format: .gif, caption: "animated", size: small, frameCount: 16) {
      () throws(EncodeError) in
      try GIFEncoder().encode(moving(.gif, frames: 16, Scene.orbit))
    },
    Exhibit(name: "morning.webp", format: .webp, caption: "lossy", size: still) {
      () throws(EncodeError) in
      try WebPEncoder(compression: .lossy(quality: 82), effort: 2)
        .encode(Scene.hills(still.width, still.height, .morning).bitmap)
    },
    Exhibit(
      name: "pulse.webp", format: .webp, caption: "animated, alpha", size: small, frameCount: 12
    ) {
      () throws(EncodeError) in
      try WebPEncoder(compression: .lossless, effort: 0)
        .encode(moving(.webp, frames: 12, Scene.pulse))
    },
  ]

  private static let still = PixelSize(width: 480, height: 360)
  private static let upright = PixelSize(width: 300, height: 400)
  private static let large = PixelSize(width: 800, height: 600)
  private static let small = PixelSize(width: 240, height: 180)

  /// An EXIF block that says: turn a quarter to the right to stand upright (tag 0x0112, value 6).
  private static let quarterTurnRight = ImageBytes(
    [
      0x4D, 0x4D, 0x00, 0x2A, 0, 0, 0, 8,  // big-endian TIFF, its directory at byte 8
      0, 1,  // one entry
      0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,  // orientation, a short: 6
      0, 0, 0, 0,  // no further directory
    ] as [UInt8])

  private static func moving(
    _ format: ImageFormat, frames: Int, _ scene: @Sendable (Int, Int, Float) -> Canvas
  ) -> DecodedImage {
    let pictures = (0..<frames).map {
      scene(small.width, small.height, Float($0) / Float(frames)).bitmap
    }
    let animation = Animation(
      delays: Array(repeating: .milliseconds(80), count: frames), loopCount: 0,
      residentByteCount: pictures.reduce(0) { $0 + $1.byteCount }
    ) { pictures[$0] }
    return DecodedImage(bitmap: pictures[0], animation: animation, format: format)
  }
}

extension Bitmap {
  /// The picture turned a quarter to the left.
  var turnedLeft: Bitmap {
    withUnsafeBytes { source in
      Bitmap(size: PixelSize(width: height, height: width), hasAlpha: hasAlpha) { target in
        for y in 0..<height {
          for x in 0..<width {
            let from = (y * width + x) * 4
            let to = ((width - 1 - x) * height + y) * 4
            for part in 0..<4 { target[to + part] = source[from + part] }
          }
        }
      }
    }
  }
}

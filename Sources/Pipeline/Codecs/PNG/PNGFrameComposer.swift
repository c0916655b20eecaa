/// Decodes the frames of an animated PNG one after the other and composes them on the canvas.
final class PNGFrameComposer: FrameComposer {
  private var bytes: ImageBytes
  private let preamble: [PNGChunk]
  private var frames: [PNGFrame]
  private let frameOptions: DecodingOptions
  private let orientation: Orientation
  private let factor: Int
  private let hasAlpha: Bool
  private let size: PixelSize
  private var canvas: FrameCanvas?
  private var index = 0

  init(
    bytes: ImageBytes, preamble: [PNGChunk], canvas: PixelSize, hasAlpha: Bool,
    frames: [PNGFrame], options: DecodingOptions, orientation: Orientation
  ) {
    self.bytes = bytes
    self.preamble = preamble
    self.frames = frames
    self.orientation = orientation
    size = canvas
    let covered = options.targetSize.map(orientation.turning)
    factor = RowShrinker.factor(for: canvas, covering: covered)
    self.hasAlpha = hasAlpha
    var frameOptions = options
    frameOptions.targetSize = nil
    self.frameOptions = frameOptions
  }

  /// Takes frames that have come since, with the bytes they lie in.
  func extend(to frames: [PNGFrame], bytes: ImageBytes) {
    self.frames = frames
    self.bytes = bytes
  }

  func restart() {
    canvas = nil
    index = 0
  }

  private func openCanvas() throws(DecodeError) -> FrameCanvas {
    if let canvas { return canvas }
    let opened = try FrameCanvas(size: size)
    canvas = opened
    return opened
  }

  func next() throws(DecodeError) -> Bitmap {
    let canvas = try openCanvas()
    let frame = frames[index]
    let picture = try decode(frame)
    // What the first frame covered is nothing; restoring that means clearing.
    let disposal: PNGFrame.Disposal =
      index == 0 && frame.disposal == .restore ? .clear : frame.disposal
    if disposal == .restore { try canvas.save(frame.rectangle) }
    canvas.draw(picture, at: frame.rectangle, blending: frame.blendsOver)
    let composed = try canvas.picture(hasAlpha: hasAlpha)
      .redrawn(orientation: orientation, factor: factor)
    switch disposal {
    case .keep: break
    case .clear: canvas.clear(frame.rectangle)
    case .restore: canvas.restore()
    }
    index += 1
    return composed
  }

  /// Decodes a frame as a PNG of its own: the animation's preamble with the frame's size.
  private func decode(_ frame: PNGFrame) throws(DecodeError) -> Bitmap {
    let picture = try PNGPicture(
      options: frameOptions, orientation: .up, trustingChecksums: true)
    try bytes.withUnsafeBytes { buffer throws(DecodeError) in
      try picture.feed(preamble: preamble, of: buffer, size: frame.rectangle)
      for data in frame.data {
        try picture.feed(PNGChunk.head(type: PNGChunk.data, count: data.count))
        try picture.feed(UnsafeRawBufferPointer(rebasing: buffer[data]))
        try picture.feed([0, 0, 0, 0])
      }
    }
    guard picture.isDone else { throw .corrupt(.png, reason: "rows of a frame are missing") }
    return try picture.finish()
  }
}

extension PNGChunk {
  /// The bytes that a chunk of `count` bytes of data begins with.
  static func head(type: UInt32, count: Int) -> [UInt8] {
    [UInt32(truncatingIfNeeded: count), type].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
  }
}

extension PNGPicture {
  /// Feeds the signature and the chunks before the pixels; with another size, if `size` is given.
  func feed(
    preamble: [PNGChunk], of buffer: UnsafeRawBufferPointer, size: PixelRectangle? = nil
  ) throws(DecodeError) {
    try feed(PNGChunk.signature)
    for chunk in preamble {
      guard let size, chunk.type == PNGChunk.header else {
        try feed(UnsafeRawBufferPointer(rebasing: buffer[chunk.range]))
        continue
      }
      var header = Array(buffer[chunk.range])
      header.replaceSubrange(8..<12, with: PNGChunk.head(type: 0, count: size.width)[..<4])
      header.replaceSubrange(12..<16, with: PNGChunk.head(type: 0, count: size.height)[..<4])
      try feed(header)
    }
  }

  /// Feeds bytes made here.
  func feed(_ bytes: [UInt8]) throws(DecodeError) {
    try ImageBytes(bytes).withUnsafeBytes { buffer throws(DecodeError) in try feed(buffer) }
  }
}

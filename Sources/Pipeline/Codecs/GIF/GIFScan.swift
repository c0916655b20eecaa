/// Walks the blocks of a GIF as they come, and notes what they say without decoding pixels.
struct GIFScan {
  /// The frames begun; the last may be incomplete.
  private(set) var frames: [GIFFrame] = []
  /// How often it plays: once, unless an extension says otherwise; 0 is for ever.
  private(set) var playCount = 1
  /// The canvas: the screen, or more where the first frame needs it. `nil` before that has begun.
  private(set) var canvas: PixelSize?
  /// Whether the end mark was seen, or something that is no block.
  private(set) var isEnded = false
  /// Whether something stood where a block should begin.
  private(set) var hasJunk = false
  private var screen: PixelSize?
  private var globalPalette = 0..<0
  private var offset = 0
  /// How far data blocks have been walked, so that none is walked twice.
  private var reached = 0
  private var extensionByteCount = 0
  private var control = GIFFrame(rectangle: .init(x: 0, y: 0, width: 0, height: 0), palette: 0..<0)

  /// Whether pixels may be less than opaque, by the frames begun so far.
  var hasAlpha: Bool { canvas.map { Self.hasAlpha(frames, on: $0) } ?? false }

  /// Whether frames leave pixels of the canvas transparent, or make them so.
  static func hasAlpha(_ frames: [GIFFrame], on canvas: PixelSize) -> Bool {
    let whole = PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let isCovered = frames.first?.rectangle.clipped(to: canvas) == whole
    let clears = frames.count > 1 && frames.contains { $0.disposal != .keep }
    return !isCovered || clears || frames.contains { $0.transparentIndex != nil }
  }

  /// Whether the bytes end where a block ended.
  private(set) var isBetweenBlocks = false

  /// Goes on over the bytes known by now.
  mutating func advance(
    over bytes: UnsafeRawBufferPointer, limits: DecodingLimits
  ) throws(DecodeError) {
    if screen == nil, !readScreen(bytes) { return }
    while !isEnded {
      isBetweenBlocks = offset == bytes.count
      guard offset < bytes.count else { return }
      if let last = frames.last, !last.isComplete {
        guard let end = skipBlocks(from: offset, in: bytes) else { return }
        frames[frames.count - 1].isComplete = true
        offset = end
        continue
      }
      switch bytes[offset] {
      case 0x21: guard try readExtension(bytes, limits: limits) else { return }
      case 0x2C: guard try readFrame(bytes, limits: limits) else { return }
      case 0x3B: isEnded = true
      default: (isEnded, hasJunk) = (true, true)
      }
    }
  }

  private mutating func readScreen(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 13 else { return false }
    let paletteEnd = 13 + Self.paletteByteCount(bytes[10])
    guard bytes.count >= paletteEnd else { return false }
    globalPalette = 13..<paletteEnd
    screen = PixelSize(width: bytes.littleEndian16(at: 6), height: bytes.littleEndian16(at: 8))
    offset = paletteEnd
    return true
  }

  private static func paletteByteCount(_ flags: UInt8) -> Int {
    flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
  }

  /// The end of the data blocks that begin at `start`; `nil` while it has not come. Moves on over
  /// the blocks of pixels that are there.
  private mutating func skipBlocks(from start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = max(start, reached)
    defer { reached = position }
    while position < bytes.count {
      let length = Int(bytes[position])
      if length == 0 { return position + 1 }
      guard position + 1 + length <= bytes.count else { break }
      position += 1 + length
    }
    if let last = frames.last, !last.isComplete { offset = position }
    return nil
  }

  private mutating func readExtension(
    _ bytes: UnsafeRawBufferPointer, limits: DecodingLimits
  ) throws(DecodeError) -> Bool {
    guard offset + 3 <= bytes.count else { return false }
    let blocksEnd = skipBlocks(from: offset + 2, in: bytes)
    guard extensionByteCount + reached - offset <= limits.ancillaryBytes else {
      throw .tooMuchMetadata(.gif, limit: limits.ancillaryBytes)
    }
    guard let end = blocksEnd else { return false }
    extensionByteCount += end - offset
    let (label, length, data) = (bytes[offset + 1], Int(bytes[offset + 2]), offset + 3)
    if label == 0xF9, length >= 4 {
      control.delay = .milliseconds(10 * bytes.littleEndian16(at: data + 1))
      control.transparentIndex = bytes[data] & 1 != 0 ? bytes[data + 3] : nil
      control.disposal =
        switch bytes[data] >> 2 & 7 {
        case 2: .clear
        case 3: .restore
        default: .keep
        }
    } else if label == 0xFF, length == 11, data + 15 <= end, bytes[data + 11] >= 3,
      bytes[data + 12] == 1
    {
      let name = String(decoding: bytes[data..<(data + 11)], as: UTF8.self)
      if name == "NETSCAPE2.0" || name == "ANIMEXTS1.0" {
        // The number says how often it plays again.
        let repeats = bytes.littleEndian16(at: data + 13)
        playCount = repeats == 0 ? 0 : repeats + 1
      }
    }
    offset = end
    return true
  }

  private mutating func readFrame(
    _ bytes: UnsafeRawBufferPointer, limits: DecodingLimits
  ) throws(DecodeError) -> Bool {
    guard offset + 10 <= bytes.count else { return false }
    let flags = bytes[offset + 9]
    let paletteByteCount = Self.paletteByteCount(flags)
    var frame = control
    frame.rectangle = PixelRectangle(
      x: bytes.littleEndian16(at: offset + 1), y: bytes.littleEndian16(at: offset + 3),
      width: bytes.littleEndian16(at: offset + 5), height: bytes.littleEndian16(at: offset + 7))
    try open(frame.rectangle, limits: limits)
    let paletteStart = offset + 10
    frame.dataStart = paletteStart + paletteByteCount + 1
    guard frame.dataStart <= bytes.count else { return false }
    frame.codeSize = Int(bytes[frame.dataStart - 1])
    guard (1...8).contains(frame.codeSize) else {
      throw .corrupt(.gif, reason: "a frame has an impossible code size")
    }
    frame.isInterlaced = flags & 0x40 != 0
    frame.palette =
      paletteByteCount > 0 ? paletteStart..<(frame.dataStart - 1) : globalPalette
    frames.append(frame)
    control.transparentIndex = nil
    control.delay = .zero
    control.disposal = .keep
    offset = frame.dataStart
    if let canvas { try limits.check(frames: frames.count, of: canvas) }
    return true
  }

  /// Sets the canvas by the first frame; checks every frame's own size.
  private mutating func open(
    _ frame: PixelRectangle, limits: DecodingLimits
  ) throws(DecodeError) {
    try limits.check(PixelSize(width: frame.width, height: frame.height))
    guard canvas == nil, let screen else { return }
    let size = PixelSize(
      width: max(screen.width, frame.maxX), height: max(screen.height, frame.maxY))
    guard size.width > 0, size.height > 0 else {
      throw .corrupt(.gif, reason: "it has no width or no height")
    }
    try limits.check(size)
    canvas = size
  }
}

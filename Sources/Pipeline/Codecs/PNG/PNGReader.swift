private import CPNGShims

/// libpng's push reader: takes a stream piece by piece, gives rows. Its failures are thrown.
final class PNGReader {
  /// What stands before the pixels.
  struct Header {
    var size: PixelSize
    var isInterlaced: Bool
    var isGray: Bool
    var hasAlpha: Bool
    var gamma: Double?
    var chromaticities: [Double]?
    var isSRGB: Bool
    var profile: [UInt8]?
    var hasBrokenProfile: Bool
  }

  private let decoder: OpaquePointer
  /// What rows go to; kept while they come.
  private var receiver: AnyObject?

  /// Opens a reader; `trustingChecksums` does not verify those of the chunks. A chunk that
  /// needs more than `chunkLimit` bytes when unpacked is passed over.
  init(trustingChecksums: Bool, chunkLimit: Int) throws(DecodeError) {
    guard let decoder = flow_png_open(trustingChecksums ? 1 : 0, max(1, chunkLimit)) else {
      throw .outOfMemory(byteCount: 0)
    }
    self.decoder = decoder
  }

  deinit { flow_png_close(decoder) }

  /// Feeds the next bytes; rows go where `send` said.
  func feed(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
    let status = flow_png_feed(
      decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    switch status {
    case FLOW_PNG_OK: return
    case FLOW_PNG_NO_MEMORY: throw .outOfMemory(byteCount: 0)
    default: throw .corrupt(.png, reason: String(cString: flow_png_message(decoder)))
    }
  }

  /// What stands before the pixels, once the head of the first data chunk has been fed.
  var header: Header? {
    var header = flow_png_header()
    guard flow_png_has_header(decoder, &header) != 0 else { return nil }
    let profile = UnsafeBufferPointer(start: header.profile, count: header.profile_count)
    let xy = header.chromaticities
    return Header(
      size: PixelSize(width: Int(header.width), height: Int(header.height)),
      isInterlaced: header.is_interlaced != 0, isGray: header.is_gray != 0,
      hasAlpha: header.has_alpha != 0, gamma: header.has_gamma != 0 ? header.gamma : nil,
      chromaticities: header.has_chromaticities != 0
        ? [xy.0, xy.1, xy.2, xy.3, xy.4, xy.5, xy.6, xy.7] : nil,
      isSRGB: header.is_srgb != 0, profile: profile.isEmpty ? nil : Array(profile),
      hasBrokenProfile: header.has_broken_profile != 0)
  }

  /// Sends each row of a picture that is not interlaced to `target`.
  func send(to target: RasterTarget) {
    handRows(to: target) { context, _, _, row in
      guard let context, let row else { return }
      Unmanaged<RasterTarget>.fromOpaque(context).takeUnretainedValue().commitCopy(of: row)
    }
  }

  /// Sends each row of each pass of an interlaced picture to `shrinker`.
  func send(to shrinker: InterlacedShrinker) {
    handRows(to: shrinker) { context, number, pass, row in
      guard let context, let row else { return }
      Unmanaged<InterlacedShrinker>.fromOpaque(context).takeUnretainedValue()
        .take(row, at: Int(number), ofPass: Int(pass))
    }
  }

  private func handRows(to receiver: AnyObject, _ take: @escaping flow_png_row_handler) {
    self.receiver = receiver
    // SAFETY: the receiver is kept as long as the reader, and rows come only while it is fed.
    flow_png_hand_rows(decoder, take, Unmanaged.passUnretained(receiver).toOpaque())
  }

  /// Combines the rows of all passes of an interlaced picture in `image`.
  func send(to image: PixelStorage, stride: Int) {
    receiver = image
    flow_png_fill(decoder, image.pointer, stride)
  }

  /// Whether all rows have come.
  var isDone: Bool { flow_png_is_done(decoder) != 0 }

  /// Whether any row has come.
  var hasRows: Bool { rowsFed > 0 }

  /// Rows that have come, of all passes; each pass counts as many as the picture has.
  var rowsFed: Int {
    var pass: Int32 = 0
    let rows = Int(flow_png_rows(decoder, &pass))
    return rows + Int(pass) * (header?.size.height ?? 0)
  }
}

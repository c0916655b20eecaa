private import CJPEGShims

/// libjpeg's decompressor, fed with bytes as they come. Its failures are thrown.
final class JPEGReader {
  /// How a call ended.
  enum Progress {
    /// There is more to do at once.
    case more
    /// More bytes are needed.
    case suspended
    /// Nothing is left to do.
    case done
  }

  /// What stands before the pixels.
  struct Header {
    var size: PixelSize
    var isFourColor: Bool
    var isGray: Bool
    var isInverted: Bool
    var hasManyScans: Bool
    /// Cannot stop and go on: wants all bytes at once.
    var isArithmetic: Bool
    var orientation: Orientation
    var profile: SegmentedProfile.Content
    var segmentByteCount: Int
  }

  private let decoder: OpaquePointer
  private var bytes = ImageBytes()
  /// How far the bytes have been let go.
  private var position = 0

  /// Opens a decompressor.
  init() throws(DecodeError) {
    guard let decoder = flow_jpeg_open() else { throw .outOfMemory(byteCount: 0) }
    self.decoder = decoder
  }

  deinit { flow_jpeg_close(decoder) }

  /// Gives all bytes known so far; `isComplete` says that no more will come.
  func feed(_ bytes: ImageBytes, isComplete: Bool) {
    // SAFETY: the bytes stay where they are while `bytes` is kept, which is until the next feed.
    self.bytes = bytes
    bytes.withUnsafeBytes { buffer in
      let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      flow_jpeg_feed(decoder, base, buffer.count, isComplete ? 1 : 0)
    }
  }

  /// Reads up to the first scan; `nil` when that has not come yet.
  func readHeader() throws(DecodeError) -> Header? {
    var header = flow_jpeg_header()
    guard try check(flow_jpeg_read_header(decoder, &header)) != .suspended else { return nil }
    var profile = SegmentedProfile()
    var orientation: Orientation?
    var index: Int32 = 0
    var number: Int32 = 0
    var start: UnsafePointer<UInt8>?
    var count = 0
    while flow_jpeg_segment(decoder, index, &number, &start, &count) != 0 {
      let segment = UnsafeRawBufferPointer(start: start, count: count)
      if number == 2 { profile.take(segment) }
      if number == 1, orientation == nil, segment.starts(with: Array("Exif\0\0".utf8)) {
        orientation = ExifOrientation.readNamed(segment)
      }
      index += 1
    }
    return Header(
      size: PixelSize(width: Int(header.width), height: Int(header.height)),
      isFourColor: header.is_four_color != 0, isGray: header.is_gray != 0,
      isInverted: header.has_adobe_marker != 0, hasManyScans: header.has_multiple_scans != 0,
      isArithmetic: header.is_arithmetic != 0, orientation: orientation ?? .up,
      profile: profile.content, segmentByteCount: header.segment_byte_count)
  }

  /// Begins; the size of the rows that will come, or `nil` when more bytes are needed.
  func start(eighths: Int, keepingScans: Bool) throws(DecodeError) -> PixelSize? {
    var (width, height): (UInt32, UInt32) = (0, 0)
    let status = flow_jpeg_start(
      decoder, Int32(eighths), keepingScans ? 1 : 0, &width, &height)
    guard try check(status) != .suspended else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// Reads up to `limit` rows to `rows`, RGBA or four colours; how many, and how it went on.
  func readRows(
    to rows: UnsafeMutablePointer<UInt8>, stride: Int, limit: Int
  ) throws(DecodeError) -> (count: Int, progress: Progress) {
    var count: Int32 = 0
    let status = flow_jpeg_read_rows(decoder, rows, stride, Int32(limit), &count)
    letGo()
    return (Int(count), try check(status))
  }

  /// Takes in some rows of the scans that are there; sets how many scans have begun.
  func takeInScans(limit: Int, begun: inout Int) throws(DecodeError) -> Progress {
    var scans: Int32 = 0
    let status = flow_jpeg_consume(decoder, Int32(limit), &scans)
    begun = Int(scans)
    letGo()
    return try check(status)
  }

  /// Begins a pass over all rows with all that has been taken in; scan `scan` must be complete.
  func beginPass(scan: Int) throws(DecodeError) {
    _ = try check(flow_jpeg_begin_pass(decoder, Int32(scan)))
  }

  /// Ends a pass whose rows are all read.
  func endPass() throws(DecodeError) {
    _ = try check(flow_jpeg_end_pass(decoder))
  }

  /// Whether pixels are missing because the bytes ended.
  var isCut: Bool { flow_jpeg_is_cut(decoder) != 0 }
  /// Whether any pixels have been taken in.
  var hasPixels: Bool { flow_jpeg_has_data(decoder) != 0 }
  /// The first flaw that was tolerated; `nil` without any.
  var flaw: String? { flow_jpeg_warnings(decoder) > 0 ? message : nil }

  private func letGo() {
    let next = flow_jpeg_position(decoder)
    bytes.letGo(from: position, to: next)
    position = next
  }

  private var message: String { String(cString: flow_jpeg_message(decoder)) }

  private func check(_ status: flow_jpeg_status) throws(DecodeError) -> Progress {
    switch status {
    case FLOW_JPEG_OK: return .more
    case FLOW_JPEG_SUSPENDED: return .suspended
    case FLOW_JPEG_DONE: return .done
    case FLOW_JPEG_TRUNCATED: throw .truncated(.jpeg)
    case FLOW_JPEG_UNSUPPORTED: throw .unsupportedFeature(.jpeg, name: unsupportedName)
    case FLOW_JPEG_NO_MEMORY: throw .outOfMemory(byteCount: 0)
    default: throw .corrupt(.jpeg, reason: message)
    }
  }

  /// libjpeg's sentence, turned into the name of a feature.
  private var unsupportedName: String {
    let text = message
    if text.contains("precision") { return "\(text.filter(\.isNumber))-bit samples" }
    if text.contains("SOF") { return "a process that is neither baseline nor progressive" }
    return "unknown colours"
  }
}

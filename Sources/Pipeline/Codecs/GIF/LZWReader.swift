/// Unpacks the codes of one GIF frame to palette indexes; may be fed piece by piece.
///
/// Each code stands for a run of indexes that is among those written already, so the table holds
/// places in the output instead of strings.
struct LZWReader {
  /// Indexes written.
  private(set) var count = 0
  /// Whether the end code was read, or the output is full.
  private(set) var isDone = false

  private let clearCode: Int
  private var codeLength: Int
  private var nextCode: Int
  /// Where the last code's run begins; `nil` after a clear code.
  private var lastStart: Int?
  private var bits: UInt32 = 0
  private var bitCount = 0
  // Wide enough for the largest frame that the format can say.
  private var starts = [UInt32](repeating: 0, count: 4096)
  private var lengths = [UInt32](repeating: 0, count: 4096)

  /// - Parameter codeSize: Bits of an index, 1 to 8.
  init(codeSize: Int) {
    clearCode = 1 << codeSize
    codeLength = codeSize + 1
    nextCode = clearCode + 2
  }

  /// Reads `bytes` and adds to `output`; throws when a code stands for nothing.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableBufferPointer<UInt8>
  ) throws(DecodeError) {
    for byte in bytes {
      guard !isDone else { return }
      bits |= UInt32(byte) << bitCount
      bitCount += 8
      while bitCount >= codeLength, !isDone {
        let code = Int(bits & (1 << codeLength - 1))
        bits >>= codeLength
        bitCount -= codeLength
        try take(code, output)
      }
    }
  }

  private mutating func take(
    _ code: Int, _ output: UnsafeMutableBufferPointer<UInt8>
  ) throws(DecodeError) {
    if code == clearCode {
      codeLength = clearCode.trailingZeroBitCount + 1
      nextCode = clearCode + 2
      lastStart = nil
      return
    }
    if code == clearCode + 1 { return isDone = true }
    let start = count
    if let lastStart, nextCode < 4096 {
      // The last run and the first index of this one, which follows it, become a code.
      starts[nextCode] = UInt32(truncatingIfNeeded: lastStart)
      lengths[nextCode] = UInt32(truncatingIfNeeded: start - lastStart + 1)
      nextCode += 1
      if nextCode == 1 << codeLength, codeLength < 12 { codeLength += 1 }
    }
    if code < clearCode {
      output[count] = UInt8(truncatingIfNeeded: code)
      count += 1
    } else {
      guard code < nextCode else {
        throw .corrupt(.gif, reason: "its pixels hold a code that stands for nothing")
      }
      copyRun(of: code, output)
    }
    lastStart = start
    if count == output.count { isDone = true }
  }

  private mutating func copyRun(of code: Int, _ output: UnsafeMutableBufferPointer<UInt8>) {
    let start = Int(starts[code])
    let length = min(Int(lengths[code]), output.count - count)
    // Index by index: a run may reach into what it is just writing.
    for index in 0..<length { output[count + index] = output[start + index] }
    count += length
  }
}

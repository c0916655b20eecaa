#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Immutable bytes, cheap to copy: a view of memory that somebody else may go on filling behind it.
// SAFETY: the first `count` bytes at `base` never change and live as long as `owner` does.
public struct ImageBytes: @unchecked Sendable {
  /// Number of bytes.
  public let count: Int
  let base: UnsafeRawPointer?
  let owner: (any Sendable & AnyObject)?

  /// No bytes.
  public init() {
    count = 0
    base = nil
    owner = nil
  }

  /// A copy of `bytes`.
  public init(_ bytes: some Collection<UInt8>) {
    let block = ByteBlock(capacity: bytes.count)
    let isCopied: Void? = bytes.withContiguousStorageIfAvailable { source in
      block.bytes.copyMemory(from: UnsafeRawBufferPointer(source))
    }
    if isCopied == nil { _ = block.bytes.initializeMemory(as: UInt8.self, from: bytes) }
    self.init(owner: block, base: UnsafeRawPointer(block.bytes.baseAddress), count: bytes.count)
  }

  /// A view of `count` bytes at `base`, which `owner` keeps alive and nobody changes.
  init(owner: (any Sendable & AnyObject)?, base: UnsafeRawPointer?, count: Int) {
    self.owner = owner
    self.base = base
    self.count = count
  }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// A view of some of the bytes; nothing is copied. `range` lies within them.
  func part(_ range: Range<Int>) -> ImageBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "part outside the bytes")
    return ImageBytes(owner: owner, base: base.map { $0 + range.lowerBound }, count: range.count)
  }

  /// The bytes, valid inside `body` only.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(owner) {} }
    return try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// The first `length` bytes, or all if there are fewer, as an array.
  public func prefix(_ length: Int) -> [UInt8] {
    withUnsafeBytes { Array($0.prefix(length)) }
  }

  /// The first `length` bytes, or all if there are fewer, in the same memory.
  public func beginning(_ length: Int) -> ImageBytes {
    guard let owner else { return self }
    return ImageBytes(owner: owner, base: base, count: min(max(length, 0), count))
  }

  /// A copy as `Data`.
  public var data: Data { withUnsafeBytes { Data($0) } }
}

extension ImageBytes: Equatable {
  /// Whether both hold the same bytes.
  public static func == (left: ImageBytes, right: ImageBytes) -> Bool {
    left.count == right.count
      && left.withUnsafeBytes { a in right.withUnsafeBytes { b in a.elementsEqual(b) } }
  }
}

/// A block of memory that frees itself.
// SAFETY: its one writer fills bytes beyond those that views were made of, and no others.
final class ByteBlock: @unchecked Sendable {
  /// At least as many as asked for.
  let bytes: UnsafeMutableRawBufferPointer

  /// Traps when there is no memory to be had.
  init(capacity: Int) {
    guard let block = PixelMemory.allocate(byteCount: capacity) else {
      preconditionFailure("no memory for \(capacity) bytes")
    }
    bytes = block
  }

  deinit { PixelMemory.free(bytes) }
}

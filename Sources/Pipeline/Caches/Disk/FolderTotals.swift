#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How many bytes and entries a cache's folder holds, kept in a small file that all processes share,
/// so that opening needs no scan.
///
/// Every change is made under the folder's lock and marks its bucket first. Whoever takes the lock
/// and finds a mark knows that its maker died half-way, and counts that bucket anew. The file is
/// read and written, not mapped: on a full disk a mapping would end the process.
///
/// Used by one thread at a time: `DiskCache` keeps it in its mutex.
struct FolderTotals: ~Copyable {
  struct Amount: Sendable, Hashable {
    var bytes = 0
    var entries = 0

    /// What no folder has is no sum, but damage; wrapping around, it is seen for that.
    static func + (left: Amount, right: Amount) -> Amount {
      Amount(bytes: left.bytes &+ right.bytes, entries: left.entries &+ right.entries)
    }

    /// Whether a folder can have so much.
    var isPlausible: Bool {
      (0...Int(1) << 54).contains(bytes) && (0...Int(1) << 54).contains(entries)
    }
  }

  private static let magic: Int64 = 0x0001_7361_6c61_7446
  private static let headLength = 32
  private static let length = headLength + CacheFolder.bucketCount * 16
  /// The mark of a change that touches all buckets.
  private static let allBuckets: Int64 = -1

  let folder: CacheFolder
  private let lock: OpenFile
  private let file: OpenFile

  /// Whether a file looks like one of totals.
  static func isThere(_ path: String) -> Bool {
    guard let file = try? OpenFile(path, O_RDONLY) else { return false }
    var magic: Int64 = 0
    let outcome = withUnsafeMutableBytes(of: &magic) { buffer in
      Result { () throws(SystemError) in try file.read(into: buffer, at: 0) }
    }
    return (try? outcome.get()) != nil && magic == Self.magic
  }

  /// Opens the totals of a folder that exists; counts everything if they are missing.
  static func open(_ folder: CacheFolder) throws(SystemError) -> FolderTotals {
    let lock = try OpenFile(folder.lock, O_RDWR | O_CREAT)
    let file = try OpenFile(folder.totals, O_RDWR | O_CREAT)
    let totals = FolderTotals(folder: folder, lock: lock, file: file)
    try totals.prepare()
    return totals
  }

  private init(folder: CacheFolder, lock: consuming OpenFile, file: consuming OpenFile) {
    self.folder = folder
    self.lock = lock
    self.file = file
  }

  private func prepare() throws(SystemError) {
    guard lock.lock() else { throw .latest }
    defer { lock.unlock() }
    let size = try file.status().st_size
    let isWhole = size == Self.length ? try head().magic == Self.magic : false
    if !isWhole {
      try write([Int64](repeating: 0, count: Self.length / 8), at: 0)
      try setHead(pending: Self.allBuckets, total: Amount())
    }
    try heal()
  }

  /// The sum, as last written by any process; zero if it can not be read.
  var total: Amount {
    guard let head = try? head(), head.total.isPlausible else { return Amount() }
    return head.total
  }

  /// Changes a bucket: `body` changes files and says by how much; what it throws is passed on.
  func change(
    bucket: Int, _ body: () throws(SystemError) -> Amount
  ) throws(SystemError) {
    guard lock.lock() else { throw .latest }
    defer { lock.unlock() }
    try heal()
    let total = self.total
    try setHead(pending: Int64(bucket) + 1, total: total)
    do throws(SystemError) {
      let before = try amount(of: bucket)
      let change = try body()
      try setAmount(before + change, of: bucket)
      try setHead(pending: 0, total: total + change)
    } catch {
      try setHead(pending: 0, total: total)
      throw error
    }
  }

  /// Counts a bucket anew and hands every file in it to `body`.
  func recount(bucket: Int, _ body: (_ name: String, _ status: stat) -> Void) throws(SystemError) {
    guard lock.lock() else { throw .latest }
    defer { lock.unlock() }
    try heal()
    let before = try amount(of: bucket)
    let after = count(bucket: bucket, body)
    guard before != after else { return }
    let total = self.total
    try setHead(pending: Int64(bucket) + 1, total: total)
    try setAmount(after, of: bucket)
    try setHead(
      pending: 0,
      total: Amount(
        bytes: total.bytes &+ after.bytes &- before.bytes,
        entries: total.entries &+ after.entries &- before.entries))
  }

  /// Empties all buckets: `body` takes the files away.
  func clear(_ body: () throws(SystemError) -> Void) throws(SystemError) {
    guard lock.lock() else { throw .latest }
    defer { lock.unlock() }
    try setHead(pending: Self.allBuckets, total: Amount())
    do throws(SystemError) {
      try body()
    } catch {
      // Nothing was taken away, or not all: what is left is counted anew, at the latest by the next.
      try? heal()
      throw error
    }
    try heal()
  }

  /// Counts anew what a dead writer left half-way, and all where the file is damaged.
  private func heal() throws(SystemError) {
    let head = try head()
    let isSound = head.magic == Self.magic && head.total.isPlausible
    guard head.pending != 0 || !isSound else { return }
    let named = isSound ? Int(head.pending) &- 1 : -1
    let buckets = 0..<CacheFolder.bucketCount
    for bucket in buckets.contains(named) ? named..<(named + 1) : buckets {
      try setAmount(count(bucket: bucket) { _, _ in }, of: bucket)
    }
    try writeSum()
  }

  /// Makes the total the sum of all buckets, when they have been counted.
  func sumUp() throws(SystemError) {
    guard lock.lock() else { throw .latest }
    defer { lock.unlock() }
    try heal()
    try writeSum()
  }

  private func writeSum() throws(SystemError) {
    var total = Amount()
    for bucket in 0..<CacheFolder.bucketCount { total = total + (try amount(of: bucket)) }
    try setHead(pending: 0, total: total)
  }

  private func count(bucket: Int, _ body: (String, stat) -> Void) -> Amount {
    var amount = Amount()
    let path = folder.bucket(bucket)
    try? forEachName(in: path) { name in
      guard let status = fileStatus(path + "/" + name) else { return }
      amount.bytes += status.size
      amount.entries += 1
      body(name, status)
    }
    return amount
  }

  private func head() throws(SystemError) -> (magic: Int64, pending: Int64, total: Amount) {
    let numbers = try numbers(count: 4, at: 0)
    return (numbers[0], numbers[1], Amount(bytes: Int(numbers[2]), entries: Int(numbers[3])))
  }

  private func setHead(pending: Int64, total: Amount) throws(SystemError) {
    try write([Self.magic, pending, Int64(total.bytes), Int64(total.entries)], at: 0)
  }

  private func amount(of bucket: Int) throws(SystemError) -> Amount {
    let pair = try numbers(count: 2, at: Self.headLength + bucket * 16)
    let amount = Amount(bytes: Int(pair[0]), entries: Int(pair[1]))
    return amount.isPlausible ? amount : count(bucket: bucket) { _, _ in }
  }

  private func setAmount(_ amount: Amount, of bucket: Int) throws(SystemError) {
    try write([Int64(amount.bytes), Int64(amount.entries)], at: Self.headLength + bucket * 16)
  }

  private func numbers(count: Int, at offset: Int) throws(SystemError) -> [Int64] {
    var numbers = [Int64](repeating: 0, count: count)
    let outcome = numbers.withUnsafeMutableBytes { buffer in
      Result { () throws(SystemError) in try file.read(into: buffer, at: offset) }
    }
    try outcome.get()
    return numbers
  }

  private func write(_ numbers: [Int64], at offset: Int) throws(SystemError) {
    let outcome = numbers.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try file.write(bytes, at: offset) }
    }
    try outcome.get()
  }
}

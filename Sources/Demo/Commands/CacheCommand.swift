import Foundation
import Pipeline

/// `demo cache`: looks after the disk cache.
struct CacheCommand {
  private let options: CacheOptions
  private let console: Console

  init(_ options: CacheOptions, _ console: Console) {
    self.options = options
    self.console = console
  }

  private var folder: String {
    options.folder ?? DiskCacheConfiguration.standardFolder(named: "flow-demo")
  }

  /// Does the one thing that was asked for.
  func run() -> ExitCode {
    guard isCache else {
      console.writeError("demo: \(folder) holds no cache\n")
      return .failure
    }
    do throws(CacheError) {
      var configuration = DiskCacheConfiguration()
      if options.action == .trim, let size = options.size {
        configuration.maximumSize = size
        configuration.trimmedPart = 1
      }
      let cache = try DiskCache(folder: folder, configuration: configuration)
      return try perform(options.action, on: cache)
    } catch {
      console.writeError("demo: \(error)\n")
      return .failure
    }
  }

  /// A folder that somebody names has to be a cache: looking makes none of another.
  private var isCache: Bool {
    guard options.folder != nil else { return true }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
    // What is no folder at all, the cache itself has words for.
    if isThere, !isFolder.boolValue { return true }
    return FileManager.default.fileExists(atPath: folder + "/totals")
  }

  private func perform(
    _ action: CacheOptions.Action, on cache: DiskCache
  ) throws(CacheError) -> ExitCode {
    switch action {
    case .path:
      let key = options.key.map { RequestKeys(ImageRequest(SourceArgument.url($0))).original }
      console.write((key.map { cache.path(for: $0) } ?? cache.path) + "\n")
    case .stats: console.write("\(cache.path): \(amount(cache.statistics))\n")
    case .list: console.write(list(cache))
    case .verify:
      let (whole, removed) = cache.verify()
      console.write("\(Figures.count(whole, "file")) whole, \(removed) damaged removed\n")
      return removed == 0 ? .success : .failure
    case .trim:
      cache.trim()
      let removed = cache.statistics.evictions
      console.write("\(removed) removed, left: \(amount(cache.statistics))\n")
    case .clear:
      let before = amount(cache.statistics)
      try cache.removeAll()
      cache.flush()
      console.write("removed: \(before)\n")
    }
    return .success
  }

  private func amount(_ statistics: DiskCache.Statistics) -> String {
    "\(Figures.count(statistics.entryCount, "file")), "
      + Figures.bytes(statistics.byteCount)
  }

  private func list(_ cache: DiskCache) -> String {
    var entries: [ListedEntry] = []
    cache.forEachEntry { entries.append($0) }
    entries.sort { ($0.lastUse, $1.path) > ($1.lastUse, $0.path) }
    var table = TextTable(
      [("key", .left), ("bytes", .right), ("type", .left)], width: console.terminalWidth ?? .max)
    for entry in entries {
      let key = entry.key.map { Self.printable($0) } ?? "damaged: \(entry.path)"
      let type = entry.variant.isEmpty ? entry.response?.header("Content-Type") : "result"
      table.add([key, Figures.bytes(entry.byteCount), type ?? "–"])
    }
    return entries.isEmpty ? "" : table.text
  }

  /// Keys may hold anything; a terminal must not obey it.
  private static func printable(_ key: String) -> String {
    String(String.UnicodeScalarView(key.unicodeScalars.map { $0.properties.isControl ? "·" : $0 }))
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}

/// Writes counts in the text format that Prometheus reads (version 0.0.4).
///
/// ```swift
/// var text = PrometheusText()
/// text.add(pipeline.counters)
/// text.add(downloader.counts)
/// respond(text.description)  // Content-Type: text/plain; version=0.0.4
/// ```
/// Counts of several pipelines are told apart by labels; families of one name are written once.
public struct PrometheusText: Sendable {
  private struct Family {
    let name: String
    let kind: String
    let help: String
    var samples: [String] = []
  }

  private let prefix: String
  private var families: [Family] = []

  /// Writes nothing yet.
  ///
  /// - Parameter prefix: What all names begin with.
  public init(prefix: String = "flow") { self.prefix = prefix }

  /// Adds what the loads of a pipeline came to.
  public mutating func add(_ counters: PipelineCounters, labels: [String: String] = [:]) {
    add("loads_begun_total", "Loads asked for.", counters.begun, labels)
    add("loads_running", "Loads that run now.", counters.running, labels)
    for (origin, count) in counters.delivered.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let labels = labels.merging(["origin": origin.rawValue]) { $1 }
      add("loads_delivered_total", "Images and bytes delivered.", count, labels)
      add(
        "loads_bytes_total", "Body bytes of what was delivered.",
        counters.byteCount[origin] ?? 0, labels)
    }
    for (stage, count) in counters.failed.sorted(by: { $0.key < $1.key }) {
      add(
        "loads_failed_total", "Loads that failed, by stage.", count,
        labels.merging(["stage": stage]) { $1 })
    }
    add("loads_cancelled_total", "Loads nobody wanted any more.", counters.cancelled, labels)
    for work in LoadSpan.Work.allCases {
      guard let time = counters.stageTimes[work] else { continue }
      let labels = labels.merging(["work": work.rawValue]) { $1 }
      let name = "load_stage_seconds"
      let help = "Time loads spent, by what it was spent on."
      add(name, "summary", help, "_sum", time.total.seconds, labels)
      add(name, "summary", help, "_count", Double(time.count), labels)
    }
  }

  /// Adds the transfers of a downloader.
  public mutating func add(_ counts: DownloaderCounts, labels: [String: String] = [:]) {
    add("transfers_running", "Transfers on the wire.", counts.running, labels)
    add("transfers_waiting", "Transfers in the queue.", counts.waiting, labels)
  }

  /// Adds a memory tier.
  public mutating func add(
    memory statistics: MemoryCache<String, CachedPixels>.Statistics, labels: [String: String] = [:]
  ) {
    add("memory_bytes", "Bytes of pixels in memory.", statistics.cost, labels)
    add("memory_images", "Images in memory.", statistics.count, labels)
    add("memory_hits_total", "Look-ups answered from memory.", statistics.hits, labels)
    add("memory_misses_total", "Look-ups not answered from memory.", statistics.misses, labels)
    add("memory_evictions_total", "Images that made room.", statistics.evictions, labels)
  }

  /// Adds a disk tier.
  public mutating func add(disk statistics: DiskCache.Statistics, labels: [String: String] = [:]) {
    add("disk_bytes", "Bytes of entries on disk.", statistics.byteCount, labels)
    add("disk_entries", "Entries on disk.", statistics.entryCount, labels)
    add("disk_hits_total", "Look-ups answered from disk.", statistics.hits, labels)
    add("disk_misses_total", "Look-ups not answered from disk.", statistics.misses, labels)
    add("disk_damaged_total", "Entries found damaged.", statistics.damaged, labels)
    add("disk_evictions_total", "Entries that made room.", statistics.evictions, labels)
  }

  /// Adds one number of your own. Names that end in `_total` are counters, others gauges.
  public mutating func add(
    _ name: String, _ help: String, _ value: Int, _ labels: [String: String] = [:]
  ) {
    add(name, name.hasSuffix("_total") ? "counter" : "gauge", help, "", Double(value), labels)
  }

  private mutating func add(
    _ name: String, _ kind: String, _ help: String, _ suffix: String, _ value: Double,
    _ labels: [String: String]
  ) {
    let name = "\(prefix)_\(name)"
    let written = labels.sorted { $0.key < $1.key }
      .map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    let number = Int(exactly: value).map { "\($0)" } ?? "\(value)"
    let sample = "\(name)\(suffix)\(written.isEmpty ? "" : "{\(written)}") \(number)"
    if let index = families.firstIndex(where: { $0.name == name }) {
      families[index].samples.append(sample)
    } else {
      families.append(Family(name: name, kind: kind, help: help, samples: [sample]))
    }
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }
}

extension PrometheusText: CustomStringConvertible {
  /// The text, each line ended.
  public var description: String {
    families.map { family in
      let head = "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind)\n"
      return head + family.samples.map { "\($0)\n" }.joined()
    }.joined()
  }
}

extension Duration {
  /// In seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

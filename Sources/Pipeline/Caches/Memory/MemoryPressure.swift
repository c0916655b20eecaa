#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How short of memory the machine, or the group of processes this one is in, runs.
public struct MemoryPressure: Sendable, Hashable {
  /// Percent of the last ten seconds in which some process waited for memory; 0…100.
  public var stalled: Double
  /// Part of the group's memory limit that is in use; `nil` without a limit.
  public var used: Double?

  /// States a pressure.
  public init(stalled: Double, used: Double? = nil) {
    self.stalled = stalled
    self.used = used
  }

  /// The part of its cost a cache should keep: all, half, or nothing.
  public var keptPart: Double {
    if stalled >= 40 || (used ?? 0) >= 0.97 { return 0 }
    if stalled >= 10 || (used ?? 0) >= 0.9 { return 0.5 }
    return 1
  }
}

/// Where pressure is read; tests give their own.
public protocol MemoryPressureSource: Sendable {
  /// The pressure now; `nil` when it can not be known. Reads small files of the kernel.
  func pressure() -> MemoryPressure?
}

/// Reads Linux's pressure stall figures and the limit of the control group (version 2).
public struct KernelMemoryPressure: MemoryPressureSource {
  private let stallFile: String
  private let group: String

  /// Reads the files of this machine, or of the paths given.
  public init(stallFile: String = "/proc/pressure/memory", group: String = "/sys/fs/cgroup") {
    self.stallFile = stallFile
    self.group = group
  }

  /// The pressure now; `nil` where the kernel tells neither figure.
  public func pressure() -> MemoryPressure? {
    let stalled = text(stallFile).flatMap { Self.stalled(in: $0) }
    var used: Double?
    if let limit = text(group + "/memory.max").flatMap({ Double($0) }), limit > 0,
      let current = text(group + "/memory.current").flatMap({ Double($0) })
    {
      used = current / limit
    }
    guard stalled != nil || used != nil else { return nil }
    return MemoryPressure(stalled: stalled ?? 0, used: used)
  }

  /// The figure after `avg10=` in the line of `some`.
  static func stalled(in text: String) -> Double? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("some ") }
    let field = line?.split(separator: " ").first { $0.hasPrefix("avg10=") }
    return field.flatMap { Double($0.dropFirst(6)) }
  }

  private func text(_ path: String) -> String? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

extension MemoryCache {
  /// Drops what memory pressure asks for: call it from time to time, and before large loads.
  ///
  /// - Returns: The part that was kept, 0…1.
  @discardableResult
  public func relieve(_ source: some MemoryPressureSource) -> Double {
    guard let part = source.pressure()?.keptPart, part < 1 else { return 1 }
    trim(toCost: Int(Double(statistics.cost) * part))
    return part
  }
}

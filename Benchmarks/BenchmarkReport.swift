import Foundation

/// What the command line asks for.
struct BenchmarkOptions {
  var groups: Set<String> = []
  var only: Set<String> = []
  var asJSON = false

  init(_ arguments: some Sequence<String>) {
    var takesIDs = false
    for argument in arguments {
      switch argument {
      case "--json": asJSON = true
      case "--only": takesIDs = true
      default:
        if takesIDs { only.insert(argument) } else { groups.insert(argument) }
      }
    }
  }

  /// Groups that check rather than measure run when they are named.
  func wants(_ group: String) -> Bool {
    groups.contains(group) || groups.isEmpty && group != "faults"
  }
}

/// Measures, prints and collects. Both sides of a line run in alternation; their medians count.
final class BenchmarkReport {
  struct Line: Codable {
    var id: String
    var ours: Double
    var floor: Double
    var ratio: Double
    var unit: String
    var note: String
  }

  private let options: BenchmarkOptions
  private var lines: [Line] = []

  init(_ options: BenchmarkOptions) { self.options = options }

  /// Whether the line is asked for, or one of the lines whose ids begin with this one and a dot.
  func wants(_ id: String) -> Bool {
    options.only.isEmpty
      || options.only.contains { id == $0 || id.hasPrefix($0 + ".") || $0.hasPrefix(id + ".") }
  }

  /// Times two bodies, each doing `operations` operations, and reports nanoseconds an operation.
  func compare(
    _ id: String, _ note: String, operations: Int, rounds: Int = 7, clock: BenchmarkClock = .wall,
    ours: () -> Void, floor: () -> Void
  ) {
    guard wants(id) else { return }
    ours()
    floor()
    var times: (ours: [Double], floor: [Double]) = ([], [])
    for _ in 0..<rounds {
      times.ours.append(clock.nanoseconds(ours) / Double(operations))
      times.floor.append(clock.nanoseconds(floor) / Double(operations))
    }
    record(id, note, ours: median(times.ours), floor: median(times.floor), unit: "ns")
  }

  /// Times one body.
  func time(
    _ operations: Int, rounds: Int = 7, clock: BenchmarkClock = .wall, _ body: () -> Void
  ) -> Double {
    body()
    return median((0..<rounds).map { _ in clock.nanoseconds(body) / Double(operations) })
  }

  /// Reports a pair of figures measured elsewhere.
  func record(_ id: String, _ note: String, ours: Double, floor: Double, unit: String) {
    let line = Line(
      id: id, ours: ours, floor: floor, ratio: floor > 0 ? ours / floor : 0, unit: unit,
      note: note)
    lines.append(line)
    if options.asJSON { return }
    let numbers = String(
      format: "%@ ours=%.2f floor=%.2f ratio=%.2f unit=%@", line.id, line.ours, line.floor,
      line.ratio, line.unit)
    print("\(numbers)  # \(note)")
  }

  func finish() {
    guard options.asJSON else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(lines) else { return }
    print(String(decoding: data, as: UTF8.self))
  }
}

/// Which time is measured.
enum BenchmarkClock {
  /// What a user waits.
  case wall
  /// What the process computes: the same for work of one thread, but blind to a busy machine.
  case computing

  func nanoseconds(_ body: () -> Void) -> Double {
    if case .wall = self { return Benchmarks.nanoseconds(body) }
    var (start, end) = (timespec(), timespec())
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start)
    body()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
    return Double(end.tv_sec - start.tv_sec) * 1e9 + Double(end.tv_nsec - start.tv_nsec)
  }
}

func nanoseconds(_ body: () -> Void) -> Double {
  let start = ContinuousClock.now
  body()
  let (seconds, attoseconds) = start.duration(to: .now).components
  return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Stops the run when a workload did not do its work.
func check(_ sum: Int, _ expected: Int, _ what: String) {
  guard sum != expected else { return }
  // A release build says nothing of why a precondition stopped it.
  print("\(what): \(sum) instead of \(expected)")
  exit(1)
}

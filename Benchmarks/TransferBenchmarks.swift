import Flow
import Foundation
import Pipeline

/// T1–T5: the downloader beside curl, and what many loads cost.
func transferBenchmarks(_ report: BenchmarkReport) async {
  guard let (server, port) = try? FileServer.start() else { return print("T: no server") }
  defer { kill(server.processIdentifier, SIGKILL) }
  let bench = TransferBench(report: report, port: port)
  // First what memory is measured of: the others leave freed memory behind.
  if report.wants("T3") { bench.queued() }
  if report.wants("T2") { bench.oneLarge() }
  if report.wants("T1") { bench.manySmall() }
  if report.wants("T4") { bench.subscribers() }
  if report.wants("T5") { bench.cancelled() }
}

struct TransferBench {
  let report: BenchmarkReport
  let port: UInt16

  /// 500 files of 20 kB, 6 at once, by us and by curl; what curl needs to start is taken off.
  func manySmall() {
    let count = 500
    let size = 20_000
    let curl = CurlCommand(
      arguments: ["--parallel", "--parallel-max", "6"],
      urls: (0..<count).map { address("\(size)?\($0)") })
    let idle = CurlCommand(arguments: [], urls: [])
    var (ours, theirs, nothing): ([Usage], [Usage], [Usage]) = ([], [], [])
    for _ in 0..<7 {
      ours.append(Usage.ofThisProcess { load((0..<count).map { "\(size)?\($0)" }, size) })
      theirs.append(curl.run())
      nothing.append(idle.run())
    }
    let start = (wall: median(nothing.map(\.wall)), cpu: median(nothing.map(\.cpu)))
    report.record(
      "T1.wall", "500 files of 20 kB, 6 at once; floor: curl --parallel less its start",
      ours: median(ours.map(\.wall)) * 1e3, floor: (median(theirs.map(\.wall)) - start.wall) * 1e3,
      unit: "ms")
    report.record(
      "T1.cpu", "the same, processor time",
      ours: median(ours.map(\.cpu)) * 1e3, floor: (median(theirs.map(\.cpu)) - start.cpu) * 1e3,
      unit: "ms")
  }

  /// One file of 200 MB: time, and memory held at most.
  func oneLarge() {
    let size = 200_000_000
    // Into memory as well, by way of a file there.
    let curl = CurlCommand(arguments: [], urls: [address("\(size)")], output: "/dev/shm/flow-T2")
    defer { unlink("/dev/shm/flow-T2") }
    var (ours, theirs): ([Usage], [Usage]) = ([], [])
    for _ in 0..<5 {
      ours.append(Usage.ofThisProcess { load(["\(size)"], size) })
      theirs.append(curl.run())
    }
    let megabytes = Double(size) / 1e6
    report.record(
      "T2.throughput", "one file of 200 MB, kept in memory; floor: curl, into a file in memory",
      ours: megabytes / median(ours.map(\.wall)), floor: megabytes / median(theirs.map(\.wall)),
      unit: "MB/s")
    let before = MemoryUse.current
    MemoryUse.resetPeak()
    load(["\(size)"], size)
    report.record(
      "T2.memory", "peak memory of it; floor: the body",
      ours: Double(MemoryUse.peak - before) / 1e6,
      floor: megabytes, unit: "MB")
  }

  /// 10,000 loads of which 6 run.
  func queued() {
    let count = 10_000
    let downloader = Downloader()
    let before = (MemoryUse.current, MemoryUse.threads)
    let all = (0..<count).map { number in
      downloader.transfer(for: request("hold?\(number)")).sink { _ in
      } receiveValue: { _ in
      }
    }
    while downloader.counts.running < 6 { usleep(1000) }
    report.record(
      "T3.memory", "a queued load; floor: the target",
      ours: Double(MemoryUse.current - before.0) / Double(count),
      floor: 4000, unit: "B")
    report.record(
      "T3.threads", "threads more than before", ours: Double(MemoryUse.threads - before.1),
      floor: 1,
      unit: "")
    for task in all { task.cancel() }
  }

  /// 10,000 subscribers of one transfer, each a load of its own up to the bytes.
  func subscribers() {
    let count = 10_000
    let size = 1_000_000
    var (wall, cpu): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
      let downloader = Downloader()
      downloader.suspend()
      let events = Counter()
      let ended = Counter()
      let all = (0..<count).map { _ in
        Load(request("\(size)")).download(with: downloader).sink { _ in
          ended.add()
        } receiveValue: { _ in
          events.add()
        }
      }
      check(downloader.counts.total, 1, "transfers")
      let usage = Usage.ofThisProcess {
        downloader.resume()
        ended.wait(for: count)
      }
      wall.append(usage.wall * 1e9 / Double(events.value))
      cpu.append(usage.cpu * 1e9 / Double(events.value))
      withExtendedLifetime(all) {}
    }
    report.record(
      "T4", "a subscriber and event, 10,000 on one transfer; floor: the target",
      ours: median(wall), floor: 1000, unit: "ns")
    report.record("T4.cpu", "the same, processor time", ours: median(cpu), floor: 1000, unit: "ns")
  }

  /// 1,000 loads, 50 running: the time until they are off the wire.
  func cancelled() {
    var times: [Double] = []
    for _ in 0..<5 {
      var configuration = DownloaderConfiguration()
      configuration.maximumConcurrentTransfers = 50
      let downloader = Downloader(configuration: configuration)
      let all = (0..<1000).map { number in
        downloader.transfer(for: request("hold?\(number)")).sink { _ in
        } receiveValue: { _ in
        }
      }
      // A moment more for their sockets: earlier downloaders may still be closing theirs, so that
      // descriptors do not tell.
      while downloader.counts.running < 50 { usleep(1000) }
      usleep(100_000)
      let open = MemoryUse.descriptors
      times.append(
        nanoseconds {
          for task in all { task.cancel() }
          while downloader.counts.total > 0 { usleep(100) }
        })
      precondition(MemoryUse.descriptors <= open - 45, "sockets are still open")
    }
    report.record(
      "T5", "1,000 loads cancelled, 50 running, until all sockets are closed; floor: the target",
      ours: median(times) / 1e6, floor: 50, unit: "ms")
  }

  private func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  private func request(_ path: String) -> ImageRequest {
    var request = ImageRequest(URL(string: address(path)) ?? URL(fileURLWithPath: "/"))
    request.transfer.maximumBodySize = 1 << 30
    return request
  }

  private func load(_ paths: [String], _ size: Int) {
    let downloader = Downloader()
    let bytes = Counter()
    let ended = Counter()
    let all = paths.map { path in
      downloader.transfer(for: request(path)).sink { _ in
        ended.add()
      } receiveValue: { event in
        if case .bytes(let image) = event, image.isComplete { bytes.add(image.bytes.count) }
      }
    }
    ended.wait(for: paths.count)
    check(bytes.value, paths.count * size, "bytes")
    withExtendedLifetime(all) {}
  }
}

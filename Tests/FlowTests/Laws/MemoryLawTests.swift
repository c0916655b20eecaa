import Flow
import FlowTesting
import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
  /// Subscribing and cancelling leaves nothing behind, however often it is done.
  ///
  /// Each law runs in a process of its own, where nobody else allocates: the allocator's count of
  /// bytes in use is then exact.
  @Suite(.disabled(if: isSanitized, "sanitizers bring an allocator of their own"))
  struct MemoryLawTests {
    @Test func `memory is flat over many subscriptions to every operator`() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let rounds = MemoryLawTests.rounds(debug: 300, optimised: 10_000)
        // The first to be measured pays for what the process makes once.
        for law in LawTable.cases.prefix(1) + LawTable.cases {
          let run = Subscribing(law)
          await MemoryLawTests.measure(law.testDescription, over: rounds) { run.once() }
        }
      }
      expectFlat(result, count: LawTable.cases.count + 1)
    }

    @Test func `memory is flat over a million subscriptions to a living stream`() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let rounds = MemoryLawTests.rounds(debug: 10_000, optimised: 1_000_000)
        for name in ["map(_:)", "share(replay:)", "flatMap(maxPublishers:_:)", "ReplaySubject"] {
          for law in LawTable.cases where law.name == name {
            let subject = PassthroughSubject<Int, Trouble>()
            let source = subject.eraseToAnyPublisher()
            let publisher = law.build(
              LawInputs(sources: [source, source, source, source], scheduler: VirtualScheduler()))
            // Somebody listens all the time, so that what is shared lives on.
            let lasting = publisher.sink { _ in
            } receiveValue: { _ in
            }
            await MemoryLawTests.measure(law.testDescription, over: rounds) {
              let running = publisher.sink { _ in
              } receiveValue: { _ in
              }
              subject.send(1)
              running.cancel()
            }
            lasting.cancel()
          }
        }
      }
      expectFlat(result, count: 7)
    }

    @Test func `memory is flat over many subscriptions by every end`() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        for end in EndTable.cases.prefix(1) + EndTable.cases {
          await MemoryLawTests.measure(
            end.testDescription, over: MemoryLawTests.rounds(debug: 300, optimised: 10_000)
          ) {
            let (probe, heard) = (Probe(), Heard())
            let running = end.attach(probe.eraseToAnyPublisher(), heard)
            await eventually { probe.isAsked }
            probe.send(1)
            await eventually { !heard.values.isEmpty }
            running.cancel()
            await eventually { probe.aliveCount == 0 }
          }
        }
      }
      expectFlat(result, count: EndTable.cases.count + 1)
    }

    private func expectFlat(_ result: ExitTest.Result?, count: Int) {
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      let lines = output.split(separator: "\n").filter { $0.hasPrefix("memory: ") }
      #expect(lines.count == count)
      #expect(lines.dropFirst().filter { !$0.hasSuffix(" flat") } == [])
    }

    /// Says whether `body` leaves memory in use after `rounds` calls.
    ///
    /// What a thread keeps at hand, or frees a little later, stops growing: then one of several
    /// rows of calls is flat. After a leak none is. (Dispatch keeps a thousand used blocks a thread.)
    private static func measure(
      _ name: String, over rounds: Int, _ body: () async -> Void
    ) async {
      for _ in 0..<100 { await body() }
      var growth = 0
      for _ in 0..<24 {
        let before = MemoryInUse.bytes()
        for _ in 0..<rounds { await body() }
        growth = MemoryInUse.bytes() - before
        // The smallest object takes 32 bytes: one kept every eighth time is more than that.
        if growth < 4 * rounds { break }
      }
      print("memory: \(name) \(growth < 4 * rounds ? "flat" : "grew by \(growth) bytes")")
    }

    static func rounds(debug: Int, optimised: Int) -> Int {
      #if DEBUG
        debug
      #else
        optimised
      #endif
    }
  }

  /// What the allocator has handed out and not got back.
  enum MemoryInUse {
    private typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt

    static func bytes() -> Int {
      var (text, size) = (nil as UnsafeMutablePointer<CChar>?, 0)
      guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &size) else {
        return 0
      }
      // SAFETY: the symbol is the C library's function of this type.
      _ = unsafeBitCast(symbol, to: Report.self)(0, file)
      fclose(file)
      defer { free(text) }
      let report = text.map { String(cString: $0) } ?? ""
      // The sums over all arenas stand at the end.
      let sums = report.components(separatedBy: "</heap>").last ?? ""
      func sum(_ start: String) -> Int {
        let line = sums.split(separator: "\n").first { $0.hasPrefix(start) }
        let digits = line?.components(separatedBy: "size=\"").last?.prefix { $0.isNumber }
        return digits.flatMap { Int($0) } ?? 0
      }
      return sum("<system type=\"current\"") + sum("<total type=\"mmap\"")
        - sum("<total type=\"fast\"") - sum("<total type=\"rest\"")
    }
  }

  /// Subscribes to one publisher and cancels, again and again.
  private struct Subscribing {
    private let probes = (0..<4).map { _ in Probe() }
    private let scheduler = VirtualScheduler()
    private let publisher: LawStream

    init(_ law: LawCase) {
      publisher = law.build(
        LawInputs(sources: probes.map { $0.eraseToAnyPublisher() }, scheduler: scheduler))
    }

    func once() {
      let referee = Referee(.max(2), keepsValues: false)
      publisher.subscribe(referee)
      scheduler.advance(by: .ticks(1))
      for probe in probes { probe.send(1) }
      scheduler.advance(by: .ticks(1))
      referee.cancel()
      // A scheduler keeps the hull of work that was called off until its time has come.
      scheduler.advance(by: .seconds(3_601))
    }
  }
#endif

import Flow
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ActivityTests {
  /// What a pipeline tells, and a way to wait for it.
  final class Listener: Sendable {
    private let log = Mutex<[PipelineEvent]>([])
    private let changes = CurrentValueSubject<Int, Never>(0)
    private let task = Mutex<AnyCancellable?>(nil)

    init(_ pipeline: ImagePipeline) {
      let task = pipeline.activity.sink { [weak self] event in
        guard let self else { return }
        changes.send(
          log.withLock {
            $0.append(event); return $0.count
          })
      }
      self.task.withLock { $0 = task }
    }

    var events: [PipelineEvent] { log.withLock { $0 } }
    var reports: [LoadRecord] {
      events.compactMap { if case .ended(let report) = $0.step { report } else { nil } }
    }

    func wait(forReports count: Int) async {
      for await _ in changes.values where reports.count >= count { return }
    }
  }

  @Test func `a load from the network is told with the way it took, in order`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let listener = Listener(fixture.pipeline)
    var request = ImageRequest(fixture.server.url("/a.png"))
    request.transforms = [Halved()]
    request.priority = .high
    _ = try await fixture.pipeline.image(for: request)
    await listener.wait(forReports: 1)
    let report = try #require(listener.reports.first)
    #expect(report.outcome == .image(.network, PixelSize(width: 4, height: 3)))
    #expect(report.source == request.source.name && report.priority == .high)
    #expect(report.metrics.byteCount == PipelineFixture.png.count)
    let timeline = report.timeline
    let order = LoadSpan.Work.allCases.filter { work in timeline.contains { $0.work == work } }
    #expect(timeline.map(\.work) == order)
    #expect(order.contains(.waiting) && order.contains(.decode) && order.contains(.transform))
    #expect(timeline.first?.start == report.began)
    #expect(timeline.allSatisfy { $0.start < $0.end && $0.end <= report.ended })
    guard case .began(let begun)? = listener.events.first?.step else {
      Issue.record("no beginning was told")
      return
    }
    #expect(begun.source.name == request.source.name)
  }

  @Test func `a memory hit, a failure and a cancelled load are told once each`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    fixture.serveGated("/slow.png", Gate())
    let url = fixture.server.url("/a.png")
    _ = try await fixture.pipeline.image(for: url)
    let listener = Listener(fixture.pipeline)
    _ = try await fixture.pipeline.image(for: url)
    _ = try? await fixture.pipeline.image(for: fixture.server.url("/404"))
    let slow = fixture.pipeline.load(fixture.server.url("/slow.png")).sink { _ in
    } receiveValue: { _ in
    }
    try await fixture.server.wait { $0.hits("/slow.png") == 1 }
    slow.cancel()
    slow.cancel()
    await listener.wait(forReports: 3)
    let outcomes = listener.reports.map(\.outcome)
    #expect(outcomes.count == 3)
    #expect(outcomes[0] == .image(.memory, PixelSize(width: 8, height: 6)))
    guard case .failed(.download(.refused(status: 404, retryAfter: nil), _)) = outcomes[1] else {
      Issue.record("got \(outcomes[1])")
      return
    }
    #expect(outcomes[2] == .cancelled)
    #expect(Set(listener.events.map(\.id)).count == 3)
  }

  @Test func `counters tell what loads came to, listened to or not`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let url = fixture.server.url("/a.png")
    for _ in 0..<3 { _ = try await fixture.pipeline.image(for: url) }
    _ = try? await fixture.pipeline.image(for: fixture.server.url("/404"))
    _ = try? await fixture.pipeline.image(
      for: ImageRequest(.bytes(ImageBytes([1, 2, 3]), key: "noise")))
    await fixture.idle()
    let counters = fixture.pipeline.counters
    #expect(counters.begun == 5 && counters.running == 0)
    #expect(counters.delivered == [.network: 1, .memory: 2])
    #expect(counters.failed == ["download": 1, "decode": 1])
    #expect(counters.byteCount == [.network: PipelineFixture.png.count])
    #expect(counters.stageTimes[.decode]?.count == 1)
  }

  @Test func `two loads that share their work are two in the book, each with its own beginning`()
    async throws
  {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    let url = fixture.server.url("/a.png")
    let listener = Listener(fixture.pipeline)
    let counter = LoadCounter()
    let first = counter.subscribe(to: fixture.pipeline.load(url))
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    let second = counter.subscribe(to: fixture.pipeline.load(url))
    #expect(fixture.pipeline.counters.running == 2)
    gate.open()
    await listener.wait(forReports: 2)
    let reports = listener.reports.sorted { $0.id < $1.id }
    #expect(reports[0].began < reports[1].began)
    #expect(reports[1].timeline.allSatisfy { $0.start >= reports[1].began })
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a pipeline made by replacing parts is watched together with the first`() async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let bare = fixture.pipeline.replacing { $0.cache = nil }
    for _ in 0..<2 { _ = try await bare.image(for: fixture.server.url("/a.png")) }
    #expect(fixture.pipeline.counters.delivered == [.network: 2])
    #expect(fixture.cache.memory?.statistics.count == 0)
  }
}

import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct WriterTests {
  private struct Trace: Decodable {
    struct Event: Decodable {
      struct Details: Decodable {
        var id: Int?
        var outcome: String?
        var origin: String?
        var error: String?
      }
      var name: String
      var cat: String
      var ph: String
      var pid: Int
      var tid: Int
      var ts: Double
      var dur: Double
      var args: Details
    }
    var traceEvents: [Event]
  }

  private func parse(_ trace: ChromeTrace) throws -> [Trace.Event] {
    try JSONDecoder().decode(Trace.self, from: Data(trace.json.utf8)).traceEvents
  }

  @Test func `a trace opens: bars of loads hold the bars of their stages, each in a lane`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let trace = ChromeTrace()
    let recording = trace.record(fixture.pipeline)
    _ = try await fixture.pipeline.image(for: fixture.server.url("/a.png"))
    let strange = ImageRequest(.bytes(ImageBytes([1]), key: "a \"strange\" \\ key\n\u{1}é"))
    _ = try? await fixture.pipeline.image(for: strange)
    let events = try parse(trace)
    let loads = events.filter { $0.cat == "load" }
    #expect(loads.count == 2 && trace.count == 2)
    #expect(loads[0].args.outcome == "image" && loads[0].args.origin == "network")
    #expect(loads[1].name == strange.source.name)
    #expect(loads[1].args.error == "the bytes are not an image of a known format")
    let stages = events.filter {
      $0.cat == "stage" && $0.tid == loads[0].tid && $0.ts < loads[1].ts
    }
    #expect(stages.map(\.name).contains("decode") && stages.map(\.name).contains("waiting"))
    for stage in stages {
      #expect(stage.ph == "X" && stage.ts >= loads[0].ts)
      #expect(stage.ts + stage.dur <= loads[0].ts + loads[0].dur + 0.002)
    }
    recording.cancel()
    _ = try? await fixture.pipeline.image(for: strange)
    #expect(trace.count == 2)
  }

  @Test func `loads that run at the same time lie in different lanes`() async throws {
    let fixture = try PipelineFixture()
    let gate = Gate()
    for number in 0..<4 { fixture.serveGated("/\(number).png", gate) }
    let trace = ChromeTrace(capacity: 3)
    let recording = trace.record(fixture.pipeline)
    let counter = LoadCounter()
    let tasks = (0..<4).map { number in
      counter.subscribe(to: fixture.pipeline.load(fixture.server.url("/\(number).png")))
    }
    try await fixture.server.wait { $0.active == 4 }
    gate.open()
    await counter.wait { $0.finished == 4 }
    let loads = try parse(trace).filter { $0.cat == "load" }
    #expect(Set(loads.map(\.tid)).count == 3 && loads.count == 3)
    withExtendedLifetime((recording, tasks)) {}
  }

  @Test func `an empty trace is one, too`() throws {
    #expect(try parse(ChromeTrace()).isEmpty)
  }

  @Test func `counts are written as Prometheus reads them`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    for _ in 0..<3 { _ = try await fixture.pipeline.image(for: fixture.server.url("/a.png")) }
    _ = try? await fixture.pipeline.image(for: fixture.server.url("/404"))
    var text = PrometheusText()
    text.add(fixture.pipeline.counters, labels: ["app": "a \"b\"\\\n"])
    text.add(ImagePipeline().counters, labels: ["app": "idle"])
    text.add(fixture.downloader.counts)
    if let memory = fixture.cache.memory { text.add(memory: memory.statistics) }
    let lines = text.description.split(separator: "\n").map(String.init)
    #expect(lines.contains(#"flow_loads_begun_total{app="a \"b\"\\\n"} 4"#))
    #expect(lines.contains(#"flow_loads_begun_total{app="idle"} 0"#))
    #expect(lines.contains(#"flow_loads_delivered_total{app="a \"b\"\\\n",origin="memory"} 2"#))
    #expect(lines.contains(#"flow_loads_failed_total{app="a \"b\"\\\n",stage="download"} 1"#))
    #expect(lines.contains("flow_transfers_running 0"))
    #expect(lines.contains("flow_memory_images 1"))
    #expect(lines.contains("# TYPE flow_load_stage_seconds summary"))
    #expect(lines.contains { $0.contains("flow_load_stage_seconds_count") && $0.hasSuffix(" 1") })
    let families = lines.filter { $0.hasPrefix("# TYPE") }
    #expect(Set(families).count == families.count)
    let sample = /[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*\})? [0-9.e-]+/
    for line in lines where !line.hasPrefix("#") {
      #expect(line.wholeMatch(of: sample) != nil, "\(line)")
    }
  }
}

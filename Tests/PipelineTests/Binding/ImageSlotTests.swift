import Flow
import Foundation
import Pipeline
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(2))) struct ImageSlotTests {
  private func settled(_ slot: ImageSlot) async {
    for await _ in slot.changes.values {
      switch slot.phase {
      case .loaded, .failed: return
      case .idle, .loading: continue
      }
    }
  }

  private func grey() -> DecodedImage {
    DecodedImage(
      bitmap: Bitmap(size: PixelSize(width: 1, height: 1), color: .clear), format: .png)
  }

  @Test func `B241, B242: a picture from the network is set, and from memory in the same turn`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let slot = ImageSlot(fixture.pipeline)
    slot.show(fixture.server.url("/a.png"), placeholder: grey())
    guard case .placeholder = slot.content else {
      Issue.record("no placeholder: \(slot.content)")
      return
    }
    await settled(slot)
    guard case .image(let image, isAnimated: true) = slot.content else {
      Issue.record("got \(slot.content)")
      return
    }
    #expect(image.size == PixelSize(width: 8, height: 6))
    let other = ImageSlot(fixture.pipeline)
    var drawn: [String] = []
    other.draw = { drawn.append("\($0.image?.size.description ?? "nothing")") }
    other.show(fixture.server.url("/a.png"), placeholder: grey())
    guard case .image(_, isAnimated: false) = other.content else {
      Issue.record("not in the same turn: \(other.content)")
      return
    }
    #expect(drawn == ["8×6"] && other.phase == .loaded(.memory))
  }

  @Test func `R012: a slot that goes to another picture leaves a second slot its own`()
    async throws
  {
    let fixture = try PipelineFixture()
    let gate = Gate()
    fixture.serveGated("/a.png", gate)
    fixture.server.serve("/b.png", PipelineFixture.pngBytes(width: 3, height: 3))
    let (first, second) = (ImageSlot(fixture.pipeline), ImageSlot(fixture.pipeline))
    for slot in [first, second] { slot.show(fixture.server.url("/a.png")) }
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    first.show(fixture.server.url("/b.png"))
    gate.open()
    await settled(first)
    await settled(second)
    #expect(first.content.image?.size == PixelSize(width: 3, height: 3))
    #expect(second.content.image?.size == PixelSize(width: 8, height: 6))
    #expect(fixture.server.counts.hits("/a.png") == 1)
  }

  @Test func `a slot shown two thousand times shows the last, and leaves nothing behind`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/9.png", PipelineFixture.pngBytes(width: 10, height: 10))
    fixture.serveGated("/slow.png", Gate())
    let bytes = ImageBytes(PipelineFixture.png)
    let slot = ImageSlot(fixture.pipeline)
    let threads = ProcessCounts.threads
    for number in 0..<2_000 {
      let slow = number % 100 == 0
      var request = ImageRequest(
        slow ? .url(fixture.server.url("/slow.png")) : .bytes(bytes, key: "\(number)"))
      request.caching = .networkOnly
      slot.show(request)
    }
    slot.show(fixture.server.url("/9.png"))
    await settled(slot)
    #expect(slot.content.image?.size == PixelSize(width: 10, height: 10))
    await fixture.idle()
    let counters = fixture.pipeline.counters
    #expect(counters.begun == 2_001 && counters.cancelled >= 20)
    #expect(counters.cancelled + counters.delivered.values.reduce(0, +) == 2_001)
    // Servers and pools of earlier tests come and go; a thread a picture would be two thousand.
    #expect(ProcessCounts.threads <= threads + 200)
    try await fixture.server.wait { $0.active == 0 }
  }

  @Test func `releasing a slot cancels its load, also with the pipeline`() async throws {
    let fixture = try PipelineFixture()
    fixture.serveGated("/a.png", Gate())
    var slot: ImageSlot? = ImageSlot(fixture.pipeline)
    weak let remains = slot
    slot?.show(fixture.server.url("/a.png"))
    try await fixture.server.wait { $0.hits("/a.png") == 1 }
    slot = nil
    #expect(remains == nil)
    try await fixture.server.wait { $0.abandoned("/a.png") == 1 }
  }

  @Test func `B245: slots of one target are independent, and B226: set by hand`() async throws {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let button = ImageSlots(fixture.pipeline)
    var options = SlotOptions()
    options.setsImage = false
    button["normal"].show(fixture.server.url("/a.png"))
    button["pressed"].show(fixture.server.url("/a.png"), placeholder: grey(), options: options)
    await settled(button["normal"])
    await settled(button["pressed"])
    #expect(button["normal"].content.image?.size.width == 8)
    #expect(button["pressed"].content.image?.size.width == 1)
    button["pressed"].set(button["pressed"].loaded?.image)
    #expect(button["pressed"].content.image?.size.width == 8)
    #expect(button.names == ["normal", "pressed"])
  }

  @Test func `a failure shows its image, and asking again in reply to it does not hang`()
    async throws
  {
    let fixture = try PipelineFixture()
    fixture.server.serve("/a.png", PipelineFixture.png)
    let slot = ImageSlot(fixture.pipeline)
    let good = fixture.server.url("/a.png")
    var failures = 0
    slot.draw = { [weak slot] content in
      guard case .failure = content, let slot else { return }
      failures += 1
      slot.draw = nil
      slot.show(good)
    }
    slot.show(fixture.server.url("/404"))
    for await content in slot.changes.values { if case .image = content { break } }
    #expect(failures == 1 && slot.phase == .loaded(.network))
  }
}

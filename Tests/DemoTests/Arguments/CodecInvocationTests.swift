import Foundation
import Pipeline
import Synchronization
import Testing

@testable import Demo

struct CodecInvocationTests {
  @Test func `probe takes sources, convert takes two names`() throws {
    #expect(try Invocation(["probe", "a.png", "http://h/b"]) == .probe(["a.png", "http://h/b"]))
    let wanted = ConvertOptions(
      input: "a.png", output: "b.webp", quality: 40, resize: RequestedSize(width: 9, height: 8))
    #expect(
      try Invocation(["convert", "a.png", "--quality=40", "b.webp", "--resize", "9x8"])
        == .convert(wanted))
  }

  @Test(arguments: [
    (["probe"], "There is nothing to probe."), (["convert", "a"], "Converting takes two names."),
    (["convert", "a", "b", "--quality", "101"], "\"101\" is not a quality."),
    (["convert", "a.png", "b.bmp"], "\"b.bmp\" names no format that is written here."),
    (["probe", "--json"], "--json is not an option."),
  ])
  func `what makes no sense is refused`(_ arguments: [String], _ message: String) throws {
    let error = #expect(throws: UsageError.self) { try Invocation(arguments) }
    #expect(error?.message == message)
  }

  @Test func `an animation is converted with all its frames, resized`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let frames = [0, 120, 250].map {
      Bitmap(size: PixelSize(width: 40, height: 20), color: Pixel(red: $0, green: 9, blue: 9))
    }
    let animation = Animation(
      delays: [.milliseconds(20), .milliseconds(50), .milliseconds(90)], loopCount: 2,
      residentByteCount: 0
    ) { frames[$0] }
    let gif = try GIFEncoder().encode(
      DecodedImage(bitmap: frames[0], animation: animation, format: .gif))
    let (input, output) = (folder.appending(path: "in.gif"), folder.appending(path: "out.webp"))
    try gif.data.write(to: input)
    let said = Mutex("")
    let console = Console(
      terminalWidth: nil, write: { text in said.withLock { $0 += text } }, writeError: { _ in })
    let options = ConvertOptions(
      input: input.path, output: output.path, resize: RequestedSize(width: 20, height: 20))
    #expect(await ConvertCommand(options, console).run() == .success)
    let image = try DecoderRegistry.standard.decode(ImageBytes(try Data(contentsOf: output)))
    #expect(image.format == .webp && image.size == PixelSize(width: 20, height: 10))
    #expect(image.animation?.delays == animation.delays)
    #expect(image.animation?.loopCount == 2)
    #expect(said.withLock { $0 }.contains("WebP 20×10, 3 frames"))
    let still = ConvertOptions(input: input.path, output: folder.appending(path: "out.jpg").path)
    #expect(await ConvertCommand(still, console).run() == .success)
    #expect(said.withLock { $0 }.contains("JPEG 40×20, first of 3 frames"))
    #expect(await ProbeCommand([input.path], console).run() == .success)
    #expect(await ProbeCommand([input.path + "x"], console).run() == .failure)
  }
}

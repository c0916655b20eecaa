import Foundation
import Pipeline
import Testing

struct GalleryProcessTests {
  @Test func `the gallery goes as announced, and the second time from disk`() async throws {
    let scratch = try ScratchFolder()
    let arguments = ["-o", scratch.path + "/out"]
    let first = try await DemoProcess(arguments, cacheHome: scratch.path + "/cache")
    #expect(first.code == 0, "\(first.output)\(first.errors)")
    #expect(first.errors.isEmpty)
    #expect(first.output.contains("ok    8 of 8 pictures right: 8 from network"))
    #expect(first.output.contains("ok    5 loads of one address at once: 1 request, 5 images"))
    #expect(first.output.contains("the server saw the connection close"))
    #expect(first.output.contains("ok    a missing picture: the server answered with status 404"))
    #expect(first.output.contains("ok    the first picture once more: from memory"))
    #expect(!first.output.contains("\u{1B}"))

    let second = try await DemoProcess(arguments, cacheHome: scratch.path + "/cache")
    #expect(second.code == 0, "\(second.output)\(second.errors)")
    #expect(second.output.contains("ok    8 of 8 pictures right: 8 from disk"))

    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/out")
    #expect(
      names.sorted() == [
        "boat.png", "contact-sheet.png", "glass.png", "morning.png", "night.png", "orbit.png",
        "pulse.png", "sunset.png", "waves.png",
      ])
    let sheet = try #require(
      FileManager.default.contents(atPath: scratch.path + "/out/contact-sheet.png"))
    #expect(try DecoderRegistry.standard.decode(ImageBytes(sheet)).size.width > 1000)
  }

  @Test func `an output folder that can not be is said before anything else`() async throws {
    let scratch = try ScratchFolder()
    try Data().write(to: URL(fileURLWithPath: scratch.path + "/file"))
    let folder = scratch.path + "/file/out"
    let run = try await DemoProcess(["gallery", "-o", folder], cacheHome: scratch.path + "/cache")
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "demo: the output folder \(folder) can not be used: not a directory\n")
    #expect(try scratch.names == ["file"])
  }

  @Test func `wrong arguments end with 2 and a hint`() async throws {
    let scratch = try ScratchFolder()
    let run = try await DemoProcess(["galery"], cacheHome: scratch.path)
    #expect(run.code == 2)
    #expect(
      run.errors
        == "demo: \"galery\" is not a command.\nThere are: gallery, load, probe, convert, transforms, cache, help.\n"
    )
  }
}

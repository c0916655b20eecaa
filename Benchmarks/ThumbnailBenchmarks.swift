import Foundation
import Pipeline

/// C3 against other programs: a picture file to a thumbnail file, each in a process of its own.
struct ThumbnailPrograms {
  private let folder: URL
  private let python: String?

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "thumbnails-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    python =
      ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
          && ChildProcess.run(path, ["python3", "-c", "import PIL"]) != nil
      } ?? Self.pythonOfPath
  }

  /// The one that the shell would take.
  private static var pythonOfPath: String? {
    ChildProcess.run("/usr/bin/env", ["env", "python3", "-c", "import PIL"]) != nil
      ? "/usr/bin/env" : nil
  }

  /// Measures the programs that are here on `bytes`, and says which are not.
  func measure(_ report: BenchmarkReport, id: String, _ bytes: ImageBytes, extension name: String) {
    let (input, tiny) = (
      folder.appending(path: "in.\(name)"), folder.appending(path: "one.\(name)")
    )
    guard (try? bytes.data.write(to: input)) != nil,
      (try? Self.onePixel(name)?.data.write(to: tiny)) != nil
    else { return }
    // Built with this program, beside it; it knows nothing but the library.
    let own = URL(filePath: CommandLine.arguments[0])
      .deletingLastPathComponent().appending(path: "Thumbnail").path
    func costs(_ name: String, _ run: (_ file: String, _ out: String) -> ChildProcess.Cost?)
      -> Costs?
    {
      Self.costs(of: input.path, beyond: tiny.path, output: "\(folder.path)/\(name).jpg", run)
    }
    let ours = costs("ours") { ChildProcess.run(own, [own, $0, $1]) }
    let vips = costs("vips") {
      ChildProcess.run("/usr/bin/vipsthumbnail", ["vipsthumbnail", "-s", "300x300", "-o", $1, $0])
    }
    let pillow = python.flatMap { python in
      costs("pillow") { file, out in
        let words = python.hasSuffix("env") ? ["env", "python3"] : ["python3"]
        return ChildProcess.run(python, words + ["-c", Self.script, file, out])
      }
    }
    guard let ours else { return print("\(id): NOT MEASURED, \(own) does not run") }
    for (peer, costs) in [("vipsthumbnail", vips), ("pillow", pillow)] {
      guard let costs else {
        print("\(id).\(peer): NOT MEASURED, the program is not here")
        continue
      }
      let note = "to 300 pixels, processes"
      report.record(
        "\(id).\(peer)", "\(note): CPU time", ours: ours.milliseconds, floor: costs.milliseconds,
        unit: "ms")
      report.record(
        "\(id).\(peer).beyond", "\(note): CPU time beyond what one pixel costs",
        ours: ours.milliseconds - ours.ofOnePixel, floor: costs.milliseconds - costs.ofOnePixel,
        unit: "ms")
      report.record(
        "\(id).\(peer).memory", "\(note): peak of all memory", ours: ours.megabytes,
        floor: costs.megabytes, unit: "MB")
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  private struct Costs {
    var milliseconds: Double
    var ofOnePixel: Double
    var megabytes: Double
  }

  private static func costs(
    of input: String, beyond tiny: String, output: String,
    _ run: (_ file: String, _ out: String) -> ChildProcess.Cost?
  ) -> Costs? {
    var (large, small, memory): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<5 {
      guard let one = run(tiny, output), let all = run(input, output)
      else { return nil }
      small.append(one.cpu * 1e3)
      large.append(all.cpu * 1e3)
      memory.append(all.peak / 1e6)
    }
    return Costs(
      milliseconds: median(large), ofOnePixel: median(small), megabytes: median(memory))
  }

  private static func onePixel(_ name: String) -> ImageBytes? {
    let pixel = Bitmap(
      size: PixelSize(width: 1, height: 1), color: Pixel(red: 1, green: 2, blue: 3))
    let encoders: [String: any ImageEncoder] = [
      "jpg": JPEGEncoder(), "png": PNGEncoder(), "webp": WebPEncoder(),
    ]
    return encoders[name].map { encoded(pixel, $0) }
  }

  private static let script = """
    import sys
    from PIL import Image
    Image.MAX_IMAGE_PIXELS = None
    image = Image.open(sys.argv[1])
    image.draft("RGB", (300, 300))
    image.thumbnail((300, 300))
    image.convert("RGB").save(sys.argv[2], quality=75)
    """
}

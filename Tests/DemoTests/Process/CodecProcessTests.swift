import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Demo

/// The commands that look at codecs, as a user runs them.
struct CodecProcessTests {
  private static let size = PixelSize(width: 60, height: 40)

  /// Three plain frames of 20, 50 and 90 ms.
  private static var moving: DecodedImage {
    let frames = [0, 120, 250].map { Bitmap(size: size, color: Pixel(red: $0, green: 9, blue: 80)) }
    let animation = Animation(
      delays: [.milliseconds(20), .milliseconds(50), .milliseconds(90)], loopCount: 2,
      residentByteCount: 0
    ) { frames[$0] }
    return DecodedImage(bitmap: frames[0], animation: animation, format: .gif)
  }

  private static func read(_ path: String) throws -> DecodedImage {
    let data = try #require(FileManager.default.contents(atPath: path))
    return try DecoderRegistry.standard.decode(ImageBytes(data))
  }

  @Test func `every format becomes every other, animations with their frames`() async throws {
    let scratch = try ScratchFolder()
    let encoders: [(String, any ImageEncoder)] = [
      ("jpg", JPEGEncoder()), ("png", PNGEncoder()), ("gif", GIFEncoder()),
      ("webp", WebPEncoder(compression: .lossless)),
    ]
    for (from, encoder) in encoders {
      let input = "\(scratch.path)/in.\(from)"
      try encoder.encode(Self.moving).data.write(to: URL(fileURLWithPath: input))
      for (to, other) in encoders {
        let output = "\(scratch.path)/\(from)-to.\(to)"
        let run = try await DemoProcess(
          ["convert", input, output, "--resize", "30x30"], cacheHome: scratch.path)
        #expect(run.code == 0, "\(run.errors)")
        let image = try Self.read(output)
        #expect(image.format == other.format && image.size == PixelSize(width: 30, height: 20))
        guard from != "jpg", to != "jpg" else {
          #expect(image.animation == nil)
          continue
        }
        let animation = try #require(image.animation, "\(from) to \(to)")
        #expect(animation.delays == Self.moving.animation?.delays && animation.loopCount == 2)
        let pixel = try animation.frame(at: 2)[15, 10]
        #expect(abs(Int(pixel.red) - 250) < 8 && abs(Int(pixel.blue) - 80) < 8)
      }
    }
  }

  @Test func `the quality changes the size, an unknown name takes what the picture needs`()
    async throws
  {
    let scratch = try ScratchFolder()
    let input = scratch.path + "/in.png"
    let noise = Bitmap(size: PixelSize(width: 80, height: 80), hasAlpha: false) { bytes in
      var value: UInt32 = 1
      for index in bytes.indices {
        value = value &* 1_664_525 &+ 1_013_904_223
        bytes[index] = index % 4 == 3 ? 255 : UInt8(value >> 24)
      }
    }
    try PNGEncoder().encode(noise).data.write(to: URL(fileURLWithPath: input))
    for name in ["jpg", "webp"] {
      var counts: [Int] = []
      for quality in ["10", "95"] {
        let output = "\(scratch.path)/\(quality).\(name)"
        let run = try await DemoProcess(
          ["convert", input, output, "--quality", quality], cacheHome: scratch.path)
        #expect(run.code == 0)
        counts.append(try #require(FileManager.default.contents(atPath: output)).count)
      }
      #expect(counts[0] * 2 < counts[1])
    }
    let run = try await DemoProcess(
      ["convert", input, scratch.path + "/out"], cacheHome: scratch.path)
    #expect(run.code == 0)
    #expect(try Self.read(scratch.path + "/out").format == .jpeg)
  }

  @Test func `probe prints what is known, of files and of addresses, and fetches no more`()
    async throws
  {
    let scratch = try ScratchFolder()
    let server = try FaultServer()
    let gif = try GIFEncoder().encode(Self.moving)
    let file = scratch.path + "/a.gif"
    try gif.data.write(to: URL(fileURLWithPath: file))
    let jpeg = try JPEGEncoder().encode(Self.moving)
    server.route("/slow.jpg") { exchange in
      exchange.sendHead(200, ["Content-Length": "1000000"])
      exchange.write(jpeg.prefix(700))
      exchange.holdUntilClosed()
    }
    let address = server.url("/slow.jpg").absoluteString
    let run = try await DemoProcess(
      ["probe", file, address, scratch.path + "/none"], cacheHome: scratch.path)
    #expect(run.code == 1)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(file): GIF 60×40, 3 frames") == true, "\(lines)")
    #expect(lines.last?.hasPrefix("\(address): JPEG 60×40") == true)
    #expect(run.errors.contains("the file is not there"))
    try await server.wait { $0.abandoned("/slow.jpg") == 1 }
  }

  @Test func `load --progressive shows previews`() async throws {
    let scratch = try ScratchFolder()
    let server = try FaultServer()
    let picture = Bitmap(size: PixelSize(width: 400, height: 300), hasAlpha: false) { bytes in
      for index in bytes.indices {
        bytes[index] = index % 4 == 3 ? 255 : UInt8(index / 1_600 % 256)
      }
    }
    let encoded = try JPEGEncoder(quality: 95, isProgressive: true).encode(picture)
    let bytes = encoded.prefix(encoded.count)
    server.serve("/plain.jpg", bytes)
    server.route("/slow.jpg") { exchange in
      exchange.sendHead(200, ["Content-Length": "\(bytes.count)"])
      exchange.write(Array(bytes.dropLast(20)))
      // More than enough time to be looked at before the end.
      guard exchange.pause(milliseconds: 3_000) else { return }
      exchange.write(Array(bytes.suffix(20)))
    }
    for (path, arguments, shows) in [
      ("/slow.jpg", ["--progressive"], true), ("/plain.jpg", [], false),
    ] {
      let cache = "\(scratch.path)/\(shows)"
      let run = try await DemoProcess(
        ["load", server.url(path).absoluteString, "--cache", cache] + arguments, cacheHome: cache)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.contains("preview") == shows, "\(run.output)")
    }
  }
}

import Foundation
import Pipeline

/// `demo transforms`: loads one picture and writes a sheet of what all transforms make of it.
struct TransformsCommand {
  private let options: TransformsOptions
  private let console: Console

  init(_ options: TransformsOptions, _ console: Console) {
    self.options = options
    self.console = console
  }

  /// Loads, transforms, draws, writes.
  func run() async -> ExitCode {
    do {
      var request = ImageRequest(SourceArgument.url(options.input))
      let cell = ContactSheet.picture
      request.decoding.targetSize = PixelSize(width: cell.width * 2, height: cell.height * 2)
      request.transforms = [.resize(fitting: cell)]
      let pipeline = ImagePipeline(configuration: .init(cache: nil))
      let picture = try await pipeline.image(for: request).bitmap
      let samples = TransformSample.all(of: picture)
      let cards = try samples.map { sample in
        ContactSheet.Card(
          title: sample.title, lines: sample.lines,
          picture: .bitmaps([
            try sample.transform.apply(to: picture, cancellation: CancellationFlag())
          ]))
      }
      let sheet = ContactSheet(
        title: "Transforms", subtitle: "every transform, of a picture of \(picture.size)",
        cards: cards + Self.placeholders(of: picture))
      let bytes = try PNGEncoder().encode(try sheet.draw())
      let target = URL(fileURLWithPath: options.output)
      let folder = try OutputFolder(target.deletingLastPathComponent().path)
      _ = try folder.write(bytes.prefix(bytes.count), named: target.lastPathComponent)
      console.write("\(options.output): \(Figures.count(sheet.cards.count, "picture"))\n")
      return .success
    } catch {
      console.writeError("demo: \(error)\n")
      return .failure
    }
  }

  /// What can stand in for the picture while it loads.
  private static func placeholders(of picture: Bitmap) -> [ContactSheet.Card] {
    let hash = BlurHash(picture)
    let thumb = ThumbHash(picture)
    let colors = picture.palette(count: 4)
    let grown = { (bitmap: Bitmap) in
      let resize = Resize.resize(fitting: picture.size, filter: .bilinear, upscales: true)
      // Fails only without memory; the small picture says the same.
      return (try? resize.apply(to: bitmap, cancellation: CancellationFlag())) ?? bitmap
    }
    let swatch = PixelSize(width: 120, height: 90)
    return [
      .init(
        title: "BlurHash", lines: [hash.text],
        picture: .bitmaps([hash.bitmap(size: picture.size)])),
      .init(
        title: "ThumbHash", lines: ["\(thumb.bytes.count) bytes"],
        picture: .bitmaps([grown(thumb.bitmap())])),
      .init(
        title: "dominant color", lines: [],
        picture: .bitmaps([Bitmap(size: picture.size, color: picture.dominantColor ?? .clear)])),
      .init(
        title: "palette", lines: ["\(colors.count) colors"],
        picture: .bitmaps(
          colors.isEmpty ? [picture] : colors.map { Bitmap(size: swatch, color: $0) })),
    ]
  }
}

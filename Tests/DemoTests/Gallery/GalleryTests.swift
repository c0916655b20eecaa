import Pipeline
import Testing

@testable import Demo

struct GalleryTests {
  @Test func `every exhibit is what its encoder and its label say`() async throws {
    for picture in try await GalleryCollection.draw().pictures {
      let exhibit = picture.exhibit
      let image = try DecoderRegistry.standard.decode(ImageBytes(picture.bytes))
      #expect(image.format == exhibit.format, "\(exhibit.name)")
      #expect(image.size == exhibit.size, "\(exhibit.name)")
      #expect(image.frameCount == exhibit.frameCount, "\(exhibit.name)")
    }
  }

  @Test func `the picture stored on its side comes out as it was drawn`() async throws {
    let boat = try #require(Exhibit.all.first { $0.name == "boat.jpg" })
    let image = try DecoderRegistry.standard.decode(try boat.make())
    let drawn = Scene.boat(boat.size.width, boat.size.height).bitmap
    #expect(image.orientation == .right)
    for (x, y) in [(10, 10), (290, 10), (150, 200), (100, 200), (10, 390), (290, 390)] {
      #expect(image.bitmap[x, y].isClose(to: drawn[x, y]), "at \(x), \(y)")
    }
  }

  @Test func `a picture's key is the same in every run`() async throws {
    let first = try await GalleryCollection.draw().pictures.map(\.key)
    let second = try await GalleryCollection.draw().pictures.map(\.key)
    #expect(first == second)
    #expect(Set(first).count == Exhibit.all.count)
  }

  @Test func `nothing is promised of loads that did not happen`() {
    let checks = GalleryVisit().checks(of: Exhibit.all)
    #expect(checks.count == 5)
    #expect(checks.allSatisfy { !$0.passed })
  }

  @Test func `a page has room for every card and leaves no card out`() throws {
    let red = Bitmap(
      size: PixelSize(width: 24, height: 18), color: Pixel(red: 255, green: 0, blue: 0))
    let cards = (1...5).map {
      ContactSheet.Card(title: "\($0)", lines: ["line"], picture: .bitmaps([red]))
    }
    let one = try ContactSheet(title: "T", subtitle: "S", cards: [cards[0]]).draw()
    let five = try ContactSheet(title: "T", subtitle: "S", cards: cards).draw()
    #expect(five.height > one.height)
    #expect(five.width == one.width)
    #expect(five.reds == 5 * one.reds)
    #expect(one.reds == red.width * red.height)
  }

  @Test func `the font has every letter that captions use`() {
    let visit = GalleryVisit()
    var text = "Flow gallery cacheLookup → download → … 0123456789.,%×kMB failed"
    text += Exhibit.all.map { $0.name + $0.caption + $0.format.name }.joined()
    text += visit.sheet(of: Exhibit.all).subtitle
    #expect(Set(text).subtracting(DotFont.standard.characters) == [" "])
  }
}

extension Pixel {
  /// Whether no colour is further away than an encoder may move it.
  fileprivate func isClose(to other: Pixel) -> Bool {
    zip([red, green, blue], [other.red, other.green, other.blue])
      .allSatisfy { abs(Int($0) - Int($1)) < 24 }
  }
}

extension Bitmap {
  /// Pixels that are purely red.
  fileprivate var reds: Int {
    withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).count {
        bytes[$0] == 255 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 0
      }
    }
  }
}

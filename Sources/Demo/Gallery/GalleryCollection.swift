import Pipeline

/// The exhibits, drawn and encoded.
struct GalleryCollection: Sendable {
  /// An exhibit and its bytes.
  struct Picture: Sendable {
    let exhibit: Exhibit
    let bytes: [UInt8]
    let mediaType: String

    /// Names the picture in caches: the same in every run, another when the picture changes.
    var key: String {
      let digest = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      return "gallery/\(exhibit.name)/\(String(digest, radix: 16))"
    }
  }

  /// In the order of `Exhibit.all`.
  let pictures: [Picture]

  static let sharedPath = "/shared.jpg"
  static let endlessPath = "/endless.jpg"

  /// Draws all exhibits.
  static func draw() async throws -> GalleryCollection {
    try await withThrowingTaskGroup(of: (Int, Picture).self) { group in
      for (index, exhibit) in Exhibit.all.enumerated() {
        group.addTask { (index, try picture(of: exhibit)) }
      }
      var pictures: [(Int, Picture)] = []
      for try await picture in group { pictures.append(picture) }
      return GalleryCollection(pictures: pictures.sorted { $0.0 < $1.0 }.map(\.1))
    }
  }

  private static func picture(of exhibit: Exhibit) throws(EncodeError) -> Picture {
    let bytes = try exhibit.make()
    return Picture(
      exhibit: exhibit, bytes: bytes.prefix(bytes.count), mediaType: exhibit.format.mediaType)
  }

  /// What a server has of them, by path. The first is there under two more names: one for loads
  /// that share a transfer, and one so slow that there is time to stop it.
  var served: [String: ServedPicture] {
    var served: [String: ServedPicture] = [:]
    for picture in pictures {
      served[picture.exhibit.path] = ServedPicture(
        bytes: picture.bytes, mediaType: picture.mediaType)
    }
    if let first = pictures.first {
      served[Self.sharedPath] = ServedPicture(bytes: first.bytes, mediaType: first.mediaType)
      served[Self.endlessPath] = ServedPicture(
        bytes: first.bytes, mediaType: first.mediaType, parts: 100, pause: 40)
    }
    return served
  }
}

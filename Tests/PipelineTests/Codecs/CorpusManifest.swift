import Foundation
import Pipeline
import Testing

/// The shared corpus of pictures: what each of its files must decode to.
struct CorpusManifest: Decodable {
  /// One file, with what is expected of it.
  struct File: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var kind: String
    /// Its size.
    var bytes: Int
    var expected: Expectation
    var disputed: Bool?
    var disputes: [Dispute]?
    var firstFrameAgreedBy: [String]?
    var testDescription: String { file }
  }

  /// Another decoder's reading of a disputed file.
  struct Dispute: Decodable, Sendable {
    var decoder: String
    var what: String
    var size: [Int]?
    var grid: Grid?
  }

  /// Means of 8×8 cells: red, green, blue, alpha.
  typealias Grid = [[[Double]]]

  /// What a decode must give: a picture or an error.
  struct Expectation: Decodable, Sendable {
    var errorKind: String?
    var format: String?
    var width: Int?
    var height: Int?
    var storedWidth: Int?
    var storedHeight: Int?
    var orientation: Int?
    var frames: Int?
    var framesMin: Int?
    var framesMax: Int?
    var loopCount: Int?
    var delaysMs: [Int]?
    var hasAlpha: Bool?
    var hasICC: Bool?
    var iccUsable: Bool?
    var signature: Grid?
    var signatureLast: Grid?
    var signatureSRGB: Grid?
    var signatureGamma: Grid?
    var tolerance: Double?
    var partial: Bool?
    var validRows: Int?
    var strictError: String?
    var alternative: Alternative?

    private enum CodingKeys: String, CodingKey {
      case errorKind, format, width, height, storedWidth, storedHeight, orientation, frames
      case framesMin, framesMax, loopCount, delaysMs, hasAlpha, hasICC, iccUsable, signature
      case signatureLast, tolerance, partial, validRows, strictError, alternative
      case signatureSRGB = "signature_srgb"
      case signatureGamma = "signature_gamma"
    }
  }

  /// Another outcome to accept: an error kind by name, an error, or another size.
  enum Alternative: Decodable, Sendable {
    case errorKind(String)
    case error
    case size(PixelSize)

    private enum CodingKeys: String, CodingKey { case error, width, height }

    init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        self = .errorKind(name)
        return
      }
      let values = try decoder.container(keyedBy: CodingKeys.self)
      guard let width = try values.decodeIfPresent(Int.self, forKey: .width) else {
        self = .error
        return
      }
      self = .size(PixelSize(width: width, height: try values.decode(Int.self, forKey: .height)))
    }
  }

  var files: [File]

  /// The corpus: where `IMAGE_CORPUS` says, else beside the package; `nil` when it is not there.
  static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["IMAGE_CORPUS"].map { URL(filePath: $0) }
    let folder = named ?? package.deletingLastPathComponent().appending(path: "shared/corpus")
    let manifest = folder.appending(path: "manifest.json").path
    return FileManager.default.fileExists(atPath: manifest) ? folder : nil
  }()

  /// All files of the corpus; none when it is not there.
  static let files: [File] = {
    guard let folder, let data = try? Data(contentsOf: folder.appending(path: "manifest.json")),
      let manifest = try? JSONDecoder().decode(CorpusManifest.self, from: data)
    else { return [] }
    return manifest.files
  }()
}

extension CorpusManifest.File {
  /// The file's bytes.
  func read() throws -> ImageBytes {
    // Foundation leaks a buffer when it reads an empty file.
    guard bytes > 0 else { return ImageBytes() }
    guard let folder = CorpusManifest.folder else { throw CocoaError(.fileNoSuchFile) }
    return ImageBytes(try Data(contentsOf: folder.appending(path: file)))
  }

  /// Whether a picture is expected of it.
  var isPicture: Bool { expected.errorKind == nil }
}

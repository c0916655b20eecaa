import Pipeline

extension GalleryVisit {
  /// The contact sheet of these loads.
  func sheet(of exhibits: [Exhibit]) -> ContactSheet {
    var cards = zip(exhibits, self.exhibits).map { Self.card(of: $1, lines: [$0.caption]) }
    if let first = shared.first {
      let lines = [
        "\(Figures.count(shared.count, "load")) at once",
        Figures.count(sharedRequests, "request"),
      ]
      cards.append(Self.card(of: first, lines: lines, isShort: true))
    }
    if let stopped {
      cards.append(Self.card(of: stopped, lines: [sawClose ? "connection closed" : "still open"]))
    }
    if let missing { cards.append(Self.card(of: missing, lines: ["an expected failure"])) }
    if let again { cards.append(Self.card(of: again, lines: ["loaded once more"])) }
    return ContactSheet(
      title: "Flow gallery",
      subtitle: "cacheLookup → download → decode → transform → store", cards: cards)
  }

  private static func card(
    of report: LoadReport, lines: [String], isShort: Bool = false
  ) -> ContactSheet.Card {
    switch report.outcome {
    case .loaded(let loaded):
      let image = loaded.image
      let size = "\(image.format) \(image.size)"
      let bytes = loaded.encoded?.bytes.count ?? loaded.metrics.byteCount
      let amount = bytes > 0 && loaded.origin != .memory ? ", \(Figures.bytes(bytes))" : ""
      let source = "\(loaded.origin.rawValue)\(amount)"
      return ContactSheet.Card(
        title: report.name, lines: isShort ? lines + [source] : [size] + lines + [source],
        picture: .bitmaps(pictures(of: image)))
    case .failed(let error):
      let isNotFound = if case .download(.refused(404, _), _) = error { true } else { false }
      return ContactSheet.Card(
        title: report.name, lines: lines, picture: .failed(isNotFound ? "404" : "failed"))
    case .cancelled(let progress):
      let share = progress.fraction ?? 0
      return ContactSheet.Card(
        title: report.name, lines: ["cancelled at \(Int(share * 100))%"] + lines,
        picture: .stopped(at: share))
    }
  }

  /// The picture, or four frames of an animation.
  private static func pictures(of image: DecodedImage) -> [Bitmap] {
    guard let animation = image.animation, animation.frameCount > 1 else { return [image.bitmap] }
    let frames = (0..<4).compactMap {
      // A frame that can not be decoded is left out: its load has already been judged.
      try? animation.frame(at: $0 * animation.frameCount / 4)
    }
    return frames.isEmpty ? [image.bitmap] : frames
  }
}

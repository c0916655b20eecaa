import Pipeline

/// Something the gallery promises, and whether it came true.
struct GalleryCheck: Equatable {
  /// What was seen, in a few words.
  let text: String
  /// Whether it is what was promised.
  let passed: Bool

  /// `ok    …` or `FAIL  …`, with its line end.
  var line: String { (passed ? "ok    " : "FAIL  ") + text + "\n" }
}

extension GalleryVisit {
  /// Whether everything went as announced.
  func checks(of exhibits: [Exhibit]) -> [GalleryCheck] {
    [checkOfPictures(exhibits), checkOfSharing, checkOfStopping, checkOfMissing, checkOfAgain]
  }

  private func checkOfPictures(_ expected: [Exhibit]) -> GalleryCheck {
    let right = zip(expected, exhibits).filter { $0.isShown(by: $1) }.count
    let origins = [ImageOrigin.memory, .disk, .network].compactMap { origin in
      let count = exhibits.filter { $0.outcome.image?.origin == origin }.count
      return count > 0 ? "\(count) from \(origin.rawValue)" : nil
    }
    let text =
      "\(right) of \(Figures.count(expected.count, "picture")) right: "
      + (origins.isEmpty ? "none loaded" : origins.joined(separator: ", "))
    return GalleryCheck(text: text, passed: right == expected.count)
  }

  private var checkOfSharing: GalleryCheck {
    let images = shared.filter { $0.outcome.image != nil }.count
    return GalleryCheck(
      text: "\(Figures.count(shared.count, "load")) of one address at once: "
        + "\(Figures.count(sharedRequests, "request")), \(Figures.count(images, "image"))",
      passed: !shared.isEmpty && images == shared.count && sharedRequests == 1)
  }

  private var checkOfStopping: GalleryCheck {
    guard case .cancelled(let progress)? = stopped?.outcome else {
      return GalleryCheck(text: "the load that was to be stopped ended by itself", passed: false)
    }
    let amount =
      "\(Figures.bytes(progress.received)) of \(progress.expected.map(Figures.bytes) ?? "?")"
    return GalleryCheck(
      text: "stopped after \(amount): the server "
        + (sawClose ? "saw the connection close" : "did not see the connection close"),
      passed: sawClose)
  }

  private var checkOfMissing: GalleryCheck {
    guard case .failed(let error)? = missing?.outcome else {
      return GalleryCheck(text: "what is not there was loaded all the same", passed: false)
    }
    let isExpected = if case .download(.refused(404, _), _) = error { true } else { false }
    return GalleryCheck(text: "a missing picture: \(error.reason)", passed: isExpected)
  }

  private var checkOfAgain: GalleryCheck {
    guard let image = again?.outcome.image else {
      return GalleryCheck(text: "the second load of a picture gave none", passed: false)
    }
    let time = image.metrics.lookup.map { " in \(Figures.time($0))" } ?? ""
    return GalleryCheck(
      text: "the first picture once more: from \(image.origin.rawValue)\(time)",
      passed: image.origin == .memory)
  }
}

extension Exhibit {
  /// Whether the load gave this picture: its format, its frames and, if it was not changed on
  /// purpose, its size.
  func isShown(by report: LoadReport) -> Bool {
    guard let image = report.outcome.image?.image else { return false }
    return image.format == format && image.frameCount == frameCount
      && (!transforms.isEmpty || image.size == size)
  }
}

import Flow
import Pipeline

/// Runs loads through a pipeline and shows how far they are.
struct Loader: Sendable {
  let pipeline: ImagePipeline
  let board: ProgressBoard

  /// Loads to the end, or until `shouldStop` says so of the progress.
  func load(
    _ request: ImageRequest, as name: String,
    until shouldStop: @Sendable (LoadProgress) -> Bool = { _ in false }
  ) async -> LoadReport {
    let line = board.add(name)
    var previewCount = 0
    var latest = LoadProgress(received: 0, expected: nil)
    do {
      for try await event in pipeline.events(for: request) {
        switch event {
        case .progress(let progress):
          latest = progress
          board.update(line, .loading(progress))
          if shouldStop(progress) {
            // Leaving the loop cancels the load.
            board.update(line, .cancelled("after \(Figures.bytes(progress.received))"))
            return LoadReport(name: name, outcome: .cancelled(progress))
          }
        case .image(let image):
          let previews = previewCount > 0 ? ", \(Figures.count(previewCount, "preview"))" : ""
          board.update(line, .done(Self.summary(of: image) + previews))
          return LoadReport(name: name, outcome: .loaded(image))
        case .preview: previewCount += 1
        case .request, .encoded: break
        }
      }
    } catch {
      board.update(line, .failed(error.reason))
      return LoadReport(name: name, outcome: .failed(error))
    }
    board.update(line, .cancelled("after \(Figures.bytes(latest.received))"))
    return LoadReport(name: name, outcome: .cancelled(latest))
  }

  /// `JPEG 480×360, 38.2 kB from network`.
  static func summary(of loaded: LoadedImage) -> String {
    let image = loaded.image
    let frames = image.frameCount > 1 ? ", \(image.frameCount) frames" : ""
    let bytes = loaded.encoded?.bytes.count ?? loaded.metrics.byteCount
    let amount = bytes > 0 ? ", \(Figures.bytes(bytes))" : ""
    return "\(image.format) \(image.size)\(frames)\(amount) from \(loaded.origin.rawValue)"
  }
}

import Pipeline

/// One load and how it ended.
struct LoadReport: Sendable {
  /// How it is called in tables.
  let name: String
  /// How it ended.
  let outcome: LoadOutcome
  /// The file that the picture was written to.
  var output: String?
  /// Why it was not written.
  var writeFailure: OutputError?
}

/// How a load ended.
enum LoadOutcome: Sendable {
  case loaded(LoadedImage)
  case failed(LoadError)
  /// Nobody wanted it any more after so many bytes.
  case cancelled(LoadProgress)

  /// The image, if there is one.
  var image: LoadedImage? {
    if case .loaded(let image) = self { image } else { nil }
  }
}

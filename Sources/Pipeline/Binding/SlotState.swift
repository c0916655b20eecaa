/// What a slot shows, from call to call and event to event. Knows no thread and no pipeline.
struct SlotState {
  private(set) var content = SlotContent.empty {
    didSet { if !(content.isEmpty && oldValue.isEmpty) { drawing += 1 } }
  }
  /// Counts what there was to draw.
  private(set) var drawing = 0
  private(set) var phase = SlotPhase.idle
  /// The last picture that came, shown or not.
  private(set) var loaded: LoadedImage?
  /// Counts what was asked for: news of an earlier number come too late.
  private(set) var number = 0
  private var placeholder: DecodedImage?
  private var options = SlotOptions()

  /// Begins to wait for another picture. Returns its number.
  mutating func begin(placeholder: DecodedImage?, options: SlotOptions) -> Int {
    number += 1
    self.placeholder = placeholder
    self.options = options
    phase = .loading(nil)
    loaded = nil
    switch options.whileLoading {
    case .nothing: content = .empty
    case .placeholder: content = placeholder.map { .placeholder($0) } ?? .empty
    case .current: if content.image == nil, let placeholder { content = .placeholder(placeholder) }
    }
    return number
  }

  /// An event of load `number`. Returns whether anything has changed.
  mutating func receive(_ event: LoadEvent, of number: Int) -> Bool {
    guard number == self.number else { return false }
    switch event {
    case .request, .encoded: return false
    case .progress(let progress):
      // A refresh that goes on behind a picture does not take it back.
      guard case .loading = phase else { return false }
      phase = .loading(progress)
    case .preview(let image):
      guard options.showsPreviews, options.setsImage, case .loading = phase else { return false }
      content = .preview(image)
    case .image(let image):
      loaded = image
      phase = .loaded(image.origin)
      guard options.setsImage else { return true }
      content = .image(image.image, isAnimated: options.animates(image.origin))
    }
    return true
  }

  /// The failure of load `number`. Returns whether anything has changed.
  mutating func fail(_ error: LoadError, of number: Int) -> Bool {
    guard number == self.number else { return false }
    // A picture that could not be refreshed stays.
    if case .loaded = phase { return false }
    phase = .failed(error)
    if case .current = options.whileLoading, options.failureImage == nil, content.image != nil {
      return true
    }
    content = .failure(options.failureImage ?? placeholder)
    return true
  }

  /// Waits for nothing any more; what is shown stays.
  mutating func stop() {
    number += 1
    if case .loading = phase { phase = .idle }
  }

  /// Shows this, and waits for nothing.
  mutating func set(_ image: DecodedImage?, isAnimated: Bool) {
    number += 1
    content = image.map { .image($0, isAnimated: isAnimated) } ?? .empty
    phase = .idle
    placeholder = nil
  }
}

extension SlotContent {
  /// Whether it is nothing.
  fileprivate var isEmpty: Bool { if case .empty = self { true } else { false } }
}

import Flow

extension LoadStage {
  /// Changes the pixels of the image, in order, after what the request itself asks for.
  ///
  /// The chain's cache lookup looks for the transformed image. Previews pass as they are, and so do
  /// animations unless the request says that their frames are to be changed.
  /// Large pictures are changed in bands, which idle ones of `workers` share.
  /// Fails with `.transform`. Delivers on `workers`. Cancel stops the work at its next look.
  public func transform(
    _ transforms: any ImageTransform..., on workers: WorkerPool = .decoding
  ) -> Transform<Self> {
    var upstream = self
    upstream.request.transforms += transforms
    return Transform(
      upstream: upstream, step: .ofRequest(count: upstream.request.transforms.count),
      workers: workers)
  }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Changes the pixels of the image, in order, whatever was done to them before.
  ///
  /// Behind an operator that is no stage the chain's cache lookup can not know of these
  /// transforms: it finds the image without them. Else as the form on `LoadStage`.
  public func transform(
    _ transforms: any ImageTransform..., on workers: WorkerPool = .decoding
  ) -> Transform<Self> {
    Transform(upstream: self, step: .always(transforms), workers: workers)
  }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Does what the request of each image asks for and was not done yet.
  func transformAsRequested(on workers: WorkerPool = .decoding) -> Transform<Self> {
    Transform(upstream: self, step: .ofRequest(count: .max), workers: workers)
  }
}

/// What `transform(_:)` returns: pixels become other pixels.
public struct Transform<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  /// Events of a load.
  public typealias Output = LoadEvent
  /// Why a load gave no image.
  public typealias Failure = LoadError

  var upstream: Upstream
  let step: TransformStep
  let workers: WorkerPool

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let stage = self
    upstream.answering(subscriber) { event in
      switch event {
      case .image(let loaded): stage.change(loaded)
      case .request(let request):
        .failure(.incompleteChain(.requestNotAnswered, source: request.sourceName))
      case .encoded(_, let request):
        .failure(.incompleteChain(.bytesNotDecoded, source: request.sourceName))
      case .progress, .preview: .event(event)
      }
    }
  }

  private func change(_ loaded: LoadedImage) -> StageAnswer {
    let due = step.transforms(for: loaded)
    guard due.contains(where: { !$0.key.isEmpty }), !loaded.staysUntransformed else {
      var loaded = loaded
      loaded.appliedTransforms += due.map(\.key)
      return .event(.image(loaded))
    }
    let (source, workers) = (loaded.request.sourceName, self.workers)
    let change = workers.publisher(priority: loaded.request.priority) { flag throws(LoadError) in
      do throws(TransformError) {
        let changed = try Bands.sharing(with: workers) { () throws(TransformError) in
          try loaded.applying(due, cancellation: flag)
        }
        return LoadEvent.image(changed)
      } catch {
        throw .transform(error, source: source)
      }
    }
    return .events(change.eraseToAnyPublisher())
  }
}

extension Transform: LoadStage where Upstream: LoadStage {
  /// What the chain begins with.
  public var request: ImageRequest {
    get { upstream.request }
    set { upstream.request = newValue }
  }
}

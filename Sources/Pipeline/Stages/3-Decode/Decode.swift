import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Makes pixels of bytes, as they come.
  ///
  /// Growing bytes give `.preview` events where the request asks for them; when bytes come faster
  /// than they are decoded, the newest are taken. Complete bytes give the `.image`.
  ///
  /// Fails with `.decode`, and with `.incompleteChain` when a request comes here unanswered.
  /// Delivers images on `workers`, other events where they come from. Cancel stops the work at
  /// its next look, or takes it out of the queue.
  public func decode(
    using decoders: DecoderRegistry = .standard, on workers: WorkerPool = .decoding
  ) -> Decode<Self> {
    Decode(upstream: self, decoders: decoders, workers: workers)
  }
}

/// What `decode(using:)` returns: bytes become previews and an image.
public struct Decode<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  /// Events of a load.
  public typealias Output = LoadEvent
  /// Why a load gave no image.
  public typealias Failure = LoadError

  var upstream: Upstream
  let decoders: DecoderRegistry
  let workers: WorkerPool

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let stage = self
    Create<LoadEvent, LoadError> { emitter in
      let run = DecodeRun(emitter: emitter, decoders: stage.decoders, workers: stage.workers)
      emitter.onCancel { run.cancel() }
      return stage.upstream.sink(
        receiveCompletion: { run.receive(completion: $0) }, receiveValue: { run.receive($0) })
    }.receive(subscriber: subscriber)
  }
}

extension Decode: LoadStage where Upstream: LoadStage {
  /// What the chain begins with.
  public var request: ImageRequest {
    get { upstream.request }
    set { upstream.request = newValue }
  }
}

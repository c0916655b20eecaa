import Flow

extension ImagePipeline {
  /// The load of the first of several sources that gives an image.
  ///
  /// They are tried in order, each when the one before it has failed. Events of a source that fails
  /// later are passed on as they come, its failure is not. Fails with the last one's error, and
  /// with `.incompleteChain(.nothing)` when there are none. Cancel stops whichever runs.
  public func load(firstOf requests: [ImageRequest]) -> AnyPublisher<LoadEvent, LoadError> {
    guard !requests.isEmpty else {
      return .failure(.incompleteChain(.nothing, source: "an empty list of sources"))
    }
    let last = requests.count - 1
    return requests.indices.publisher
      .flatMap(maxPublishers: .max(1)) { index in
        self.load(requests[index]).materialize().compactMap { event in
          event.outcome(isLast: index == last)
        }
      }
      .dematerialize()
      .eraseToAnyPublisher()
  }

  /// The load of a picture that shows a smaller or poorer version of it meanwhile.
  ///
  /// Both loads run at the same time. The image of `preliminary` is passed on as a `.preview`, if it
  /// comes before the real one; its other events and its failure are not told. Fails and finishes
  /// as the load of `request`, which stops the other. Cancel stops both.
  public func load(
    _ request: ImageRequest, showingFirst preliminary: ImageRequest
  ) -> AnyPublisher<LoadEvent, LoadError> {
    let (final, early) = (load(request), load(preliminary))
    return Deferred { () -> AnyPublisher<LoadEvent, LoadError> in
      let isSettled = CancellationFlag()
      let previews =
        early
        .compactMap { event -> StreamEvent<LoadEvent, LoadError>? in
          guard case .image(let loaded) = event else { return nil }
          return .value(.preview(loaded.image))
        }
        .catch { _ in Empty<StreamEvent<LoadEvent, LoadError>, Never>() }
        .eraseToAnyPublisher()
      // The end of the real load is a value among the others: it ends the whole and stops the rest.
      let ends = final.materialize().eraseToAnyPublisher()
      let both: AnyPublisher<LoadEvent, LoadError> = previews.merge(with: ends).dematerialize()
        .eraseToAnyPublisher()
      return
        both
        .filter { event in
          if case .image = event { isSettled.cancel() }
          guard case .preview = event else { return true }
          return !isSettled.isCancelled
        }.eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }
}

extension StreamEvent<LoadEvent, LoadError> {
  /// What it means for the load of several sources: a failure is told of the last one only, or when
  /// the pipeline is shut down and no other is to begin.
  fileprivate func outcome(isLast: Bool) -> StreamEvent? {
    guard case .completion(.failure(let error)) = self, !isLast else { return self }
    if case .download(.shutDown, _) = error { return self }
    return nil
  }
}

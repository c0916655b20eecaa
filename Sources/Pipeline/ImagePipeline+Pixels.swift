import Flow

extension ImagePipeline.Configuration {
  /// The stages from the disk to pixels.
  func pixels(
    _ load: Load, or stores: StoresUnderWay, from source: BytesFromCache
  ) -> AnyPublisher<LoadEvent, LoadError> {
    load
      .cacheLookup(in: cache, tiers: .disk, orUnderWay: stores)
      .marking(\.lookedUp)
      .refusing(failuresIn: failures)
      .stopUnlessDownloadable(hooks.mayDownload)
      .download(with: downloader, for: decoders)
      .marking(\.lastByte)
      .noting(source)
      .decode(using: decoders)
      .eraseToAnyPublisher()
  }
}

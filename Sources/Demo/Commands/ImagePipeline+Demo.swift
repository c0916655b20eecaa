import Pipeline

extension ImagePipeline {
  /// A pipeline with memory, and a disk cache in `folder` or, if that is `nil`, in the user's
  /// folder for caches.
  convenience init(
    cacheFolder folder: String?, downloader: DownloaderConfiguration = DownloaderConfiguration()
  ) throws(CacheError) {
    let disk = try DiskCache(
      folder: folder ?? DiskCacheConfiguration.standardFolder(named: "flow-demo"))
    let cache = ImageCache(memory: ImageCache.imageMemory(limit: 256 << 20), disk: disk)
    self.init(
      configuration: Configuration(cache: cache, downloader: Downloader(configuration: downloader)))
  }
}

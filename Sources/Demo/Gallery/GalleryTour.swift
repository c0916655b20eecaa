import Pipeline

/// Goes through the gallery once: all loads, in the order in which they make sense.
struct GalleryTour: Sendable {
  let collection: GalleryCollection
  let server: PictureServer
  let loader: Loader

  static let sharedLoads = 5

  /// Runs all loads; ends when the last has.
  func visit() async -> GalleryVisit {
    async let exhibits = loadExhibits()
    async let shared = loadShared()
    async let stopped = loader.load(
      uncached(GalleryCollection.endlessPath), as: "endless.jpg"
    ) { ($0.fraction ?? 0) >= 0.25 }
    async let missing = loader.load(uncached("/missing.png"), as: "missing.png")
    var visit = GalleryVisit()
    visit.stopped = await stopped
    visit.sawClose = await server.wait(upTo: .seconds(5)) {
      $0.abandoned[GalleryCollection.endlessPath, default: 0] > 0
    }
    visit.missing = await missing
    visit.shared = await shared
    visit.sharedRequests = server.counts.requests[GalleryCollection.sharedPath, default: 0]
    visit.exhibits = await exhibits
    if let first = collection.pictures.first {
      visit.again = await loader.load(request(for: first), as: first.exhibit.name)
    }
    return visit
  }

  private func loadExhibits() async -> [LoadReport] {
    await inParallel(collection.pictures.map { (request(for: $0), $0.exhibit.name) })
  }

  private func loadShared() async -> [LoadReport] {
    let request = uncached(GalleryCollection.sharedPath)
    return await inParallel(
      (1...Self.sharedLoads).map { _ in (request, "shared.jpg") })
  }

  private func inParallel(_ loads: [(ImageRequest, String)]) async -> [LoadReport] {
    await withTaskGroup(of: (Int, LoadReport).self) { group in
      for (index, load) in loads.enumerated() {
        group.addTask { (index, await loader.load(load.0, as: load.1)) }
      }
      var reports: [(Int, LoadReport)] = []
      for await report in group { reports.append(report) }
      return reports.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// The server's port differs from run to run: the key keeps what is cached findable.
  private func request(for picture: GalleryCollection.Picture) -> ImageRequest {
    var request = ImageRequest(server.url(picture.exhibit.path))
    request.key = picture.key
    request.transforms = picture.exhibit.transforms
    return request
  }

  /// Past all caches, so that every run shows the same.
  private func uncached(_ path: String) -> ImageRequest {
    var request = ImageRequest(server.url(path))
    request.caching = CachePolicy(read: [], write: [])
    return request
  }
}

import Pipeline

/// `demo gallery`: loads pictures of all formats from a server of its own.
struct GalleryCommand {
  private let options: GalleryOptions
  private let console: Console
  private let sheetName = "contact-sheet.png"

  init(_ options: GalleryOptions, _ console: Console) {
    self.options = options
    self.console = console
  }

  /// Draws, serves, loads, writes, and says whether all went as announced.
  func run() async -> ExitCode {
    do {
      let folder = try OutputFolder(options.output)
      let pipeline = try ImagePipeline(cacheFolder: options.cache)
      console.write("Drawing \(Figures.count(Exhibit.all.count, "picture")) …\n")
      let collection = try await GalleryCollection.draw()
      let server = try PictureServer(collection.served)
      console.write("Serving them at \(server.url("/")) …\n\n")
      let board = ProgressBoard(console)
      let tour = GalleryTour(
        collection: collection, server: server, loader: Loader(pipeline: pipeline, board: board))
      var visit = await board.show { await tour.visit() }
      try write(&visit, to: folder)
      return conclude(visit)
    } catch {
      console.writeError("demo: \(error)\n")
      return .failure
    }
  }

  private func write(_ visit: inout GalleryVisit, to folder: OutputFolder) throws {
    var names = OutputNames()
    _ = names.name(for: sheetName)
    for index in visit.exhibits.indices {
      guard let image = visit.exhibits[index].outcome.image else { continue }
      visit.exhibits[index].output = try folder.writePNG(
        image.bitmap, named: names.name(for: visit.exhibits[index].name))
    }
    let sheet = try visit.sheet(of: Exhibit.all).draw()
    _ = try folder.writePNG(sheet, named: sheetName)
  }

  private func conclude(_ visit: GalleryVisit) -> ExitCode {
    let checks = visit.checks(of: Exhibit.all)
    console.write("\n" + ReportTables.text(of: visit.all) + "\n")
    console.write(checks.map(\.line).joined())
    console.write("\nThe pictures and \(sheetName) are in \(options.output).\n")
    for case .failed(let error) in visit.exhibits.map(\.outcome) {
      console.writeError("demo: \(error)\n")
    }
    let failed = checks.filter { !$0.passed }.count
    if failed > 0 {
      console.writeError("demo: \(Figures.count(failed, "thing")) did not go as announced\n")
    }
    return failed == 0 ? .success : .failure
  }
}

import Foundation
import Pipeline

/// `demo load`: loads whatever it is given, and says what it was.
struct LoadCommand {
  private let options: LoadOptions
  private let console: Console

  init(_ options: LoadOptions, _ console: Console) {
    self.options = options
    self.console = console
  }

  /// Loads all; one that fails does not stop the others.
  func run() async -> ExitCode {
    do {
      let folder = try options.output.map { path throws(OutputError) in try OutputFolder(path) }
      let pipeline = try ImagePipeline(
        cacheFolder: options.cache, downloader: options.fetching.downloader)
      let reports = written(await loadAll(with: pipeline), to: folder)
      console.write(
        options.printsJSON ? try ReportJSON.text(of: reports) : ReportTables.text(of: reports))
      for report in reports {
        if case .failed(let error) = report.outcome { console.writeError("demo: \(error)\n") }
        if let failure = report.writeFailure { console.writeError("demo: \(failure)\n") }
      }
      return reports.allSatisfy(\.isWhole) ? .success : .failure
    } catch {
      console.writeError("demo: \(error)\n")
      return .failure
    }
  }

  private func loadAll(with pipeline: ImagePipeline) async -> [LoadReport] {
    let quiet = Console(terminalWidth: nil, write: { _ in }, writeError: { _ in })
    let board = ProgressBoard(options.printsJSON ? quiet : console)
    let loader = Loader(pipeline: pipeline, board: board)
    return await board.show {
      await withTaskGroup(of: (Int, LoadReport).self) { group in
        for (index, source) in options.sources.enumerated() {
          group.addTask { (index, await loader.load(request(for: source), as: source)) }
        }
        var reports: [Int: LoadReport] = [:]
        for await (index, report) in group { reports[index] = report }
        return options.sources.indices.compactMap { reports[$0] }
      }
    }
  }

  private func request(for source: String) -> ImageRequest {
    var request = ImageRequest(SourceArgument.url(source))
    request.decoding.previews = options.showsPreviews
    request.transfer = options.fetching.transfer
    if let size = options.resize {
      request.transforms = [
        .resize(fitting: PixelSize(width: size.width, height: size.height))
      ]
    }
    return request
  }

  private func written(_ reports: [LoadReport], to folder: OutputFolder?) -> [LoadReport] {
    guard let folder else { return reports }
    var names = OutputNames()
    return reports.map { $0.written(to: folder, as: names.name(for: $0.name)) }
  }
}

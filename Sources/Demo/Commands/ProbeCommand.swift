import Flow
import Pipeline

/// `demo probe`: says what images are by their headers, and fetches no more than that.
struct ProbeCommand {
  private let sources: [String]
  private let console: Console

  init(_ sources: [String], _ console: Console) {
    self.sources = sources
    self.console = console
  }

  /// Probes all; one that fails does not stop the others.
  func run() async -> ExitCode {
    let downloader = Downloader()
    var code = ExitCode.success
    for source in sources {
      do throws(LoadError) {
        console.write("\(source): \(try await probe(source, with: downloader))\n")
      } catch {
        console.writeError("demo: \(source): \(error.reason)\n")
        code = .failure
      }
    }
    return code
  }

  private func probe(
    _ source: String, with downloader: Downloader
  ) async throws(LoadError) -> String {
    let request = ImageRequest(SourceArgument.url(source))
    for try await probed in Load(request).download(with: downloader).probe().values {
      return Self.line(probed.probe, after: probed.byteCount)
    }
    throw .decode(.empty, source: source)
  }

  /// `JPEG 480×360, orientation 6, profile Display P3, known after 1.2 kB`.
  static func line(_ probe: ImageProbe, after byteCount: Int) -> String {
    var parts = ["\(probe.format) \(probe.size)"]
    if let count = probe.frameCount {
      if count > 1 { parts.append(Figures.count(count, "frame")) }
    } else {
      parts.append("frames not known yet")
    }
    if probe.orientation != .up { parts.append("orientation \(probe.orientation.rawValue)") }
    if probe.hasAlpha { parts.append("alpha") }
    if let name = probe.profileName { parts.append("profile \(name)") }
    parts.append("known after \(Figures.bytes(byteCount))")
    return parts.joined(separator: ", ")
  }
}

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
    var request = ImageRequest(SourceArgument.url(source))
    // Growing bytes are passed on for previews; here they are looked at as soon as they come.
    request.decoding.previews = true
    for try await event in Load(request).download(with: downloader).values {
      guard case .encoded(let encoded, _) = event else { continue }
      do throws(DecodeError) {
        // Leaving the loop stops the transfer.
        if let probe = try DecoderRegistry.standard.probe(encoded.bytes) {
          return Self.line(probe, after: encoded.bytes.count)
        }
      } catch {
        // Few bytes may not tell yet what they are.
        if encoded.isComplete || encoded.bytes.count >= FormatSniffer.wantedByteCount {
          throw .decode(error, source: source)
        }
      }
      if encoded.isComplete { throw .decode(.unknownFormat, source: source) }
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

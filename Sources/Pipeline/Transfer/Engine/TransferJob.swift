#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A transfer that is wanted: what to get, and who hears of it.
struct TransferJob: Sendable {
  let id: TransferID
  /// `http` or `https`.
  let address: URL
  /// The name that limits and pauses of a host go by: host and port.
  let host: String
  let priority: LoadPriority
  let options: TransferOptions
  /// Attempts that failed before this one.
  let attempt: Int
  let sink: any TransferSink

  /// `nil` when the address names no host.
  init?(
    id: TransferID, address: URL, request: ImageRequest, attempt: Int, sink: any TransferSink
  ) {
    guard let name = address.host(percentEncoded: false), !name.isEmpty else { return nil }
    self.id = id
    self.address = address
    host = address.port.map { "\(name):\($0)" } ?? name
    priority = request.priority
    options = request.transfer
    self.attempt = attempt
    self.sink = sink
  }

  /// Whether the request carries validators, so that 304 is an answer.
  var isConditional: Bool {
    options.headers.contains {
      ["if-none-match", "if-modified-since"].contains($0.name.lowercased())
    }
  }

  /// Whether the bytes of a broken transfer may be used.
  var mayResume: Bool {
    options.resumes && !isConditional
      && !options.headers.contains { $0.name.lowercased() == "range" }
  }

  /// Names what is fetched and as whom: partial bodies are shared by nobody else.
  var resumeKey: String {
    let fields = options.headers.map { "\($0.name.lowercased()):\($0.value)" }.sorted()
    var key = address.absoluteString + "\n" + fields.joined(separator: "\n")
    switch options.credential {
    case .password(let user, let password)?: key += "\n\(user)\n\(password)"
    case .bearer(let token)?: key += "\n\(token)"
    case nil: break
    }
    return key + (options.hooks.map { "\n\($0.name)" } ?? "") + (options.usesCookies ? "\n;" : "")
  }
}

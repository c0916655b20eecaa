extension OutgoingRequest {
  /// What `transfer` sends: the downloader's fields, the request's, the part to go on from, and
  /// what the hooks make of them.
  /// - Throws: `.requestRefused`, or `.invalidURL` when a hook made the address one.
  init(_ transfer: Transfer) throws(DownloadError) {
    let (job, configuration) = (transfer.job, transfer.configuration)
    url = job.address
    headers = configuration.fields(
      accepting: job.options.accept ?? DecoderRegistry.standard.accept
    ).replaced(by: job.options.headers)
    if let partial = transfer.partial { headers = headers.replaced(by: partial.fields) }
    if case .bearer(let token)? = transfer.credential, self[header: "Authorization"] == nil {
      headers.append(HeaderField(name: "Authorization", value: "Bearer \(token)"))
    }
    do {
      for hooks in transfer.hooks { try hooks.modifyRequest?(&self) }
    } catch {
      throw .requestRefused(reason: "\(error)")
    }
    if url != job.address {
      guard ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false
      else { throw .invalidURL(reason: "a request modifier made it one that can not be sent") }
    }
    if let field = headers.first(where: { !$0.isSendable }) {
      throw .requestRefused(reason: "the header field \"\(field.name)\" can not be sent")
    }
  }

  /// The fields as lines for libcurl, which sends an empty value when a semicolon says so.
  var lines: [String] {
    headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
  }
}

extension HeaderField {
  /// Whether it can be sent as one line: nobody smuggles a second field or a second request in.
  var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
  }
}

extension Transfer {
  /// The login for the host that is asked.
  var credential: Credential? { job.options.credential ?? configuration.credentials?(job.host) }
}

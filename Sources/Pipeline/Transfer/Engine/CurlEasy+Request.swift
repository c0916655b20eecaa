internal import CCurlShims

extension CurlEasy {
  /// Makes the handle ready for `transfer`, whose memory the caller keeps until it is reset.
  func prepare(for transfer: Transfer, configuration: DownloaderConfiguration) {
    let options = transfer.job.options
    let context = UnsafeRawPointer(Unmanaged.passUnretained(transfer).toOpaque())
    set(CURLOPT_URL, transfer.job.address.absoluteString)
    set(CURLOPT_PRIVATE, pointer: context)
    set(CURLOPT_NOSIGNAL, true)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, true)
    set(CURLOPT_MAXREDIRS, configuration.maximumRedirects)
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    set(CURLOPT_BUFFERSIZE, 128 << 10)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, options.connectTimeout.milliseconds))
    if transfer.job.address.scheme?.lowercased() == "https" { set(CURLOPT_PIPEWAIT, true) }
    set(CURLOPT_HTTPHEADER, lines: Self.lines(options.headers, configuration))

    set(CURLOPT_WRITEDATA, pointer: context)
    _ = flow_easy_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      let length = size * count
      let taken = runningTransfer(at: context)?.takeBody(.init(start: bytes, count: length))
      return taken == true ? length : Int(CURL_WRITEFUNC_ERROR)
    }
    set(CURLOPT_HEADERDATA, pointer: context)
    _ = flow_easy_set_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let length = size * count
      let taken = runningTransfer(at: context)?.takeHeader(.init(start: bytes, count: length))
      return taken == true ? length : Int(CURL_WRITEFUNC_ERROR)
    }
    set(CURLOPT_PREREQDATA, pointer: context)
    _ = flow_easy_set_prereq(handle) { context, _, _, _, _ in
      runningTransfer(at: context)?.connected()
      return Int32(CURL_PREREQFUNC_OK)
    }
  }

  /// Header lines: the request's own win over the downloader's. An empty value is sent as such.
  private static func lines(
    _ fields: [HeaderField], _ configuration: DownloaderConfiguration
  ) -> [String] {
    var merged = [
      HeaderField(name: "Accept", value: configuration.accept),
      HeaderField(name: "User-Agent", value: configuration.userAgent),
    ]
    for field in configuration.headers + fields {
      let name = field.name.lowercased()
      merged.removeAll { $0.name.lowercased() == name }
    }
    let own = Set(fields.map { $0.name.lowercased() })
    merged += configuration.headers.filter { !own.contains($0.name.lowercased()) } + fields
    return merged.filter(\.isSendable).map {
      $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
    }
  }
}

/// The transfer that a callback's context points to.
private func runningTransfer(at context: UnsafeMutableRawPointer?) -> Transfer? {
  // SAFETY: the driver holds the transfer until its handle has left the multi handle.
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

extension HeaderField {
  /// Whether it can be sent as one line: nobody smuggles a second field or a second request in.
  var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy { $0 >= 32 || $0 == 9 }
  }
}

extension Duration {
  /// Whole milliseconds, at most what libcurl takes.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

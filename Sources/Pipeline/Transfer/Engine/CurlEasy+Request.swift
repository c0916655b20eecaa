internal import CCurlShims

extension CurlEasy {
  /// Makes the handle ready for `transfer`, whose memory the caller keeps until it is reset.
  /// - Throws: when the request is refused or can not be sent.
  func prepare(for transfer: Transfer, cookies: CookieJar) throws(DownloadError) {
    let request = try OutgoingRequest(transfer)
    let context = UnsafeRawPointer(Unmanaged.passUnretained(transfer).toOpaque())
    let (options, configuration) = (transfer.job.options, transfer.configuration)
    let address = request.url.absoluteString
    set(CURLOPT_URL, address)
    set(CURLOPT_HTTPHEADER, lines: request.lines)
    set(CURLOPT_PRIVATE, pointer: context)
    set(CURLOPT_NOSIGNAL, true)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, true)
    set(CURLOPT_MAXREDIRS, configuration.maximumRedirects)
    // A part fits the bytes before it only as they are.
    set(CURLOPT_ACCEPT_ENCODING, transfer.partial == nil ? "" : nil)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    // A little below where malloc asks the system for each block.
    set(CURLOPT_BUFFERSIZE, 100 << 10)
    let connecting = options.connectTimeout.wholeMilliseconds
    set(CURLOPT_CONNECTTIMEOUT_MS, min(max(1, connecting), Int(Int32.max)))
    if address.prefix(6).lowercased() == "https:" { set(CURLOPT_PIPEWAIT, true) }
    setCallbacks(context)
    setLogin(transfer.credential)
    set(options.tls ?? configuration.tls)
    set(configuration.proxy, configuration.addresses, context)
    if options.usesCookies { cookies.attach(to: self) }
  }

  private func setCallbacks(_ context: UnsafeRawPointer) {
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
    _ = flow_easy_set_prereq(handle) { context, address, _, _, _ in
      let mayGoOn = runningTransfer(at: context)?.connected(to: address.map { String(cString: $0) })
      return Int32(mayGoOn == false ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK)
    }
  }

  private func setLogin(_ credential: Credential?) {
    guard case .password(let user, let password)? = credential else { return }
    set(CURLOPT_HTTPAUTH, Int(flow_auth_password))
    set(CURLOPT_USERNAME, user)
    set(CURLOPT_PASSWORD, password)
  }

  private func set(_ tls: TLSOptions) {
    if tls.allowsInvalidCertificates {
      set(CURLOPT_SSL_VERIFYPEER, false)
      set(CURLOPT_SSL_VERIFYHOST, false)
    }
    set(CURLOPT_CAINFO, tls.authorities)
    set(CURLOPT_SSLCERT, tls.clientCertificate)
    set(CURLOPT_SSLKEY, tls.clientKey)
    set(CURLOPT_PINNEDPUBLICKEY, tls.pinnedKeys)
  }

  private func set(
    _ proxy: ProxyChoice, _ addresses: AddressPolicy, _ context: UnsafeRawPointer
  ) {
    switch proxy {
    case .environment: break
    case .direct: set(CURLOPT_PROXY, "")
    case .url(let proxy): set(CURLOPT_PROXY, proxy)
    }
    guard addresses != .any else { return }
    set(CURLOPT_PROXY, "")
    set(CURLOPT_OPENSOCKETDATA, pointer: context)
    _ = flow_easy_set_opensocket(handle) { context, _, address in
      guard let address, let transfer = runningTransfer(at: context) else {
        return CURL_SOCKET_BAD
      }
      let (bytes, text) = SocketAddress.read(address)
      guard transfer.mayConnect(to: bytes, written: text) else { return CURL_SOCKET_BAD }
      return SocketAddress.open(address)
    }
  }
}

/// The transfer that a callback's context points to.
private func runningTransfer(at context: UnsafeMutableRawPointer?) -> Transfer? {
  // SAFETY: the driver holds the transfer until its handle has left the multi handle.
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

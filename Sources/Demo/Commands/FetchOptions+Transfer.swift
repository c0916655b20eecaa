import Pipeline

extension FetchOptions {
  /// What is asked of the downloader, for all loads.
  var downloader: DownloaderConfiguration {
    var configuration = DownloaderConfiguration()
    if isPublicOnly { configuration.addresses = .publicOnly }
    return configuration
  }

  /// What is asked of each transfer.
  var transfer: TransferOptions {
    var options = TransferOptions()
    options.headers = headers
    options.credential = login
    options.retry = TransferRetry(count: retryCount)
    if let timeout { (options.idleTimeout, options.connectTimeout) = (timeout, timeout) }
    if takesAnyCertificate {
      var tls = TLSOptions()
      tls.allowsInvalidCertificates = true
      options.tls = tls
    }
    return options
  }
}

import Foundation

/// A real web server on 127.0.0.1 with a certificate authority of its own, for what only real
/// servers prove: HTTP/2, TLS, gzip, ranges, logins. Ends when released.
///
/// Every answer names its connection in `X-Connection`.
public final class NginxServer: Sendable {
  /// Whether nginx and openssl are installed. Tests that need them are skipped otherwise.
  public static var isAvailable: Bool { program("nginx") != nil && program("openssl") != nil }

  /// Serves `plain.bin`, `page.html` (compressed), `/moved` and `/loop`, `/slow/plain.bin` at
  /// 10 kB a second unless a range is asked for, `/private/plain.bin` for `me` with `secret`; what a test puts into the folder
  /// `root/cached` with words for caches, each request a line of `cached.log`.
  public let http: URL
  /// The same over TLS, HTTP/2 where the client can, with a certificate for `localhost`.
  public let https: URL
  /// Over TLS, for clients that show a certificate.
  public let mutual: URL
  /// Over TLS, with a certificate for another name.
  public let misnamed: URL
  /// The authority's certificate (PEM); also `client.pem` and `client.key` lie beside it.
  public let folder: URL
  /// What `plain.bin` holds.
  public let plain: [UInt8]
  /// What `page.html` holds.
  public let page: [UInt8]

  private let process: Process

  /// Makes certificates, writes the configuration, starts nginx and waits until it answers.
  public init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "flow-nginx-\(UUID())")
    plain = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    page = Array(String(repeating: "<p>Hello, hello, hello.</p>\n", count: 2000).utf8)
    try Self.writeFiles(in: folder, plain: plain, page: page)
    try Self.makeCertificates(in: folder)
    let (process, ports) = try Self.start(in: folder)
    func url(_ scheme: String, _ port: UInt16) throws -> URL {
      guard let url = URL(string: "\(scheme)://localhost:\(port)/") else { throw NginxFailure() }
      return url
    }
    http = try url("http", ports[0])
    https = try url("https", ports[1])
    mutual = try url("https", ports[2])
    misnamed = try url("https", ports[3])
    self.process = process
  }

  /// Starts on free ports. Another program may take one in between: then on others, a few times.
  private static func start(in folder: URL) throws -> (Process, [UInt16]) {
    for _ in 0..<5 {
      let ports = try (0..<4).map { _ in try freePort() }
      if let process = try launch(in: folder, ports) { return (process, ports) }
    }
    throw NginxFailure()
  }

  private static func launch(in folder: URL, _ ports: [UInt16]) throws -> Process? {
    let configuration = folder.appending(path: "nginx.conf")
    try Data(Self.configuration(folder.path(percentEncoded: false), ports).utf8)
      .write(to: configuration)
    let process = Process()
    process.executableURL = program("nginx")
    process.arguments = [
      "-p", folder.path(percentEncoded: false), "-c", configuration.path(percentEncoded: false),
      "-e", "stderr",
    ]
    let output = ServerOutput()
    process.standardError = output.pipe
    try process.run()
    // Said when it listens already.
    return output.says("event method") ? process : nil
  }

  deinit {
    // Threads of a pool block polite signals, and their children inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The path of a file beside the authority's certificate.
  public func file(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  private static func writeFiles(in folder: URL, plain: [UInt8], page: [UInt8]) throws {
    for path in ["root/slow", "root/private", "root/cached", "temporary"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: path), withIntermediateDirectories: true)
    }
    for path in ["root/plain.bin", "root/slow/plain.bin", "root/private/plain.bin"] {
      try Data(plain).write(to: folder.appending(path: path))
    }
    try Data(page).write(to: folder.appending(path: "root/page.html"))
    try Data("me:{PLAIN}secret\n".utf8).write(to: folder.appending(path: "users"))
    try writePlaces(in: folder)
  }

  private static func makeCertificates(in folder: URL) throws {
    func openssl(_ words: String) throws {
      try run(program("openssl"), words.split(separator: " ").map(String.init), in: folder)
    }
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    try openssl("req -x509 \(key) -keyout ca.key -out ca.pem -days 2 -subj /CN=test-authority")
    for (name, host) in [("server", "localhost"), ("other", "other.example"), ("client", "me")] {
      try Data("subjectAltName=DNS:\(host)\n".utf8).write(to: folder.appending(path: "\(name).ext"))
      try openssl("req \(key) -keyout \(name).key -out \(name).csr -subj /CN=\(host)")
      try openssl(
        "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 "
          + "-extfile \(name).ext -out \(name).pem")
    }
  }

  private static func configuration(_ folder: String, _ ports: [UInt16]) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)/temporary/\($0);" }.joined(separator: "\n  ")
    return """
      daemon off; master_process off; error_log stderr notice; pid \(folder)/nginx.pid;
      events { worker_connections 256; }
      http {
        access_log off; root \(folder)/root; \(temporary)
        types { text/html html; application/octet-stream bin; }
        gzip on; gzip_min_length 1; gzip_http_version 1.0;
        add_header X-Connection $connection always;
        map $http_range $pace { "" 10k; default 0; }
        server { listen 127.0.0.1:\(ports[0]); include \(folder)/places; }
        server { listen 127.0.0.1:\(ports[1]) ssl http2; include \(folder)/places;
          ssl_certificate \(folder)/server.pem; ssl_certificate_key \(folder)/server.key; }
        server { listen 127.0.0.1:\(ports[2]) ssl; ssl_verify_client on;
          ssl_client_certificate \(folder)/ca.pem;
          ssl_certificate \(folder)/server.pem; ssl_certificate_key \(folder)/server.key; }
        server { listen 127.0.0.1:\(ports[3]) ssl;
          ssl_certificate \(folder)/other.pem; ssl_certificate_key \(folder)/other.key; }
      }
      """
  }

  private static func writePlaces(in folder: URL) throws {
    let places = """
      location /slow/ { limit_rate $pace; }
      location /cached/ { access_log \(folder.path(percentEncoded: false))/cached.log;
        add_header Cache-Control max-age=60; add_header Vary X-Theme; }
      location /private/ { auth_basic r; auth_basic_user_file \(folder.path(percentEncoded: false))/users; }
      location = /moved { return 301 /plain.bin; }
      location = /loop { return 302 /loop; }
      """
    try Data(places.utf8).write(to: folder.appending(path: "places"))
  }

  private static func program(_ name: String) -> URL? {
    ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { URL(fileURLWithPath: $0) }
  }

  private static func run(_ program: URL?, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NginxFailure() }
  }

  private static func freePort() throws -> UInt16 {
    let (socket, port) = try Socket.listen()
    Socket.close(socket)
    return port
  }

}

/// nginx did not start, or its certificates could not be made.
public struct NginxFailure: Error {
  /// No more is known.
  public init() {}
}

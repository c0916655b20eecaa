import Foundation

/// A run of the built program, to its end.
struct DemoProcess {
  /// What it printed.
  let output: String
  /// What it complained of.
  let errors: String
  /// Its exit code.
  let code: Int32

  /// Runs it with `arguments`, the user's folder for caches being `cacheHome`.
  init(_ arguments: [String], cacheHome: String) async throws {
    let process = Process()
    process.executableURL = try Self.program
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_CACHE_HOME"] = cacheHome
    process.environment = environment
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    async let text = Self.text(of: output)
    async let complaints = Self.text(of: errors)
    code = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch {
        process.terminationHandler = nil
        try? output.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
        continuation.resume(throwing: error)
      }
    }
    self.output = await text
    self.errors = await complaints
  }

  private static func text(of pipe: Pipe) async -> String {
    let file = pipe.fileHandleForReading
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let data = (try? file.readToEnd()) ?? Data()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }

  /// The program is built into the folder of the tests.
  private static var program: URL {
    get throws {
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let tests = bundles + [URL(fileURLWithPath: CommandLine.arguments[0])]
      let places = tests.map { $0.deletingLastPathComponent().appendingPathComponent("demo") }
      guard
        let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
      else { throw NotBuilt(places: places.map(\.path)) }
      return place
    }
  }

  struct NotBuilt: Error { let places: [String] }
}

import Foundation

/// The command line program: reads the arguments, runs one command, ends with its exit code.
@main
struct Program {
  static func main() async {
    // A pipe that closes early, as `demo load … | head -1` does, is no reason to die half-way.
    signal(SIGPIPE, SIG_IGN)
    let code = await run(Array(CommandLine.arguments.dropFirst()), console: .standard)
    exit(code.rawValue)
  }

  /// Runs the command that `arguments` name.
  static func run(_ arguments: [String], console: Console) async -> ExitCode {
    do {
      switch try Invocation(arguments) {
      case .help(let topic): console.write(topic.text)
      case .gallery(let options): return await GalleryCommand(options, console).run()
      case .load(let options): return await LoadCommand(options, console).run()
      case .probe(let sources): return await ProbeCommand(sources, console).run()
      case .convert(let options): return await ConvertCommand(options, console).run()
      case .transforms(let options): return await TransformsCommand(options, console).run()
      case .cache(let options): return CacheCommand(options, console).run()
      }
      return .success
    } catch {
      console.writeError("demo: \(error.message)\n\(error.hint)\n")
      return .usage
    }
  }
}

/// What the program says to the shell.
enum ExitCode: Int32 {
  /// All went well.
  case success = 0
  /// At least one load or file did not go well.
  case failure = 1
  /// The arguments make no sense.
  case usage = 2
}

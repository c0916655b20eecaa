// swift run -c release Benchmarks [GROUP...] [--json] [--only ID...]
if CommandLine.arguments.contains(FileServer.argument) { FileServer.run() }
if CommandLine.arguments.contains(TransformMemory.argument) { TransformMemory.run() }
if CommandLine.arguments.dropFirst().first == ChildProcess.argument {
  ChildProcess.run(Array(CommandLine.arguments.dropFirst(2)))
}

let options = BenchmarkOptions(CommandLine.arguments.dropFirst())
let report = BenchmarkReport(options)

let groups: [(name: String, run: (BenchmarkReport) async -> Void)] = [
  ("flow", flowBenchmarks), ("codecs", codecBenchmarks), ("caches", cacheBenchmarks),
  ("transforms", transformBenchmarks),
  ("transfer", transferBenchmarks), ("pipeline", pipelineBenchmarks), ("faults", pipelineFaults),
]

for group in groups where options.wants(group.name) { await group.run(report) }
report.finish()

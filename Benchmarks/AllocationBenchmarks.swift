import AllocationShims
import Pipeline

/// C5: blocks of memory asked for by one decode, beside those of the library alone.
func allocationBenchmarks(_ report: BenchmarkReport) {
  guard report.wants("C5") else { return }
  guard allocation_count() >= 0 else { return print("C5: NOT MEASURED, needs glibc") }
  let bare: [(String, any ImageEncoder, (ImageBytes) -> Int)] = [
    ("jpeg", JPEGEncoder(), { BareCodecs.jpeg($0) }),
    ("progressive", JPEGEncoder(isProgressive: true), { BareCodecs.jpeg($0) }),
    ("png", PNGEncoder(usesPalette: false), BareCodecs.png),
    ("webp", WebPEncoder(), BareCodecs.webp),
    ("lossless", WebPEncoder(compression: .lossless), BareCodecs.webp),
    ("gif", GIFEncoder(), BareCodecs.gif),
  ]
  for (name, encoder, library) in bare {
    for width in [100, 1_000] {
      let bytes = encoded(BenchmarkPictures.photo(width: width, height: width * 3 / 4), encoder)
      // Once for what is made the first time only.
      _ = decoded(bytes)
      _ = library(bytes)
      report.record(
        "C5.\(name).\(width)", "allocations of one decode; floor: the library alone",
        ours: allocations { _ = decoded(bytes) }, floor: allocations { _ = library(bytes) },
        unit: "blocks")
    }
  }
}

/// Blocks of memory that a body asks for.
func allocations(_ body: () -> Void) -> Double {
  let before = allocation_count()
  body()
  return Double(allocation_count() - before)
}

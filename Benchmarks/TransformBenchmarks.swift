import Foundation
import Pipeline

/// X1 to X6, and how far results are from Pillow's.
///
/// Processor time counts where one thread is compared with one thread: idle workers share what is
/// large, so ours has about twice that on the clock in its favour (`X1.wall`). Peers run in
/// processes of their own, in alternation; one that is not on the machine is named in capitals.
func transformBenchmarks(_ report: BenchmarkReport) {
  let peers = [TransformPeer("pillow"), TransformPeer("libvips")]
  if ["X1", "X2"].contains(where: report.wants) {
    let picture = transparentPhoto(width: 4_000, height: 3_000)
    for peer in peers { peer.keep(picture.data, width: 4_000, height: 3_000) }
    for (id, width, height) in [("X1", 1024, 768), ("X2", 300, 225)] where report.wants(id) {
      let resize = Resize.resize(to: PixelSize(width: width, height: height))
      compare(
        id, "12 megapixels RGBA to \(width) wide, Lanczos3, one thread", report, peers, resize,
        picture, "resize \(width) \(height) lanczos3")
    }
    if report.wants("X1.wall") {
      let resize = Resize.resize(to: PixelSize(width: 1024, height: 768))
      let (wall, processor) = alternate(
        { nanoseconds { run(resize, picture) } / 1e6 }, { processorTime(resize, picture) })
      report.record(
        "X1.wall", "X1 shared by idle workers, floor: its processor time", ours: wall,
        floor: processor, unit: "ms")
    }
  }
  if report.wants("X3") {
    let picture = transparentPhoto(width: 2_000, height: 1_000)
    for peer in peers { peer.keep(picture.data, width: 2_000, height: 1_000) }
    compare(
      "X3", "Gaussian of sigma 10 on 2 megapixels, one thread", report, peers,
      Blur.blur(sigma: 10), picture, "blur 10")
  }
  if report.wants("X4") { roundedCornersBenchmark(report) }
  if report.wants("X5") { thumbnailProgramBenchmark(report) }
  if report.wants("X6") { transformMemoryBenchmark(report) }
  if report.wants("Q") || report.wants("S") { qualityBenchmark(report, peers[0]) }
}

/// One line for each peer.
private func compare(
  _ id: String, _ note: String, _ report: BenchmarkReport, _ peers: [TransformPeer],
  _ transform: some ImageTransform, _ picture: Bitmap, _ command: String
) {
  for peer in peers {
    let (ours, theirs) = alternate(
      { processorTime(transform, picture) }, { peer.time(command) })
    report.record(
      "\(id).\(peer.name)", "\(note), floor: \(peer.label)", ours: ours, floor: theirs, unit: "ms")
  }
}

private func roundedCornersBenchmark(_ report: BenchmarkReport) {
  let picture = BenchmarkPictures.photo(width: 1_000, height: 1_000)
  let (ours, copy) = alternate(
    { nanoseconds { run(.roundedCorners(radius: 40), picture) } / 1e6 },
    {
      nanoseconds {
        let target = UnsafeMutableRawPointer.allocate(byteCount: 4_000_000, alignment: 64)
        picture.withUnsafeBytes { source in
          if let base = source.baseAddress { target.copyMemory(from: base, byteCount: 4_000_000) }
        }
        target.deallocate()
      } / 1e6
    }, rounds: 15)
  report.record(
    "X4", "rounded corners on 1 megapixel, floor: a copy into fresh memory", ours: ours,
    floor: copy, unit: "ms")
}

/// A 12 megapixel JPEG to one of 1024 pixels, from process start to process end.
private func thumbnailProgramBenchmark(_ report: BenchmarkReport) {
  let folder = FileManager.default.temporaryDirectory.appending(path: "thumbnail-\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let source = folder.appending(path: "in.jpg")
  let bytes = encoded(
    BenchmarkPictures.photo(width: 4_000, height: 3_000), JPEGEncoder(quality: 85))
  try? bytes.data.write(to: source)
  // Built beside this program by `swift build -c release`.
  let demo = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "demo")
  let ours = [
    demo.path, "convert", source.path, folder.appending(path: "ours.jpg").path, "--resize",
    "1024x1024", "--quality", "80",
  ]
  let theirs = [
    "vipsthumbnail", source.path, "-s", "1024", "-o",
    folder.appending(path: "theirs.jpg").path + "[Q=80]",
  ]
  guard ProgramRun(ours) != nil else {
    return report.record(
      "X5", "DEMO IS NOT BUILT: swift build -c release --product demo", ours: 0, floor: 0,
      unit: "ms")
  }
  let label = ProgramRun(theirs) == nil ? "VIPSTHUMBNAIL IS NOT HERE" : "vipsthumbnail"
  var runs: (ours: [ProgramRun], theirs: [ProgramRun]) = ([], [])
  for _ in 0..<9 {
    runs.ours += [ProgramRun(ours)].compactMap(\.self)
    runs.theirs += [ProgramRun(theirs)].compactMap(\.self)
  }
  func middle(_ runs: [ProgramRun], _ value: (ProgramRun) -> Double) -> Double {
    runs.isEmpty ? 0 : median(runs.map(value))
  }
  for (id, note, unit, value) in [
    ("X5", "on the clock", "ms", { $0.wall }), ("X5.cpu", "processor time", "ms", { $0.processor }),
  ] as [(String, String, String, (ProgramRun) -> Double)] {
    report.record(
      id, "JPEG of 12 megapixels to one of 1024 wide, \(note), floor: \(label)",
      ours: middle(runs.ours, value), floor: middle(runs.theirs, value), unit: unit)
  }
}

func run(_ transform: some ImageTransform, _ picture: Bitmap) {
  _ = try? transform.apply(to: picture, cancellation: CancellationFlag())
}

private func processorTime(_ transform: some ImageTransform, _ picture: Bitmap) -> Double {
  BenchmarkClock.computing.nanoseconds { run(transform, picture) } / 1e6
}

/// Medians of alternating runs, after one that does not count.
private func alternate(
  _ ours: () -> Double, _ floor: () -> Double, rounds: Int = 5
) -> (Double, Double) {
  _ = (ours(), floor())
  var times: (ours: [Double], floor: [Double]) = ([], [])
  for _ in 0..<rounds {
    times.ours.append(ours())
    times.floor.append(floor())
  }
  return (median(times.ours), median(times.floor))
}

func transparentPhoto(width: Int, height: Int) -> Bitmap {
  let photo = BenchmarkPictures.photo(width: width, height: height)
  return Bitmap(size: photo.size, hasAlpha: true) { bytes in
    photo.withUnsafeBytes { bytes.copyMemory(from: $0) }
    for pixel in stride(from: 3, to: bytes.count, by: 4) {
      bytes[pixel] = UInt8(truncatingIfNeeded: pixel >> 9)
    }
  }
}

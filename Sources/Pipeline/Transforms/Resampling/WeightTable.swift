#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// For each output position along one axis: which input positions count, and how much.
///
/// All positions have the same, even, number of weights; those not needed are zero.
struct WeightTable: Sendable {
  let taps: Int
  /// The first input position of each output position, from the start of the region.
  private(set) var starts: [Int32]
  private(set) var weights: [Float]

  var count: Int { starts.count }
  /// Input positions that may be read, those of weight zero beyond the region among them.
  var inputCount: Int { (starts.max().map(Int.init) ?? 0) + taps }

  /// Weights for `output` positions that cover `box` of an input with `input` positions.
  ///
  /// The filter is widened when shrinking, so that every input position counts. Near the ends the
  /// weights that lie inside are scaled up to a sum of one.
  init(input: Int, box: ClosedRange<Double>, output: Int, filter: ResampleFilter) {
    let scale = (box.upperBound - box.lowerBound) / Double(output)
    let stretch = max(1, scale)
    let support = filter.support * stretch
    self.init(input: input, output: output, support: support) { index in
      let center = box.lowerBound + (Double(index) + 0.5) * scale
      return (center, { filter.weight(at: ($0 + 0.5 - center) / stretch) })
    }
  }

  /// Weights of a Gaussian, whose ends continue the first and last position.
  init(input: Int, sigma: Double) {
    let reach = max(1, Int((sigma * 3.5).rounded(.up)))
    let kernel = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = kernel.reduce(0, +)
    let needed = min(2 * reach + 1, input)
    taps = (needed + 1) & ~1
    starts = []
    starts.reserveCapacity(input)
    weights = [Float](repeating: 0, count: input * taps)
    for index in 0..<input {
      let start = min(max(0, index - reach), input - needed)
      starts.append(Int32(start))
      for (step, weight) in kernel.enumerated() {
        let position = min(max(0, index - reach + step), input - 1)
        weights[index * taps + position - start] += Float(weight / total)
      }
    }
  }

  private init(
    input: Int, output: Int, support: Double,
    weight: (Int) -> (center: Double, at: (Double) -> Double)
  ) {
    taps = (min(input, Int(support.rounded(.up)) * 2 + 1) + 1) & ~1
    starts = []
    starts.reserveCapacity(output)
    weights = [Float](repeating: 0, count: output * taps)
    var line: [Double] = []
    for index in 0..<output {
      let (center, at) = weight(index)
      let first = min(max(0, Int(center - support + 0.5)), input - 1)
      let end = min(max(Int(center + support + 0.5), first + 1), input)
      line.removeAll(keepingCapacity: true)
      for position in first..<end { line.append(at(Double(position))) }
      let total = line.reduce(0, +)
      starts.append(Int32(first))
      guard total != 0 else {
        weights[index * taps] = 1
        continue
      }
      for (step, value) in line.prefix(taps).enumerated() {
        weights[index * taps + step] = Float(value / total)
      }
    }
  }
}

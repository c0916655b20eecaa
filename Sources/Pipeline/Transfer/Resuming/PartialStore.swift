/// The partial bodies of one downloader: at most so many bytes, the oldest go first.
struct PartialStore {
  private let capacity: Int
  private(set) var byteCount = 0
  private var bodies: [String: PartialBody] = [:]
  private var order: [String] = []

  var isEmpty: Bool { bodies.isEmpty }

  init(capacity: Int) { self.capacity = capacity }

  /// Keeps a body under a transfer key, unless it alone is too large.
  mutating func insert(_ body: PartialBody, for key: String) {
    remove(key)
    guard body.bytes.count <= capacity else { return }
    bodies[key] = body
    order.append(key)
    byteCount += body.bytes.count
    while byteCount > capacity, let oldest = order.first { remove(oldest) }
  }

  /// Takes a body out.
  @discardableResult
  mutating func remove(_ key: String) -> PartialBody? {
    guard let body = bodies.removeValue(forKey: key) else { return nil }
    order.removeAll { $0 == key }
    byteCount -= body.bytes.count
    return body
  }
}

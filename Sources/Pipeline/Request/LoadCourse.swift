import Flow

/// What the stages tell those behind them about a request on its way.
struct LoadCourse: Sendable {
  /// Takes the place of the URL in cache keys: what the pipeline's key rules made of it.
  var name: String?
  /// What takes the place of the request's priority while it is loaded.
  var priorities: AnyPublisher<LoadPriority, Never>?
  /// Fields that the downloader sends besides the request's own, as far as they are known before: what
  /// a cache by the server's words compares.
  var ownFields: [HeaderField] = []
  /// A stored response whose server is to be asked.
  var revalidation: Revalidation?
  /// Whether the subscriber has been shown what was stored, and waits for a change only.
  var isShown = false
  /// The right to fetch it, respected by other processes while somebody holds it.
  var claim: FetchClaim?

  /// Whether there is nothing to tell.
  var isEmpty: Bool {
    name == nil && priorities == nil && ownFields.isEmpty && revalidation == nil && !isShown
      && claim == nil
  }

  /// A course that many copies of a request share.
  final class Reference: Sendable {
    let course: LoadCourse

    init(_ course: LoadCourse) { self.course = course }
  }
}

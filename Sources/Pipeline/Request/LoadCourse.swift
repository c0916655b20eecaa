/// What the stages tell those behind them about a request on its way.
struct LoadCourse: Sendable {
  /// Takes the place of the URL in cache keys: what the pipeline's key rules made of it.
  var name: String?
  /// A stored response whose server is to be asked.
  var revalidation: Revalidation?
  /// Whether the subscriber has been shown what was stored, and waits for a change only.
  var isShown = false
  /// The right to fetch it, respected by other processes while somebody holds it.
  var claim: FetchClaim?
}

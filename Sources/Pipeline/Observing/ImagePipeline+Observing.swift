import Flow

extension ImagePipeline {
  /// What happens to the loads of this pipeline, and of those made from it by `replacing(_:)`.
  ///
  /// Only what happens while it is subscribed, each event once, on the thread where it happens: work
  /// in reply holds up the load. Without subscribers no event is made. Never fails, never finishes.
  public var activity: AnyPublisher<PipelineEvent, Never> { ledger.events }

  /// What the loads came to so far.
  public var counters: PipelineCounters { ledger.counters }
}

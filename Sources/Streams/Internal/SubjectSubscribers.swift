import Synchronization

/// How subscribers come to a subject and leave it.
extension SubjectCore {
  /// Lists a subscriber and tells it. Returns false, having told it nothing, when closed to new
  /// ones.
  @inlinable @inline(__always)
  @discardableResult
  func attach<S: Subscriber>(_ subscriber: S) -> Bool
  where S.Input == Output, S.Failure == Failure {
    let box = DownstreamBox(subscriber)
    let conduit = Line(
      Line.Receiver(
        value: { box.downstream.receive($0) },
        completion: { box.downstream.receive(completion: $0) }),
      subject: self)
    guard let connection = add(conduit) else { return false }
    subscriber.receive(subscription: conduit)
    conduit.talk()
    if let connection = connection.connection, !connection.slot.isOver { connect?(connection) }
    return true
  }

  @usableFromInline
  struct Admission {
    @usableFromInline let connection: Connection<Output, Failure>?

    @inlinable
    init(connection: Connection<Output, Failure>?) { self.connection = connection }
  }

  /// Lists `conduit`, with what it has missed. Nil when closed to new ones.
  @inlinable
  func add(_ conduit: Line) -> Admission? {
    shared.withLock { shared in
      if shared.isClosed, closesWhenEmpty { return nil }
      if !shared.replay.isEmpty || shared.end != nil {
        conduit.waiting = ConduitWaiting(shared.replay, end: shared.end)
      }
      if shared.end != nil { return Admission(connection: nil) }
      shared.conduits.append(conduit)
      version.add(1, ordering: .releasing)
      guard connect != nil, shared.connection == nil else { return Admission(connection: nil) }
      let connection = Connection(self)
      shared.connection = connection
      return Admission(connection: connection)
    }
  }

  @inlinable
  func remove(_ conduit: Line) {
    let (connection, closed) = shared.withLock { shared in
      guard shared.conduits.remove(conduit) else {
        return (nil as Connection<Output, Failure>?, false)
      }
      version.add(1, ordering: .releasing)
      guard shared.conduits.isEmpty, connect != nil else { return (nil, false) }
      let connection = shared.connection
      shared.connection = nil
      shared.replay = []
      if closesWhenEmpty { shared.isClosed = true }
      return (connection, closesWhenEmpty)
    }
    if closed { onClose?(self) }
    connection?.cancel()
  }

  /// Lets go of a subscriber that was fast, as soon as nobody can be talking to it.
  @inlinable
  func dropReceiver(of conduit: Line) {
    if enter() {
      let dropped = conduit.receiver.take()
      leave()
      _ = dropped
    } else {
      post(.drop(conduit))
    }
  }

  /// Lets another publisher feed this subject: everything it has is asked for.
  @inlinable
  func send(subscription: any Subscription) {
    let isOver = shared.withLock { shared in
      if shared.end != nil { return true }
      shared.upstreams.append(subscription)
      return false
    }
    if isOver { subscription.cancel() } else { subscription.request(.unlimited) }
  }
}

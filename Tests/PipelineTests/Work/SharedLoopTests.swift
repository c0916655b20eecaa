import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Pipeline

struct SharedLoopTests {
  @Test(arguments: [0, 1, 2, 1_000]) func `each number is taken once`(count: Int) {
    let pool = WorkerPool(width: 4)
    let taken = Mutex([Int](repeating: 0, count: count))
    pool.share(count, cancellation: CancellationFlag()) { index in
      taken.withLock { $0[index] += 1 }
    }
    #expect(taken.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test func `an idle worker helps`() {
    let pool = WorkerPool(width: 2)
    // Two calls that wait for each other end only on two threads.
    let met = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    pool.share(2, cancellation: CancellationFlag()) { index in
      if index == 0 {
        met.0.signal()
        met.1.wait()
      } else {
        met.1.signal()
        met.0.wait()
      }
    }
    #expect(pool.waitingCount == 0)
  }

  @Test func `while all workers are busy the caller does it alone`() {
    let pool = WorkerPool(width: 1)
    let (began, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    pool.submit { _ in
      began.signal()
      goesOn.wait()
    }
    began.wait()
    #expect(pool.idleCount == 0)
    let count = Mutex(0)
    pool.share(50, cancellation: CancellationFlag()) { _ in count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 50 && pool.waitingCount == 0)
    goesOn.signal()
  }

  @Test func `a worker that is wanted elsewhere stops helping`() {
    let pool = WorkerPool(width: 1)
    let caller = ObjectIdentifier(Thread.current)
    let urgentJobRan = DispatchSemaphore(value: 0)
    let helperCalls = Mutex(0)
    pool.share(4, cancellation: CancellationFlag()) { _ in
      if ObjectIdentifier(Thread.current) == caller {
        urgentJobRan.wait()
        urgentJobRan.signal()
      } else {
        helperCalls.withLock { $0 += 1 }
        pool.submit(priority: .veryHigh) { _ in urgentJobRan.signal() }
      }
    }
    #expect(helperCalls.withLock { $0 } == 1)
  }

  @Test func `cancelled, no further call begins`() {
    let flag = CancellationFlag()
    let calls = Mutex(0)
    WorkerPool(width: 1).share(100, cancellation: flag) { index in
      calls.withLock { $0 += 1 }
      if index == 4 { flag.cancel() }
    }
    #expect((5...6).contains(calls.withLock { $0 }))
  }

  @Test func `bands shared by several give what one gives alone`() throws {
    let picture = Bitmap(size: PixelSize(width: 800, height: 700)) { bytes in
      var noise = SystemRandomNumberGenerator()
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        bytes.storeBytes(of: noise.next(), toByteOffset: offset, as: UInt64.self)
      }
    }
    let alone = WorkerPool(width: 1)
    let (began, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    alone.submit { _ in
      began.signal()
      goesOn.wait()
    }
    began.wait()
    let transforms: [any ImageTransform] = [
      .resize(fitting: PixelSize(width: 200, height: 200)), .blur(sigma: 1.5), .blur(sigma: 12),
      .crop(x: 5, y: 5, size: PixelSize(width: 790, height: 690)), .roundedCorners(radius: 50),
    ]
    for transform in transforms {
      let single = try Bands.sharing(with: alone) { () throws(TransformError) in
        try transform.apply(to: picture)
      }
      let shared = try Bands.sharing(with: WorkerPool(width: 5)) { () throws(TransformError) in
        try transform.apply(to: picture)
      }
      let isEqual = single.withUnsafeBytes { a in
        shared.withUnsafeBytes { b in
          guard a.count == b.count, let a0 = a.baseAddress, let b0 = b.baseAddress else {
            return false
          }
          return memcmp(a0, b0, a.count) == 0
        }
      }
      #expect(isEqual, "\(transform)")
    }
    goesOn.signal()
  }
}

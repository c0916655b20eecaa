// What the examples in Flow's documentation speak of without showing it.
import Dispatch
import Flow

typealias Chunk = [UInt8]
struct URL: Hashable, Sendable {}
struct Image: Hashable, Sendable { var width = 640 }
struct TransferError: Error {}
struct NoNumber: Error {}

enum LoadError: Error {
  case timedOut
  case missing
  case download(TransferError)
  var isMissing: Bool { if case .missing = self { true } else { false } }
  var mayHeal: Bool { if case .timedOut = self { true } else { false } }
}

func number(_ text: String) throws(NoNumber) -> Int {
  guard let number = Int(text) else { throw NoNumber() }
  return number
}

func load(_ url: URL) -> AnyPublisher<Image, LoadError> {
  Fail(error: .missing).eraseToAnyPublisher()
}

func transfer(_ url: URL) -> AnyPublisher<Chunk, TransferError> {
  Fail(error: TransferError()).eraseToAnyPublisher()
}

func results(for text: String) -> AnyPublisher<[String], Never> {
  Just([text]).eraseToAnyPublisher()
}

final class TitleModel: Sendable {
  var title: String {
    get { "" }
    set { print(newValue) }
  }
}

let (url, fallback, bundledURL, urls) = (URL(), URL(), URL(), [URL()])
let cover = Image()
let taps = PassthroughSubject<String, Never>()
let (keys, gestures, titles, searchText) = (taps.map { $0 }, taps.map { $0 }, taps, taps)
let (moves, pressed, position, stopButton) = (taps, taps, taps, taps)
let shownURL = PassthroughSubject<URL, LoadError>()
let (frames, camera) = (PassthroughSubject<Image, Never>(), PassthroughSubject<Image, Never>())
let (width, height) = (CurrentValueSubject<Int, Never>(2), CurrentValueSubject<Int, Never>(3))
let scale = CurrentValueSubject<Double, Never>(1)
let progress = PassthroughSubject<Double, Never>()
let events = PassthroughSubject<String, Never>()
let readFile = Just("text")
let letters = ["a", "b"].publisher
let numbers = [1, 2, 3].publisher
let colours = ["red", "blue", "green"].publisher
let ticks = AsyncStream<Int> { $0.finish() }
let queue = DispatchQueue(label: "examples")
let model = TitleModel()

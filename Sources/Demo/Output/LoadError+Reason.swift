import Pipeline

extension LoadError {
  /// Why, in a sentence without the source and without full stop.
  var reason: String {
    switch self {
    case .cacheLookup(let error, _): "\(error)"
    case .download(let error, _): "\(error)"
    case .decode(let error, _): "\(error)"
    case .transform(let error, _): "\(error)"
    case .incompleteChain(let fault, _): fault.rawValue
    }
  }
}

// RedisLoad PORT URL   loads URL through a Redis tier on PORT of this machine, and prints where it
// came from
import Foundation
import Pipeline
import PipelineRedis

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[1]), let url = URL(string: arguments[2]) else {
  print("usage: RedisLoad PORT URL")
  exit(2)
}
var configuration = RedisConfiguration()
configuration.port = port
configuration.timeout = .seconds(5)
let cache = ImageCache(memory: nil, disk: nil, further: [RedisTier(configuration)])
let pipeline = ImagePipeline(configuration: .init(cache: cache))
var request = ImageRequest(url)
request.caching.waitsForStore = true
do {
  print(try await pipeline.image(for: request).origin.rawValue)
} catch {
  print(error)
  exit(1)
}

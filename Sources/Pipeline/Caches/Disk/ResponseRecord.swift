#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a response stands in an entry's metadata; read only when somebody asks for it.
struct ResponseRecord {
  static func encode(_ response: ImageResponse?) -> [UInt8] {
    guard let response else { return [] }
    var writer = ByteWriter()
    writer.append(response.url.absoluteString)
    writer.append(UInt32(clamping: response.status))
    writer.append(response.protocolName)
    writer.append(UInt32(response.headers.count))
    for field in response.headers {
      writer.append(field.name)
      writer.append(field.value)
    }
    return writer.bytes
  }

  /// The response, or `nil` when none was stored or the record is not understood.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> ImageResponse? {
    var reader = ByteReader(bytes)
    guard let address = reader.text(), let url = URL(string: address),
      let status = reader.integer(UInt32.self), let protocolName = reader.text(),
      let count = reader.integer(UInt32.self)
    else { return nil }
    var headers: [HeaderField] = []
    for _ in 0..<count {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      headers.append(HeaderField(name: name, value: value))
    }
    return ImageResponse(
      url: url, status: Int(status), headers: headers, protocolName: protocolName)
  }
}

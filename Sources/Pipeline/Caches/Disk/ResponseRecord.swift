#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a response stands in an entry's metadata; read only when somebody asks for it.
struct ResponseRecord {
  static func encode(_ stored: StoredResponse?) -> [UInt8] {
    guard let stored else { return [] }
    let response = stored.response
    var writer = ByteWriter()
    writer.append(response.url.absoluteString)
    writer.append(UInt32(clamping: response.status))
    writer.append(response.protocolName)
    writer.append(Int64(stored.requestTime))
    writer.append(Int64(stored.responseTime))
    append(response.headers, to: &writer)
    append(stored.varying, to: &writer)
    return writer.bytes
  }

  /// The response, or `nil` when none was stored or the record is not understood.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> StoredResponse? {
    var reader = ByteReader(bytes)
    guard let address = reader.text(), let url = URL(string: address),
      let status = reader.integer(UInt32.self), let protocolName = reader.text(),
      let requestTime = reader.integer(Int64.self), let responseTime = reader.integer(Int64.self),
      let headers = fields(&reader), let varying = fields(&reader)
    else { return nil }
    let response = ImageResponse(
      url: url, status: Int(status), headers: headers, protocolName: protocolName)
    return StoredResponse(
      response: response, varying: varying, requestTime: Int(requestTime),
      responseTime: Int(responseTime))
  }

  private static func append(_ fields: [HeaderField], to writer: inout ByteWriter) {
    writer.append(UInt32(fields.count))
    for field in fields {
      writer.append(field.name)
      writer.append(field.value)
    }
  }

  private static func fields(_ reader: inout ByteReader) -> [HeaderField]? {
    guard let count = reader.integer(UInt32.self) else { return nil }
    var fields: [HeaderField] = []
    for _ in 0..<count {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      fields.append(HeaderField(name: name, value: value))
    }
    return fields
  }
}

import Testing

@testable import Pipeline

struct DigestTests {
  @Test func `the digest is SHA-256`() {
    func digest(_ text: String) -> String {
      Array(text.utf8).withUnsafeBytes { hexadecimal(SHA256.digest($0)) }
    }
    #expect(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test(.enabled(if: SHA256.isInHardware))
  func `the processor's SHA-256 is the one in words`() {
    let bytes = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 97 ^ $0 >> 3) }
    for count in 0...bytes.count {
      bytes[..<count].withUnsafeBytes { bytes in
        #expect(
          SHA256.words(of: bytes, inHardware: true) == SHA256.words(of: bytes, inHardware: false))
      }
    }
  }

  @Test(arguments: [200, 512, 1100]) func `any single flipped bit changes the checksum`(count: Int)
  {
    var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let right = bytes.withUnsafeBytes { Checksum.of($0) }
    var unseen = 0
    for bit in 0..<(count * 8) {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      if bytes.withUnsafeBytes({ Checksum.of($0) }) == right { unseen += 1 }
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(unseen == 0)
  }

  @Test func `a checksum is the same on every machine, and tells lengths apart`() {
    let bytes = (0..<1500).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let sums = [0, 1, 511, 512, 1500].map { count in
      bytes[..<count].withUnsafeBytes { Checksum.of($0) }
    }
    let expected: [UInt64] = [
      0xee70_a3c3_f8d1_5b65, 0xe198_e514_6535_d992, 0x421b_ab6a_618e_a1da, 0xb832_cee3_6950_4e50,
      0x8753_7041_c5cb_3cac,
    ]
    #expect(sums == expected)
    let zeros = [UInt8](repeating: 0, count: 1200)
    let ofZeros = (0...1200).map { count in zeros[..<count].withUnsafeBytes { Checksum.of($0) } }
    #expect(Set(ofZeros).count == 1201)
  }
}

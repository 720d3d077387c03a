import Testing

@testable import TLSProbe

@Suite("TLS connection")
struct TLSConnectionTests {
    @Test(
        "RFC 6066 section 3: SNI carries names, never addresses",
        arguments: [
            ("a.example", "a.example"), ("a.example.", "a.example"), ("127.0.0.1", nil),
            ("::1", nil), ("[::1]", nil), ("", nil), (".", nil),
        ] as [(String, String?)])
    func names(_ given: String, _ sent: String?) {
        #expect(TLSConnection.sentName(given) == sent)
    }

    @Test(
        "brackets around an IPv6 address go",
        arguments: [("[::1]", "::1"), ("::1", "::1"), ("a.example", "a.example"), ("[", "[")])
    func brackets(_ given: String, _ bare: String) {
        #expect(TLSConnection.unbracketed(given) == bare)
    }

    @Test("RFC 7301 section 3.1: a protocol's name has 1 to 255 octets")
    func protocolList() {
        let long = String(repeating: "a", count: 255)
        #expect(TLSConnection.protocolList([]) == [])
        #expect(TLSConnection.protocolList(["", long + "a", "h2"]) == [2, 0x68, 0x32])
        #expect(TLSConnection.protocolList([long]).count == 256)
        #expect(
            TLSConnection.protocolList(Array(repeating: long, count: 300)).count == 255 * 256)
    }

    @Test("what is no address is told apart from what does not answer")
    func failures() {
        func code(_ address: String, _ port: UInt16) -> ProbeError.Code? {
            do {
                _ = try TLSConnection.probe(
                    address: address, port: port, serverName: nil, timeoutSeconds: 5)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code("not an address", 1) == .addressUnknown)
        #expect(code("", 1) != nil)
        #expect(code("127.0.0.1", 1) == .connectFailed)
        #expect(code("[::1]", 1) == .connectFailed)
    }
}

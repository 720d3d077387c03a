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

import TestPKI
import Testing

@testable import LibCrypto

@Suite("ECDSA signatures in DER (RFC 3279 section 2.2.3)")
struct ECDSASignatureTests {
    @Test(
        "P-256: the form that is taken, and those that are not",
        arguments: [
            ("two small numbers", "3006020101020102", true),
            ("a leading zero that s does not need", "3008020200800202007f", false),
            ("needed leading zeros", "300802020080020200ff", true),
            ("r is zero", "3006020100020101", false),
            ("s is zero", "3006020101020100", false),
            ("r is negative", "3006020180020101", false),
            ("a padded number", "300702020001020101", false),
            ("an empty number", "30050200020101", false),
            ("a third number", "3009020101020101020101", false),
            ("an octet left over", "300602010102010100", false),
            ("one number", "3003020101", false),
            ("a long length that is not needed", "308106020101020102", false),
            ("an indefinite length", "30800201010201020000", false),
            ("cut short", "30060201010201", false),
            ("a SET", "3106020101020102", false),
            ("nothing", "", false),
            ("an OCTET STRING for r", "3006040101020102", false),
        ])
    func forms(_ name: String, _ hex: String, _ expected: Bool) {
        let isStrict = ECDSASignature.isStrict(octets(hex: hex).span, scalarBytes: 32)
        #expect(isStrict == expected, "\(name)")
    }

    @Test("numbers longer than the group order", arguments: [(32, true), (33, false)])
    func longNumbers(_ count: Int, _ expected: Bool) {
        let number = [2, UInt8(count)] + [UInt8](repeating: 0x11, count: count)
        let signature = [0x30, UInt8(number.count + 3)] + number + [2, 1, 1]
        let isStrict = ECDSASignature.isStrict(signature.span, scalarBytes: 32)
        #expect(isStrict == expected)
    }

    @Test("P-521's signatures need a long length")
    func longLength() {
        let number = [2, 66] + [UInt8](repeating: 0x01, count: 66)
        let signature = [0x30, 0x81, UInt8(number.count * 2)] + number + number
        let isStrict = ECDSASignature.isStrict(signature.span, scalarBytes: 66)
        #expect(isStrict)
    }
}

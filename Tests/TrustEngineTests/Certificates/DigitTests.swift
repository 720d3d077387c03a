import TestPKI
import Testing
import TrustEngine

/// Every reader of digits in the engine, asked for octets that are not digits: those before `0` and
/// behind `9` in ASCII, signs, blanks, digits of other scripts, and octets of no text.
@Suite("readers of digits read digits alone")
struct DigitTests {
    /// One reader, with a text that it takes.
    struct Reader: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let takes: @Sendable ([UInt8]) -> Bool
        /// Octets that mean something else to the reader in place of a digit.
        var others: Set<UInt8> = []

        var testDescription: String { "\(name): \(text)" }

        init(
            _ name: String, _ text: String, or others: String = "",
            takes: @escaping @Sendable ([UInt8]) -> Bool
        ) {
            self.name = name
            self.text = text
            self.others = Set(others.utf8)
            self.takes = takes
        }

        /// A reader of texts, which get octets only if they are UTF-8.
        init<Value>(
            _ name: String, text: String, or others: String = "",
            read: @escaping @Sendable (String) -> Value?
        ) {
            self.init(name, text, or: others) { octets in
                String(validating: octets, as: UTF8.self).flatMap(read) != nil
            }
        }
    }

    static func isTime(_ tag: UInt8, _ content: [UInt8]) -> Bool {
        let bytes = [tag, UInt8(content.count)] + content
        var reader = DERReader(bytes.span)
        return (try? ASN1Time.instant(reader.next(in: bytes.span), in: bytes.span)) != nil
    }

    static let hexadecimal = "abcdefABCDEF"
    static let readers: [Reader] = [
        Reader("UTCTime below 50", "260621010203Z") { isTime(0x17, $0) },
        Reader("UTCTime from 50", "990621010203Z") { isTime(0x17, $0) },
        Reader("GeneralizedTime", "20500621010203Z") { isTime(0x18, $0) },
        Reader("date", text: "2026-06-21") { UTCInstant(text: $0) },
        Reader("instant", text: "2026-06-21T01:02:03Z") { UTCInstant(text: $0) },
        Reader("fraction of a second", text: "2026-06-21T01:02:03.1234567890123Z") {
            UTCInstant(text: $0)
        },
        Reader("IPv4 address", text: "192.0.2.1") { IPAddress(text: $0) },
        Reader("IPv6 address", text: "2001:db8:1:2:3:4:5:6", or: ":" + hexadecimal) {
            IPAddress(text: $0)
        },
        Reader("IPv4 address in IPv6", text: "::ffff:192.0.2.1", or: ":" + hexadecimal) {
            IPAddress(text: $0)
        },
        Reader("JSON number", #"{"a":120}"#, or: ".-eE \t\r\n") { octets in
            var reader = JSONReader(octets)
            return (try? reader.members()) != nil
        },
        Reader("JSON escape", ##"{"a":"\u0041"}"##, or: hexadecimal) { octets in
            var reader = JSONReader(octets)
            return (try? reader.members()) != nil
        },
    ]

    /// What can stand where a digit is wanted: every octet, and digits of other scripts in UTF-8.
    static let replacements: [[UInt8]] =
        (0...255).map { [$0] }
        + ["\u{660}", "\u{6F1}", "\u{966}", "\u{FF11}", "\u{1D7CE}", "\u{B2}", "\u{2460}"]
        .map { Array($0.utf8) }

    @Test("no octet but a digit is taken in place of one", arguments: readers)
    func replaced(_ reader: Reader) {
        let octets = Array(reader.text.utf8)
        #expect(reader.takes(octets))
        for place in octets.indices where (0x30...0x39).contains(octets[place]) {
            for other in DigitTests.replacements {
                guard other.count > 1 || !(0x30...0x39).contains(other[0]),
                    other.count > 1 || !reader.others.contains(other[0])
                else { continue }
                let changed = octets[..<place] + other + octets[(place + 1)...]
                #expect(!reader.takes(Array(changed)), "\(other) at \(place)")
            }
        }
    }

    @Test(
        "no sign, blank or NUL is taken before or behind", arguments: readers.dropFirst(3).prefix(6)
    )
    func surrounded(_ reader: Reader) {
        for other in ["+", "-", " ", "\t", "\n", "\0", "0x", "\u{660}"] {
            #expect(!reader.takes(Array((other + reader.text).utf8)), "\(other) before")
            #expect(!reader.takes(Array((reader.text + other).utf8)), "\(other) behind")
        }
    }

    @Test("of all pairs of octets, a hundred are a year")
    func years() {
        var taken = 0
        for pair in 0..<0x1_0000 {
            let year = [UInt8(pair >> 8), UInt8(pair & 0xFF)]
            guard DigitTests.isTime(0x17, year + Array("0101000000Z".utf8)) else { continue }
            taken += 1
            #expect(year.allSatisfy { (0x30...0x39).contains($0) }, "\(year)")
        }
        #expect(taken == 100)
    }

    /// A time with two octets of its year replaced, everywhere that it stands.
    static func spoilt(_ der: [UInt8], _ tag: UInt8) -> [UInt8] {
        var octets = der
        var place = 0
        while place + 2 < octets.count {
            let content = octets[(place + 2)...].prefix(Int(octets[place + 1]))
            if octets[place] == tag, DigitTests.isTime(tag, Array(content)) {
                octets.replaceSubrange(place + 2..<place + 4, with: Array("XX".utf8))
            }
            place += 1
        }
        return octets
    }

    @Test("a year that is not digits is refused in certificates, CRLs, responses and delegates")
    func everywhere() throws {
        let root = Scenario().root("Root D", key: .p256("digits"))
        let leaf = root.issueLeaf(dns: ["a.example"])
        let list = root.revocationList([leaf])
        #expect(throws: Never.self) { try Certificate(der: leaf.der) }
        #expect(throws: CertificateError.self) {
            try Certificate(der: DigitTests.spoilt(leaf.der, 0x17))
        }
        #expect(throws: Never.self) { try CertificateRevocationList(der: list) }
        #expect(throws: EvidenceError.self) {
            try CertificateRevocationList(der: DigitTests.spoilt(list, 0x17))
        }
        let delegate = root.issueResponder("Responder D", key: .p256("digits delegate"))
        let response = root.ocspResponse(for: leaf, by: delegate)
        #expect(try PreparedResponse.delegates(of: response) == 1)
        // A delegate that cannot be read is passed over: nothing else of a response depends on it.
        #expect(try PreparedResponse.delegates(of: DigitTests.spoilt(response, 0x17)) == 0)
        #expect(throws: EvidenceError.self) {
            try OCSPResponse(der: DigitTests.spoilt(response, 0x18))
        }
    }
}

extension PreparedResponse {
    /// How many certificates of a response can be read.
    fileprivate static func delegates(of der: [UInt8]) throws -> Int {
        try PreparedResponse(OCSPResponse(der: der)).certificates.count
    }
}

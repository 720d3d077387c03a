import TestPKI
import Testing
import TrustEngine

/// The structure of a CRL (RFC 5280 section 5).
@Suite("CRL parser") struct RevocationListParserTests {
    private static let authority = Scenario().root("Root P", key: .p256("crl parser"))

    /// Changes of a CRL's octets, and the field at which reading stops.
    private static let changes: [(name: String, path: [Int], octets: [UInt8], field: String)] = [
        ("5.1.2.1 version 1 written out", [0, 0], [2, 1, 0], "tbsCertList.version"),
        ("5.1 a fourth field", [2], [5, 0], "certificateList"),
        ("5.1.2 a field behind the extensions", [0, 5], [5, 0], "tbsCertList"),
        ("5.2 no extension", [0, 5], [0xA0, 2, 0x30, 0], "tbsCertList.crlExtensions"),
    ]

    @Test("changed octets", arguments: changes.indices)
    func changedOctets(index: Int) throws {
        let (name, path, octets, field) = Self.changes[index]
        let der = try DER.changing(Self.authority.revocationList(), at: path) {
            $0 = octets[0] == 5 ? $0 + octets : octets
        }
        let error = #expect(throws: EvidenceError.self, "\(name)") {
            try CertificateRevocationList(der: der)
        }
        #expect(error?.field == field, "\(name)")
    }

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The field at which reading stops; nil when it does not.
        let field: String?
        let reason: String?
        let der: [UInt8]

        init(
            _ name: String, _ field: String? = nil, _ reason: String? = nil,
            _ change: (inout RevocationListRecipe) -> Void
        ) {
            self.testDescription = name
            self.field = field
            self.reason = reason
            self.der = authority.revocationList([], change)
        }
    }

    private static func entry(_ extensions: TestExtension...) -> RevocationListRecipe.Entry {
        .init([5], at: .at("2026-05-01"), extensions)
    }

    private static let entries = "tbsCertList.revokedCertificates"

    private static let rows: [Row] = [
        Row("5.1.2.1 version 2") { _ in },
        Row("5.1.2.1 version 1 without extensions") {
            $0.version = 1
            $0.extensions = []
        },
        Row(
            "5.1.2.1 version 3", "tbsCertList.version",
            "the version of a CRL is 1, not written, or 2, encoded as 1"
        ) {
            $0.version = 3
        },
        Row(
            "5.1.2.1 extensions in version 1", "tbsCertList.crlExtensions",
            "extensions of a CRL need version 2"
        ) {
            $0.version = 1
        },
        Row(
            "5.1.2.1 entry extensions in version 1", entries,
            "extensions of an entry need version 2"
        ) {
            $0.version = 1
            $0.extensions = []
            $0.entries = [entry(.reasonCode(.superseded))]
        },
        Row("5.1.2.5 no nextUpdate") { $0.nextUpdate = nil },
        Row("5.1.2.6 entries") { $0.entries = [entry(), entry(.reasonCode(.superseded))] },
        Row("5.3 every extension of an entry") {
            $0.entries = [
                entry(
                    .reasonCode(.certificateHold), .invalidityDate(.at("2026-01-01")),
                    .holdInstruction("1.2.840.10040.2.3"))
            ]
        },
        Row("5.3 an extension twice", entries, "the extension occurs twice") {
            $0.entries = [entry(.reasonCode(.superseded), .reasonCode(.keyCompromise))]
        },
        Row("5.3.1 a reason that nobody defined", entries, "the reason is not one that is defined")
        {
            $0.entries = [entry(.reasonCode(number: 7))]
        },
        Row(
            "5.3.1 removeFromCRL in a complete CRL", entries,
            "removeFromCRL stands in delta CRLs only"
        ) {
            $0.entries = [entry(.reasonCode(.removeFromCRL))]
        },
        Row("5.3.1 removeFromCRL in a delta CRL") {
            $0.entries = [entry(.reasonCode(.removeFromCRL))]
            $0.extensions.append(.deltaIndicator(base: 1))
        },
        Row(
            "5.3.3 an issuer in a direct CRL", entries,
            "an entry names its issuer and the CRL is not indirect"
        ) {
            $0.entries = [entry(.certificateIssuer("Somebody"))]
        },
        Row("5.2.3 a number of 20 octets") {
            $0.set(
                .raw(
                    "2.5.29.20", TestPKI.DER.integer(unsigned: [UInt8](repeating: 0xff, count: 20)))
            )
        },
        Row("5.2.3 a number of 21 octets", "cRLNumber", "a CRL number has at most 20 octets") {
            $0.set(
                .raw(
                    "2.5.29.20", TestPKI.DER.integer(unsigned: [UInt8](repeating: 0xff, count: 21)))
            )
        },
        Row("5.2.3 a negative number", "cRLNumber", "the number must not be negative") {
            $0.set(.raw("2.5.29.20", TestPKI.DER.element(0x02, [0x80])))
        },
        Row(
            "5.2 65 extensions", "tbsCertList.crlExtensions", "more than 64 extensions"
        ) {
            $0.extensions = (1...65).map { .raw("1.3.6.1.4.1.32473.\($0)", [5, 0]) }
        },
        Row(
            "5.2.3 something behind the number", "cRLNumber", "octets follow where nothing may"
        ) {
            $0.set(.raw("2.5.29.20", TestPKI.DER.integer(1) + [5, 0]))
        },
        Row("5.2 an extension twice", "tbsCertList.crlExtensions", "the extension occurs twice") {
            $0.extensions.append(.crlNumber(9))
        },
        Row(
            "5.2.5 a scope that says nothing", "issuingDistributionPoint",
            "the list must hold at least one element"
        ) {
            $0.set(.issuingDistributionPoint(TestIssuingPoint { _ in }))
        },
        Row(
            "5.2.5 two kinds of certificates", "issuingDistributionPoint",
            "the CRL says of two kinds of certificates that it lists only them"
        ) {
            $0.set(
                .issuingDistributionPoint(
                    TestIssuingPoint {
                        $0.isForUsers = true
                        $0.isForAuthorities = true
                    }))
        },
        Row(
            "5.2.5 two names for the place", "issuingDistributionPoint",
            "octets follow where nothing may"
        ) {
            let name = TestPKI.DER.context(0, TestGeneralName.uri("http://a").der)
            $0.set(
                .raw(
                    "2.5.29.28", critical: true,
                    TestPKI.DER.sequence(TestPKI.DER.context(0, name + name))))
        },
        Row("5.2.6 where deltas are") {
            $0.set(.freshestCRL([TestPoint(.full([.uri("http://crl.example/delta")]))]))
        },
        Row(
            "5.2.1 an issuer without a serial number", "authorityKeyIdentifier",
            "an element is missing"
        ) {
            $0.set(
                .raw(
                    OID.authorityKeyIdentifier,
                    TestPKI.DER.sequence(TestPKI.DER.context(1, TestGeneralName.directory("X").der))
                ))
        },
    ]

    @Test("each rule of the structure", arguments: rows)
    private func structure(row: Row) {
        do throws(EvidenceError) {
            _ = try CertificateRevocationList(der: row.der)
            #expect(row.field == nil)
        } catch {
            #expect(error.field == row.field)
            #expect(error.reason == row.reason)
            #expect(error.offset <= row.der.count)
        }
    }

    @Test("what is read is what was written")
    func contents() throws {
        let der = RevocationListParserTests.authority.revocationList {
            $0.entries = [
                RevocationListParserTests.entry(
                    .reasonCode(.keyCompromise), .invalidityDate(.at("2026-01-01")))
            ]
            $0.set(.deltaIndicator(base: 300))
            $0.set(
                .issuingDistributionPoint(
                    TestIssuingPoint {
                        $0.reasons = .compromise
                        $0.isIndirect = true
                    }))
        }
        let list = try CertificateRevocationList(der: der)
        let layout = list.layout
        #expect(layout.version == 2)
        #expect(list.issuerText == "CN=Root P")
        #expect(list.algorithmsAgree)
        #expect(layout.entryCount == 1)
        #expect(layout.number.map { Array(der[$0.indices]) } == [1])
        #expect(layout.deltaBase.map { Array(der[$0.indices]) } == [1, 0x2c])
        #expect(layout.isDelta && layout.isIndirect)
        #expect(layout.distributionPoint?.reasons == ReasonSet(rawValue: 0b110))
        #expect(
            Array(der[layout.authorityKeyIdentifier.indices])
                == RevocationListParserTests.authority.key.keyIdentifier)
        var reader = DERReader(layout.entries)
        let element = try reader.next(in: der.span)
        let entry = try RevocationEntry.read(element, in: der.span)
        #expect(Array(der[entry.serial.indices]) == [5])
        #expect(entry.date == .at("2026-05-01"))
        #expect(entry.reason == .keyCompromise)
        #expect(entry.invalidityDate == .at("2026-01-01"))
    }

    @Test("what is cut short, and what follows, is refused")
    func truncated() {
        let der = RevocationListParserTests.authority.revocationList {
            $0.entries = [RevocationListParserTests.entry(.reasonCode(.superseded))]
        }
        for count in 0..<der.count {
            #expect(throws: EvidenceError.self) {
                try CertificateRevocationList(der: Array(der.prefix(count)))
            }
        }
        #expect(throws: EvidenceError.self) { try CertificateRevocationList(der: der + [0]) }
    }
}

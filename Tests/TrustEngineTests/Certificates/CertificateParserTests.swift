import Testing
import TrustEngine

@Suite("certificates (RFC 5280 section 4.1)")
struct CertificateParserTests {
    @Test("a certificate that openssl made reads as openssl shows it")
    func real() throws {
        let blocks = try PEM.decode(Array(CertificateParserTests.pem.utf8).span)
        let certificate = try Certificate(der: #require(blocks.first).der)
        let layout = certificate.layout
        #expect(certificate.subjectText == "CN=api.example,O=Example \\+ Sons,C=NZ")
        #expect(certificate.issuerText == certificate.subjectText)
        #expect(certificate.isSelfIssued)
        #expect(certificate.isIssued(byNameOf: certificate))
        #expect(certificate.algorithmsAgree)
        #expect(layout.version == 3)
        #expect(certificate.serialBytes == [0x12, 0x34, 0x56])
        #expect(layout.signatureAlgorithm == .ecdsa(.sha256))
        #expect(layout.publicKey.type == .p256)
        #expect(layout.publicKey.bits == 256)
        #expect(certificate.spkiBytes.count == 91)
        #expect(layout.notBefore.description == "2026-01-01T00:00:00Z")
        #expect(layout.notAfter.description == "2051-01-01T00:00:00Z")
        #expect(layout.extensions.isCA)
        #expect(layout.extensions.pathLength == 1)
        // digitalSignature and keyCertSign.
        #expect(layout.extensions.keyUsage == 1 << 0 | 1 << 5)
        #expect(layout.extensions.critical == [.basicConstraints, .keyUsage])
        #expect(certificate.purposeNames == ["serverAuth", "1.2.3.4"])
        #expect(certificate.allows(purpose: ObjectIdentifier.serverAuth))
        #expect(!certificate.allows(purpose: ObjectIdentifier.clientAuth))
        #expect(!certificate.allowsAnyPurpose)
        #expect(certificate.unknownCriticalExtension == nil)
        #expect(ServiceIdentity.presentedNames(of: certificate) == ["api.example", "192.0.2.1"])
    }

    /// openssl req -x509, key P-256, with the extensions that the test names.
    private static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIB6DCCAY6gAwIBAgIDEjRWMAoGCCqGSM49BAMCMDwxCzAJBgNVBAYTAk5aMRcw
        FQYDVQQKDA5FeGFtcGxlICsgU29uczEUMBIGA1UEAwwLYXBpLmV4YW1wbGUwIBcN
        MjYwMTAxMDAwMDAwWhgPMjA1MTAxMDEwMDAwMDBaMDwxCzAJBgNVBAYTAk5aMRcw
        FQYDVQQKDA5FeGFtcGxlICsgU29uczEUMBIGA1UEAwwLYXBpLmV4YW1wbGUwWTAT
        BgcqhkjOPQIBBggqhkjOPQMBBwNCAATRL+sTpphu8RxKOO8sLGrWvAX5FiGYvMqp
        uAlcof+FxdtxN+L695RMHm6/kjcjYLmzX5FmLgagUel8Hh1ctAP+o30wezASBgNV
        HRMBAf8ECDAGAQH/AgEBMA4GA1UdDwEB/wQEAwIChDAYBgNVHSUEETAPBggrBgEF
        BQcDAQYDKgMEMBwGA1UdEQQVMBOCC2FwaS5leGFtcGxlhwTAAAIBMB0GA1UdDgQW
        BBSOVVKSat4AvWqlVWei+AIaxoXK5TAKBggqhkjOPQQDAgNIADBFAiBHnbKEVA8z
        arZl/ITfmyv3yRPjvqVrUj0UyACUTGQ+pAIhAKE6g77QEv3tYA84WUZzIIfH8mRE
        MrGSEHf/RUQBzFUT
        -----END CERTIFICATE-----
        """

    /// What parsing answers: the field it failed at, or nil.
    private func field(_ der: [UInt8]) -> String? {
        do throws(CertificateError) {
            _ = try Certificate(der: der)
            return nil
        } catch {
            #expect(error.offset >= 0 && error.offset <= der.count)
            #expect(!error.reason.isEmpty)
            return error.field
        }
    }

    private typealias Change = @Sendable (inout CertificateSketch) -> Void

    private static let changes: [(name: String, field: String?, change: Change)] = [
        ("4.1 nothing changed", nil, { _ in }),
        ("4.1.2.1 version 1, nothing said", nil, { $0.version = [] }),
        (
            "4.1.2.1 version 1 written out", "tbsCertificate.version",
            { $0.version = DER.element(0xA0, DER.integer(0)) }
        ),
        (
            "4.1.2.1 version 4", "tbsCertificate.version",
            { $0.version = DER.element(0xA0, DER.integer(3)) }
        ),
        (
            "4.1.2.1 extensions in version 2", "tbsCertificate.extensions",
            {
                $0.version = DER.element(0xA0, DER.integer(1))
                $0.extensions = [Names.subjectAltName([Names.dns("a.example")])]
            }
        ),
        (
            "4.1.2.8 unique identifiers in version 2", nil,
            {
                $0.version = DER.element(0xA0, DER.integer(1))
                $0.uniqueIDs = DER.element(0x81, [0, 1]) + DER.element(0x82, [0, 2])
            }
        ),
        (
            "4.1.2.8 unique identifiers in version 1", "tbsCertificate.issuerUniqueID",
            {
                $0.version = []
                $0.uniqueIDs = DER.element(0x81, [0, 1])
            }
        ),
        ("4.1.2.2 negative serial", nil, { $0.serial = DER.integer(0xFF) }),
        (
            "4.1.2.2 padded serial", "tbsCertificate.serialNumber",
            { $0.serial = DER.element(0x02, [0x00, 0x01]) }
        ),
        (
            "4.1.2.3 algorithm without identifier", "tbsCertificate.signature",
            { $0.innerAlgorithm = DER.sequence() }
        ),
        (
            "4.1.1.2 algorithm with two parameters", "signatureAlgorithm",
            { $0.outerAlgorithm = DER.sequence(DER.oid(0x2A), [5, 0], [5, 0]) }
        ),
        (
            "4.1.1.3 signature with unused bits", "signatureValue",
            { $0.signature = DER.element(0x03, [0x01, 0x02]) }
        ),
        (
            "4.1.2.4 issuer with an empty relative name", "tbsCertificate.issuer",
            { $0.issuer = DER.sequence(DER.set()) }
        ),
        (
            "4.1.2.5 notBefore without seconds", "tbsCertificate.validity.notBefore",
            {
                $0.validity = DER.sequence(
                    DER.text(0x17, "2601010000Z"), DER.text(0x17, "271231235959Z"))
            }
        ),
        (
            "4.1.2.5 notAfter of another type", "tbsCertificate.validity.notAfter",
            {
                $0.validity = DER.sequence(
                    DER.text(0x17, "260101000000Z"), DER.text(0x16, "271231235959Z"))
            }
        ),
        ("4.1.2.6 empty subject", nil, { $0.subject = DER.sequence() }),
        (
            "4.1.2.6 attribute without value", "tbsCertificate.subject",
            { $0.subject = DER.sequence(DER.set(DER.sequence(DER.oid(0x55, 4, 3)))) }
        ),
        (
            "4.1.2.6 thirty-three attributes in one relative name", "tbsCertificate.subject",
            {
                let attribute = DER.sequence(DER.oid(0x55, 4, 3), DER.text(0x0C, "a"))
                $0.subject = DER.sequence(
                    DER.element(0x31, (0..<33).flatMap { _ in attribute }))
            }
        ),
        (
            "4.1.2.7 Ed25519 key of 31 octets", "tbsCertificate.subjectPublicKeyInfo",
            {
                $0.key = DER.sequence(
                    DER.sequence(DER.oid(0x2B, 0x65, 0x70)),
                    DER.element(0x03, [UInt8](repeating: 0, count: 32)))
            }
        ),
        (
            "4.2 the same known extension twice", "subjectAltName",
            {
                $0.extensions = [[UInt8]](
                    repeating: Names.subjectAltName([Names.dns("a.example")]), count: 2)
            }
        ),
        (
            "4.2 the same unknown extension twice", "tbsCertificate.extensions",
            {
                $0.extensions = [[UInt8]](
                    repeating: CertificateSketch.fieldExtension(0x63, [5, 0]), count: 2)
            }
        ),
        (
            "4.2 sixty-five extensions", "tbsCertificate.extensions",
            {
                $0.extensions = (1...65).map {
                    DER.sequence(DER.oid(0x2A, UInt8($0)), DER.element(0x04, [5, 0]))
                }
            }
        ),
        (
            "4.1 a fourth field behind the signature", "certificate",
            { $0.signature += [5, 0] }
        ),
        (
            "4.1.2.9 a field that is none of a certificate's", "tbsCertificate",
            { $0.uniqueIDs = [5, 0] }
        ),
        (
            "4.1 above 64 KiB", "certificate",
            { $0.signature = DER.element(0x03, [UInt8](repeating: 0, count: 65_536)) }
        ),
    ]

    @Test("fields", arguments: changes.indices)
    func fields(index: Int) {
        let (name, expected, change) = CertificateParserTests.changes[index]
        var sketch = CertificateSketch()
        change(&sketch)
        #expect(field(sketch.der) == expected, "\(name)")
    }

    /// Extensions by the last arc of their identifier, with a value, and whether it parses.
    private static let values: [(name: String, number: UInt8, value: [UInt8], isValid: Bool)] = [
        ("4.2.1.9 CA", 0x13, DER.sequence(DER.isTrue), true),
        ("4.2.1.9 CA with path length", 0x13, DER.sequence(DER.isTrue, DER.integer(3)), true),
        ("4.2.1.9 no CA", 0x13, DER.sequence(), true),
        ("4.2.1.9 no CA, written out", 0x13, DER.sequence([1, 1, 0]), true),
        ("4.2.1.9 CA as 01", 0x13, DER.sequence([1, 1, 1]), false),
        ("4.2.1.9 negative path length", 0x13, DER.sequence(DER.isTrue, DER.integer(0x80)), false),
        (
            "4.2.1.9 something else behind", 0x13,
            DER.sequence(DER.isTrue, DER.integer(3), [5, 0]), false
        ),
        ("4.2.1.9 octets behind", 0x13, DER.sequence(DER.isTrue) + [0], false),
        ("4.2.1.3 one bit", 0x0F, [3, 2, 7, 0x80], true),
        ("4.2.1.3 no bit", 0x0F, [3, 2, 7, 0x00], false),
        ("4.2.1.3 unused bits set", 0x0F, [3, 2, 7, 0x81], false),
        ("4.2.1.12 empty", 0x25, DER.sequence(), true),
        ("4.2.1.12 cut identifier", 0x25, DER.sequence(DER.oid(0x2A, 0x83)), false),
        ("4.2.1.6 empty", 0x11, DER.sequence(), true),
        ("4.2.1.7 empty", 0x12, DER.sequence(), false),
        ("4.2.1.6 a form that is none", 0x11, DER.sequence(DER.element(0x89, [])), false),
        ("4.2.1.6 directory name cut", 0x11, DER.sequence(DER.element(0xA4, [])), false),
        ("4.2.1.4 empty", 0x20, DER.sequence(), true),
        ("4.2.1.5 empty", 0x21, DER.sequence(), false),
        ("4.2.1.10 empty", 0x1E, DER.sequence(), false),
        ("4.2.1.10 empty subtrees", 0x1E, DER.sequence(DER.element(0xA0, [])), false),
        (
            "4.2.1.10 excluded before permitted", 0x1E,
            DER.sequence(
                DER.element(0xA1, DER.sequence(Names.dns("a"))),
                DER.element(0xA0, DER.sequence(Names.dns("a")))), false
        ),
        ("4.2.1.4 one policy", 0x20, DER.sequence(DER.sequence(DER.oid(0x2A))), true),
        (
            "4.2.1.4 the same policy twice", 0x20,
            DER.sequence(DER.sequence(DER.oid(0x2A)), DER.sequence(DER.oid(0x2A))), false
        ),
        (
            "4.2.1.4 257 policies", 0x20,
            DER.element(
                0x30,
                (0..<257).flatMap { DER.sequence(DER.oid(0x2A, UInt8($0 & 0x7F), UInt8($0 >> 7))) }),
            false
        ),
        ("4.2.1.5 half a pair", 0x21, DER.sequence(DER.sequence(DER.oid(0x2A))), false),
        (
            "4.2.1.5 three policies in one mapping", 0x21,
            DER.sequence(DER.sequence(DER.oid(0x2A), DER.oid(0x2B), DER.oid(0x2A))), false
        ),
        ("4.2.1.11 empty", 0x24, DER.sequence(), false),
        ("4.2.1.11 both", 0x24, DER.sequence(DER.element(0x80, [0]), DER.element(0x81, [1])), true),
        ("4.2.1.14 negative", 0x36, DER.integer(0xFF), false),
        ("4.2.1.1 key identifier", 0x23, DER.sequence(DER.element(0x80, [1, 2])), true),
        ("4.2.1.1 empty", 0x23, DER.sequence(), true),
        ("4.2.1.1 serial without issuer", 0x23, DER.sequence(DER.element(0x82, [1])), false),
        ("4.2.1.2 octets", 0x0E, DER.element(0x04, [1]), true),
        ("4.2.1.2 integer", 0x0E, DER.integer(1), false),
        ("4.2.1.13 point with nothing", 0x1F, DER.sequence(DER.sequence()), false),
        (
            "4.2.1.13 point with a URI", 0x1F,
            DER.sequence(
                DER.sequence(DER.element(0xA0, DER.element(0xA0, Names.uri("http://a.example/c"))))),
            true
        ),
    ]

    @Test("extensions", arguments: values.indices)
    func extensions(index: Int) {
        let row = CertificateParserTests.values[index]
        var sketch = CertificateSketch()
        sketch.extensions = [CertificateSketch.fieldExtension(row.number, row.value)]
        #expect((field(sketch.der) == nil) == row.isValid, "\(row.name)")
    }

    @Test(
        "critical extensions that nobody processes",
        arguments: [
            ("4.2 unknown", DER.oid(0x55, 0x1D, 0x63), [5, 0] as [UInt8], "2.5.29.99"),
            (
                "RFC 6962 section 3.1 poison",
                DER.oid(0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, 3), [5, 0], "1.3.6.1.4.1.11129.2.4.3"
            ),
            (
                "4.2.1.4 unknown qualifier", DER.oid(0x55, 0x1D, 0x20),
                DER.sequence(
                    DER.sequence(DER.oid(0x2A), DER.sequence(DER.sequence(DER.oid(0x2B), [5, 0])))),
                "2.5.29.32"
            ),
        ])
    func critical(row: (name: String, identifier: [UInt8], value: [UInt8], text: String)) throws {
        for isCritical in [true, false] {
            var sketch = CertificateSketch()
            sketch.extensions = [
                DER.sequence(
                    row.identifier, isCritical ? DER.isTrue : [], DER.element(0x04, row.value))
            ]
            #expect(
                try sketch.certificate().unknownCriticalExtension == (isCritical ? row.text : nil),
                "\(row.name)")
        }
    }

    @Test("no part of a certificate is a certificate, and no flipped bit is a trap")
    func damage() {
        var sketch = CertificateSketch()
        sketch.extensions = [
            Names.subjectAltName([Names.dns("a.example"), Names.directory(DER.commonName("x"))]),
            Names.constraints(permitted: [Names.ip("192.0.2.1")]),
            CertificateSketch.fieldExtension(0x0F, [3, 2, 7, 0x80]),
        ]
        let der = sketch.der
        for count in 0..<der.count {
            #expect(field(Array(der[..<count])) != nil)
        }
        #expect(field(der + [0]) == "certificate")
        var readable = 0
        for index in der.indices {
            for bit in 0..<8 {
                var damaged = der
                damaged[index] ^= 1 << UInt8(bit)
                guard let certificate = try? Certificate(der: damaged) else { continue }
                readable += 1
                var budget = WorkBudget(limit: 1_000)
                _ = certificate.subjectText
                _ = ServiceIdentity.presentedNames(of: certificate)
                _ = NameConstraints.check(
                    certificate, isEndEntity: true, under: certificate, budget: &budget)
            }
        }
        #expect(readable > 0)
    }
}

import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Mozilla's `certdata.txt`: its grammar, the records that find each other, dates and distrust.
@Suite("import of certdata.txt") struct CertdataImportTests {
    private static let pki = Scenario()
    private static let oak = pki.root("Oak Root", key: .p256("certdata-oak"))
    private static let elm = pki.root("Elm Root", key: .p256("certdata-elm"))
    private static let issuing = oak.issueCA("Oak Issuing", key: .p256("certdata-issuing"))
    private static let leaf = issuing.issueLeaf(dns: ["api.acme.example"])

    private typealias File = CertdataFixtures

    private static func imported(_ parts: String...) throws -> ForeignImport {
        try File.imported(parts.joined())
    }

    private static func codes(_ parts: String...) throws -> [String] {
        ForeignImports.codes(try File.imported(parts.joined()))
    }

    @Test("a root for servers is an anchor for every host, judged as a public CA")
    func anchors() throws {
        let imported = try Self.imported(
            File.certificate(Self.oak.certificate, "Oak Root"),
            File.trust(Self.oak.certificate, "Oak Root"))
        #expect(ForeignImports.codes(imported) == [])
        #expect(imported.files.map(\.name) == ["anchors/oak-root.pem"])
        #expect(imported.policy.anchorSets.map(\.id) == ["mozilla"])
        #expect(imported.policy.anchorSets.map(\.standard) == ["web-pki"])
        #expect(imported.policy.anchorSets.map(\.issuedUntil) == [nil])
        _ = try ForeignImports.table(imported)
    }

    @Test("a date is the last second at which a leaf may begin, with the century of RFC 5280")
    func dates() throws {
        let oak = Self.oak.certificate
        for (date, until) in [
            ("260415235959Z", "2026-04-15T23:59:59Z"), ("490101000000Z", "2049-01-01T00:00:00Z"),
            ("990101000000Z", "1999-01-01T00:00:00Z"),
        ] {
            let imported = try Self.imported(
                File.certificate(oak, "Oak", date: File.after(date)), File.trust(oak, "Oak"))
            #expect(ForeignImports.codes(imported) == [])
            #expect(imported.policy.anchorSets.map(\.issuedUntil) == [UTCInstant.at(until)])
            #expect(
                imported.policy.text.contains(
                    """
                        standard: web-pki
                        constraints:
                          not-before: { until: \(until) }

                    """), "\(imported.policy.text)")
            _ = try ForeignImports.table(imported)
        }
    }

    @Test("roots with one date share a set, and others have their own")
    func sets() throws {
        let (oak, elm) = (Self.oak.certificate, Self.elm.certificate)
        let imported = try Self.imported(
            File.certificate(oak, "Oak", date: File.after("260415235959Z")),
            File.certificate(elm, "Elm"), File.trust(elm, "Elm"), File.trust(oak, "Oak"))
        #expect(
            imported.policy.defaultBody?.anchors == ["mozilla", "mozilla-until-2026-04-15"])
    }

    @Test(
        "a date that NSS does not read leaves the certificate out",
        arguments: [
            File.after("20260415235959Z"), File.after("260432235959Z"), File.after("26041523595Z"),
            "CKA_NSS_SERVER_DISTRUST_AFTER CK_BBOOL CK_TRUE\n",
            "CKA_NSS_SERVER_DISTRUST_AFTER UTF8 \"260415235959Z\"\n",
        ])
    func unreadableDates(_ date: String) throws {
        let oak = Self.oak.certificate
        let imported = try Self.imported(
            File.certificate(oak, "Oak", date: date), File.trust(oak, "Oak"))
        #expect(ForeignImports.codes(imported) == ["HX615"])
        #expect(imported.policy.defaultBody == nil)
    }

    @Test("a date in the trust record is told and applied, and the earlier of two holds")
    func misplaced() throws {
        let oak = Self.oak.certificate
        let trust = try File.trust(oak, "Oak", date: File.after("260415235959Z"))
        for (date, until) in [
            ("", "2026-04-15T23:59:59Z"), (File.after("250415235959Z"), "2025-04-15T23:59:59Z"),
            (File.after("270415235959Z"), "2026-04-15T23:59:59Z"),
        ] {
            let imported = try Self.imported(File.certificate(oak, "Oak", date: date), trust)
            #expect(ForeignImports.codes(imported) == ["HX614"])
            #expect(imported.policy.anchorSets.map(\.issuedUntil) == [UTCInstant.at(until)])
        }
    }

    @Test("a distrusted certificate is a forbidden key, and without the certificate it is told")
    func distrust() throws {
        let (oak, issuing) = (Self.oak.certificate, Self.issuing.certificate)
        let anchor = try File.certificate(oak, "Oak") + File.trust(oak, "Oak")
        let trust = try File.trust(issuing, "Bogus", "CKT_NSS_NOT_TRUSTED")
        let imported = try Self.imported(anchor, File.certificate(issuing, "Bogus"), trust)
        #expect(ForeignImports.codes(imported) == [])
        #expect(imported.policy.defaultBody?.forbidden.map(\.id) == ["distrusted-bogus"])
        _ = try ForeignImports.table(imported)
        #expect(try Self.codes(anchor, trust) == ["HX613"])
    }

    @Test("words of trust: for servers, for others, and unknown ones")
    func words() throws {
        let oak = Self.oak.certificate
        for (word, codes, anchors) in [
            ("CKT_NSS_TRUSTED_DELEGATOR", [], 1), ("CKT_TRUST_ANCHOR", [], 1),
            ("CKT_NSS_MUST_VERIFY_TRUST", ["HX616"], 0), ("CKT_NSS_TRUST_UNKNOWN", ["HX616"], 0),
            ("CKT_NSS_VALID_DELEGATOR", ["HX616"], 0), ("CKT_NSS_SOMETIMES", ["HX615"], 0),
        ] {
            let imported = try Self.imported(
                File.certificate(oak, "Oak"), File.trust(oak, "Oak", word))
            #expect(ForeignImports.codes(imported) == codes, "\(word)")
            #expect(imported.files.count == anchors, "\(word)")
        }
        let leaf = Self.leaf
        let server = try Self.imported(
            File.certificate(leaf, "Leaf"), File.trust(leaf, "Leaf", "CKT_NSS_TRUSTED"))
        #expect(server.policy.anchorSets.map(\.kind.name) == ["leaf"])
        let authority = try Self.imported(
            File.certificate(leaf, "Leaf"), File.trust(leaf, "Leaf"))
        #expect(ForeignImports.codes(authority) == ["HX606"])
    }

    @Test("records that do not find each other trust nothing")
    func unpaired() throws {
        let (oak, elm) = (Self.oak.certificate, Self.elm.certificate)
        let certificate = try File.certificate(oak, "Oak")
        let zeros = [UInt8](repeating: 0, count: 20)
        for parts in try [
            [certificate], [File.trust(oak, "Oak")],
            [certificate, File.trust(oak, "Oak", digest: zeros)],
            [certificate, File.trust(oak, "Oak", digest: [])],
        ] {
            let imported = try File.imported(parts.joined())
            #expect(ForeignImports.codes(imported) == ["HX612"])
            #expect(imported.policy.defaultBody == nil)
        }
        // The order of records has no meaning.
        let turned = try Self.imported(File.trust(oak, "Oak"), certificate)
        #expect(ForeignImports.codes(turned) == [])
        let twice = try Self.imported(
            certificate, File.trust(oak, "Oak"), File.trust(oak, "Again"))
        #expect(ForeignImports.codes(twice) == ["HX612"] && twice.files.count == 1)
        // Octets of another certificate under the names of this one.
        let swapped = certificate.replacing(
            File.octets("CKA_VALUE", oak.der), with: File.octets("CKA_VALUE", elm.der))
        let digest = StoreFixtures.crypto.identifierSHA1(of: elm.der.span)?.octets
        #expect(
            try Self.codes(swapped, File.trust(oak, "Oak", digest: digest)) == ["HX612"])
    }

    @Test("an attribute that may limit a certificate leaves it out")
    func unknownAttributes() throws {
        let oak = Self.oak.certificate
        let imported = try Self.imported(
            File.certificate(oak, "Oak", date: "CKA_NSS_ONLY_BELOW UTF8 \"example\"\n"),
            File.trust(oak, "Oak"))
        #expect(ForeignImports.codes(imported) == ["HX615"])
        #expect(imported.policy.defaultBody == nil)
        #expect(
            try Self.codes(
                File.certificate(oak, "Oak"), File.trust(oak, "Oak"),
                "CKA_CLASS CK_OBJECT_CLASS CKO_NSS_OTHER\n") == ["HX615"])
    }

    @Test("labels: escapes of octets, and hidden characters")
    func labels() throws {
        let oak = Self.oak.certificate
        let label = #"F\xC5\x91tan\xC3\xBAs\xC3\xADtv\xC3\xA1ny \"x\" # no comment"#
        let imported = try Self.imported(
            File.certificate(oak, label), File.trust(oak, label, "CKT_NSS_SOMETIMES"),
            File.certificate(Self.elm.certificate, label))
        #expect(
            imported.findings.last?.message.contains("`Főtanúsítvány \"x\" # no comment`") == true)
    }

    @Test(
        "the grammar: refusals with their octets",
        arguments: [
            ("CKA_LABEL UTF8 \"x\"\n", "begins with `CKA_CLASS`", 0),
            ("x\n", "begins with an attribute's name", 0), ("CKA_CLASS\n", "and its type", 0),
            ("CKA_CLASS CK_OBJECT_CLASS\n", "one value behind its type", 0),
            ("CKA_CLASS CK_OBJECT_CLASS A B\n", "one value behind its type", 0),
            ("CKA_CLASS OTHER A\n", "the type `OTHER`", 10),
            ("CKA_CLASS UTF8 \"x\n", "closing quote", 15), ("CKA_CLASS UTF8 x\n", "quotes", 15),
            ("CKA_CLASS MULTILINE_OCTAL\n\\001\\08\nEND\n", "three octal digits", 30),
            ("CKA_CLASS MULTILINE_OCTAL\n\\001\\081\nEND\n", "three octal digits", 30),
            ("CKA_CLASS MULTILINE_OCTAL\n\\400\nEND\n", "three octal digits", 26),
            ("CKA_CLASS MULTILINE_OCTAL\n\\001\n", "no line `END`", 0),
            ("CKA_CLASS MULTILINE_OCTAL x\nEND\n", "begin on the next line", 0),
            ("CKA_CLASS UTF8 \"x\u{0}\"\n", "control character", 17),
            ("# nothing\n", "has no record", -21),
        ])
    func grammar(_ text: String, _ words: String, _ offset: Int) throws {
        let refusal = ForeignImports.refusal { try File.imported(text) }
        #expect(refusal?.code == "HX611")
        #expect(refusal?.2.contains(words) == true, "\(refusal?.2 ?? "read")")
        // "# Roots.\nBEGINDATA\n" stands before it.
        #expect(refusal?.at == max(offset + 19, 0))
    }

    @Test("records without names or octets, and an attribute that stands twice, are refused")
    func records() throws {
        let oak = Self.oak.certificate
        let whole = try File.certificate(oak, "Oak")
        for (text, words) in [
            (
                whole.replacing(File.octets("CKA_VALUE", oak.der), with: ""),
                "no octets `CKA_VALUE`"
            ),
            ("CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\n", "`CKA_ISSUER`"),
            (whole + File.never, "stands twice"),
        ] {
            let refusal = ForeignImports.refusal { try File.imported(text) }
            #expect(refusal?.code == "HX611" && refusal?.2.contains(words) == true)
        }
    }

    @Test("limits: long lines and values, many attributes and records")
    func limits() throws {
        let line = "CKA_LABEL UTF8 \"\(String(repeating: "x", count: 9_000))\"\n"
        let value = File.octets("CKA_VALUE", [UInt8](repeating: 1, count: 70_000))
        let start = "CKA_CLASS CK_OBJECT_CLASS CKO_NSS_BUILTIN_ROOT_LIST\n"
        let many = (0..<70).map { "CKA_TRUST_\($0) CK_TRUST A\n" }.joined()
        for text in [
            start + line, start + value, start + many,
            String(repeating: start, count: 20_001),
        ] {
            #expect(ForeignImports.refusal { try File.imported(text) }?.code == "HX611")
        }
    }

    @Test("every cut of a file is read or refused inside the file")
    func cuts() throws {
        let oak = Self.oak.certificate
        let whole = try File.certificate(oak, "Oak") + File.trust(oak, "Oak")
        let bytes = Array(whole.utf8)
        for length in stride(from: 0, to: bytes.count, by: 3) {
            do throws(ForeignError) {
                _ = try CertdataReader.read(Array(bytes.prefix(length)))
            } catch {
                #expect(error.range.upperBound <= length)
            }
        }
    }
}

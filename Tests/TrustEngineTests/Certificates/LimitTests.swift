import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// The limits of `PathValidation/Deviations.md`: input at a limit is read, and input beyond it is
/// not.
@Suite("limits of what is read") struct LimitTests {
    /// A limit, and a certificate that has so much of it.
    struct Limit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let most: Int
        let reason: String
        let certificate: @Sendable (Int) -> CertificateSketch
    }

    private static func sketch(
        _ change: (inout CertificateSketch) -> Void
    ) -> CertificateSketch {
        var sketch = CertificateSketch()
        change(&sketch)
        return sketch
    }

    static let limits: [Limit] = [
        Limit(
            testDescription: "octets of a certificate", most: 65_536,
            reason: "certificates above 64 KiB are not read",
            certificate: { size in
                // Every length around has three octets, whatever is padded.
                let padding = [UInt8](repeating: 0, count: 60_000)
                let plain = sketch { $0.signature = DER.element(0x03, padding) }.der.count
                return sketch {
                    $0.signature = DER.element(
                        0x03, [UInt8](repeating: 0, count: padding.count + size - plain))
                }
            }),
        Limit(
            testDescription: "extensions", most: 64, reason: "more than 64 extensions",
            certificate: { count in
                sketch {
                    $0.extensions = (1...count).map {
                        DER.sequence(DER.oid(0x2A, UInt8($0)), DER.element(0x04, [5, 0]))
                    }
                }
            }),
        Limit(
            testDescription: "attributes of a relative distinguished name", most: 32,
            reason: "more than 32 attributes in one relative distinguished name",
            certificate: { count in
                sketch {
                    let attributes = (0..<count).flatMap {
                        DER.sequence(DER.oid(0x55, 0x04, UInt8($0)), DER.text(0x0C, "a"))
                    }
                    $0.subject = DER.sequence(DER.element(0x31, attributes))
                }
            }),
        Limit(
            testDescription: "certificate policies", most: 256,
            reason: "more than 256 certificate policies",
            certificate: { count in
                let policies = (0..<count).flatMap {
                    DER.sequence(DER.oid(0x2A, UInt8($0 & 0x7F), UInt8($0 >> 7)))
                }
                return sketch {
                    $0.extensions = [
                        CertificateSketch.fieldExtension(0x20, DER.element(0x30, policies))
                    ]
                }
            }),
    ]

    @Test("of a certificate", arguments: limits)
    func certificates(limit: Limit) throws {
        #expect(throws: Never.self) { try limit.certificate(limit.most).certificate() }
        let error = #expect(throws: CertificateError.self) {
            try limit.certificate(limit.most + 1).certificate()
        }
        #expect(error?.reason == limit.reason)
    }

    @Test("of a certificate's size, to the octet")
    func size() {
        #expect(LimitTests.limits[0].certificate(65_536).der.count == 65_536)
        #expect(LimitTests.limits[0].certificate(65_537).der.count == 65_537)
    }

    @Test("a PKCS#10 request has the size of a certificate at most")
    func requests() {
        let octets = [UInt8](repeating: 0x30, count: 65_537)
        let error = #expect(throws: CertificateError.self) {
            try CertificationRequest(der: octets)
        }
        #expect(error?.reason == "certificates above 64 KiB are not read")
    }

    /// Extensions that say nothing where RFC 5280 wants something, by the last arc of their
    /// identifier.
    static let sayingNothing: [(name: String, number: UInt8, value: [UInt8], reason: String)] = [
        ("keyUsage without a bit", 0x0F, [3, 1, 0], "no key usage bit is set"),
        ("keyUsage of zeros", 0x0F, [3, 2, 7, 0], "no key usage bit is set"),
        ("issuerAltName", 0x12, [0x30, 0], empty), ("nameConstraints", 0x1E, [0x30, 0], empty),
        ("cRLDistributionPoints", 0x1F, [0x30, 0], empty),
        ("policyMappings", 0x21, [0x30, 0], empty), ("policyConstraints", 0x24, [0x30, 0], empty),
    ]
    private static let empty = "the list must hold at least one element"

    @Test("an extension that says nothing", arguments: sayingNothing.indices)
    func nothing(index: Int) {
        let row = LimitTests.sayingNothing[index]
        let error = #expect(throws: CertificateError.self) {
            try LimitTests.sketch {
                $0.extensions = [CertificateSketch.fieldExtension(row.number, row.value)]
            }.certificate()
        }
        #expect(error?.reason == row.reason, "\(row.name)")
    }

    @Test("an OCSP response of 1 MiB and a CRL of 64 MiB are not too large, one octet more is")
    func evidence() {
        let tooLarge = "it is larger than anything of its kind that is read"
        for (size, isTooLarge) in [(1 << 20, false), (1 << 20 + 1, true)] {
            let octets = [UInt8](repeating: 0, count: size)
            let found = Self.reason { () throws(EvidenceError) in
                _ = try OCSPResponse(der: octets)
            }
            #expect((found == tooLarge) == isTooLarge)
        }
        for (size, isTooLarge) in [(64 << 20, false), (64 << 20 + 1, true)] {
            let octets = [UInt8](repeating: 0, count: size)
            let found = Self.reason { () throws(EvidenceError) in
                _ = try CertificateRevocationList(der: octets)
            }
            #expect((found == tooLarge) == isTooLarge)
        }
    }

    @Test("an entry of a CRL and an answer of a response have 16 extensions, one more is too many")
    func extensionsOfEntries() throws {
        let root = Scenario().root("Root L", key: .p256("limits"))
        let leaf = root.issueLeaf(dns: ["a.example"])
        for (count, isRead) in [(16, true), (17, false)] {
            let added = (0..<count).map { TestExtension.raw("1.3.6.1.4.1.32473.8.\($0)", []) }
            let list = root.revocationList {
                $0.entries = [.init([1], at: .at("2026-05-01"), added)]
            }
            let response = root.ocspResponse(for: leaf) { $0.singles[0].extensions = added }
            let reason = "more than 16 extensions in one entry"
            let ofList = Self.reason { () throws(EvidenceError) in
                _ = try CertificateRevocationList(der: list)
            }
            let ofResponse = Self.reason { () throws(EvidenceError) in
                _ = try OCSPResponse(der: response)
            }
            #expect(ofList == (isRead ? nil : reason))
            #expect(ofResponse == (isRead ? nil : reason))
        }
    }

    @Test("the issuer's name of a CRL has 64 KiB at most")
    func namesOfLists() throws {
        let root = Scenario().root("Root L", key: .p256("limits"))
        // The relative name, the attribute and the text add their tags and lengths.
        for (octets, isRead) in [(65_536, true), (65_537, false)] {
            let overhead = TestName(String(repeating: "a", count: 65_000)).der.count - 4 - 65_000
            let list = root.revocationList {
                $0.issuer = TestName(String(repeating: "a", count: octets - overhead))
            }
            let reason = Self.reason { () throws(EvidenceError) in
                _ = try CertificateRevocationList(der: list)
            }
            #expect(reason == (isRead ? nil : "a name above 64 KiB is not read"))
        }
    }

    /// Why a piece of evidence is not read; nil where it is.
    private static func reason(_ read: () throws(EvidenceError) -> Void) -> String? {
        do throws(EvidenceError) {
            try read()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("of the certificates in an OCSP response eight are read")
    func delegates() throws {
        let root = Scenario().root("Root L", key: .p256("limits"))
        let leaf = root.issueLeaf(dns: ["a.example"])
        let delegate = root.issueResponder("Responder L", key: .p256("limits delegate"))
        let response = root.ocspResponse(for: leaf, by: delegate) {
            $0.certificates = (0..<9).map { _ in delegate.der }
        }
        #expect(try PreparedResponse(OCSPResponse(der: response)).certificates.count == 8)
    }

    @Test("of a list of timestamps 32 are read")
    func timestamps() {
        // A timestamp of an unknown version is read as far as that.
        let entries = [UInt8]([0, 1, 9])
        for (count, unread) in [(32, 0), (33, 1), (40, 8)] {
            let list = (0..<count).flatMap { _ in entries }
            let octets = [UInt8(list.count >> 8), UInt8(list.count & 0xFF)] + list
            let read = TimestampList(octets)
            #expect(read.entries.count == 32 && read.unread == unread)
        }
    }

    @Test("of the lists of timestamps beside a certificate eight are read")
    func lists() throws {
        let leaf = Scenario().root("Root L", key: .p256("limits")).issueLeaf(dns: ["a.example"])
        let crypto = LibCryptoBackend()
        let list = try LogList(json: Array(TestLogList.json([]).utf8), crypto: crypto)
        for (count, read) in [(8, 8), (9, 8)] {
            var judge = TransparencyJudge(
                list: list, endEntity: try Certificate(der: leaf.der),
                besides: (0..<count).map { _ in (.tls, [0, 3, 0, 1, 9]) },
                time: Scenario.judgedAt, clockSkew: 0, crypto: crypto)
            var budget = WorkBudget(limit: 1_000)
            #expect(try judge.judgements(issuer: nil, budget: &budget).count == read)
        }
    }

    @Test("of the URLs of one source in a certificate four are wanted")
    func locations() throws {
        let root = Scenario().root("Root L", key: .p256("limits"))
        for (count, wanted) in [(4, 4), (5, 4), (9, 4)] {
            let leaf = root.issueLeaf(dns: [World.host]) {
                $0.extensions.append(
                    .crlDistributionPoints((0..<count).map { "http://\($0).example/l.crl" }))
            }
            let world = World([leaf.der], roots: [root.der])
            #expect(try world.judge().verdict.wanted.count == wanted)
        }
    }

    @Test("JSON nests 64 deep and no deeper")
    func nesting() {
        for (depth, isRead) in [(64, true), (65, false)] {
            let text =
                String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            // The outermost list is read as a value.
            var reader = JSONReader(Array(#"{"a":\#(text)}"#.utf8))
            #expect(((try? reader.members()) != nil) == isRead)
        }
    }

    @Test("a log list has 4,096 logs at most")
    func logs() {
        let crypto = LibCryptoBackend()
        func list(_ count: Int) -> [UInt8] {
            let logs = (0..<count).map { number in
                // A key of an algorithm that is unknown has any octets.
                let key = DER.sequence(
                    DER.sequence(DER.oid(0x2A, 0x03)),
                    DER.element(0x03, [0, UInt8(number >> 8), UInt8(number & 0xFF)]))
                let id = crypto.digest(.sha256, of: key.span).bytes
                return """
                    {"key":"\(Base64.encode(key))","log_id":"\(Base64.encode(id))",\
                    "state":{"usable":{"timestamp":"2026-01-01T00:00:00Z"}}}
                    """
            }
            return Array(
                """
                {"log_list_timestamp":"2026-05-15T00:00:00Z","operators":\
                [{"name":"A","logs":[\(logs.joined(separator: ","))]}]}
                """.utf8)
        }
        #expect(throws: Never.self) { try LogList(json: list(4_096), crypto: crypto) }
        let error = #expect(throws: LogListError.self) {
            try LogList(json: list(4_097), crypto: crypto)
        }
        #expect(error?.reason == "has more than 4096 logs")
    }
}

import TestPKI
import Testing
import TrustEngine

/// The structure of an OCSP response (RFC 6960 section 4.2.1).
@Suite("OCSP response parser") struct OCSPResponseParserTests {
    private static let authority = Scenario().root("Root O", key: .p256("ocsp parser"))
    private static let leaf = authority.issueLeaf(dns: ["a.example"])

    private static func response(
        _ status: OCSPResponseRecipe.Single.Status = .good,
        _ change: (inout OCSPResponseRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        authority.ocspResponse(for: leaf, status, change)
    }

    private func problem(_ der: [UInt8]) -> [String] {
        do throws(EvidenceError) {
            _ = try OCSPResponse(der: der)
            return []
        } catch {
            return [error.field, error.reason]
        }
    }

    @Test("what is read is what was written")
    func contents() throws {
        let der = Self.response(.revoked(.superseded, at: .at("2026-05-01"))) {
            $0.extensions = [.ocspNonce([1, 2, 3])]
            $0.certificates = [[0x30, 0x00], [0x30, 0x01, 0x00]]
        }
        let response = try OCSPResponse(der: der)
        guard case .basic(let layout) = response.contents else {
            Issue.record("not a basic response")
            return
        }
        #expect(layout.producedAt == .day(-1))
        #expect(layout.nonce.map { Array(der[$0.indices]) } == [1, 2, 3])
        #expect(layout.unknownCritical.isEmpty)
        #expect(
            response.certificates(layout, atMost: 8) == [[0x30, 0x00], [0x30, 0x01, 0x00]])
        #expect(response.certificates(layout, atMost: 1).count == 1)
        var singles = response.singleResponses(layout)
        let first = singles.next(in: der.span)
        let single = try #require(first)
        #expect(single.status == .revoked(.superseded, at: .at("2026-05-01")))
        #expect(single.certificate.hash == .sha1)
        #expect(
            Array(der[single.certificate.issuerName.indices])
                == TestHash.sha1.digest(Self.authority.name.der))
        #expect(single.thisUpdate == .day(-1))
        #expect(single.nextUpdate == .day(6))
        let second = singles.next(in: der.span)
        #expect(second == nil)
    }

    @Test("a nonce may stand bare")
    func bareNonce() throws {
        let der = Self.response { $0.extensions = [.raw("1.3.6.1.5.5.7.48.1.2", [9, 9, 9])] }
        guard case .basic(let layout) = try OCSPResponse(der: der).contents else {
            Issue.record("not a basic response")
            return
        }
        #expect(layout.nonce.map { Array(der[$0.indices]) } == [9, 9, 9])
    }

    @Test("each error status is known, others are refused")
    func errors() throws {
        for value in UInt8(1)...255 {
            let der = Self.response { $0.status = value }
            switch OCSPErrorStatus(rawValue: value) {
            case let status?:
                #expect(try OCSPResponse(der: der).contents == .error(status))
            case nil:
                #expect(
                    problem(der) == ["responseStatus", "the status is not one that is defined"])
            }
        }
    }

    @Test("what cannot be understood names its field")
    func structure() {
        #expect(
            problem(Self.response { $0.type = "1.3.6.1.5.5.7.48.1.99" })
                == ["responseBytes.responseType", "the response is not a basic one"])
        #expect(
            problem(Self.response { $0.singles = [] })
                == ["tbsResponseData.responses", "the list must hold at least one element"])
        #expect(
            problem(
                Self.response {
                    $0.singles[0].extensions = [
                        .unknown(critical: false), .unknown(critical: false),
                    ]
                })
                == ["tbsResponseData.responses", "the extension occurs twice"])
        #expect(
            problem(TestPKI.DER.sequence(TestPKI.DER.element(0x0a, [0]))) == [
                "responseBytes", "an element is missing",
            ])
    }

    /// Changes of a response's octets, and the field at which reading stops.
    private static let changes: [(name: String, path: [Int], octets: [UInt8], field: String)] = [
        ("4.2.1 a status of two octets", [0], [0x0A, 2, 0, 0], "responseStatus"),
        (
            "4.2.1 version 2", [1, 0, 1, 0, 0, 0], [0xA0, 3, 2, 1, 1], "tbsResponseData.version"
        ),
        (
            "4.2.1 `good` with content", [1, 0, 1, 0, 0, 2, 0, 1], [0x80, 1, 0],
            "tbsResponseData.responses"
        ),
        (
            "4.2.1 `unknown` with content", [1, 0, 1, 0, 0, 2, 0, 1], [0x82, 1, 0],
            "tbsResponseData.responses"
        ),
        ("4.2.1 a field behind the responses", [1, 0, 1, 0, 0, 2], [5, 0], "tbsResponseData"),
        ("4.2.1 a field behind the signature", [1, 0, 1, 0, 2], [5, 0], "basicOCSPResponse"),
    ]

    @Test("changed octets", arguments: changes.indices)
    func changedOctets(index: Int) throws {
        let (name, path, octets, field) = Self.changes[index]
        let der = try DER.changing(Self.response(), at: path) {
            switch octets[0] {
            case 5: $0 += octets
            case 0xA0: $0 = octets + $0
            default: $0 = octets
            }
        }
        #expect(problem(der).first == field, "\(name)")
    }

    @Test("what is cut short, and what follows, is refused")
    func truncated() {
        let der = Self.response()
        for count in 0..<der.count {
            #expect(throws: EvidenceError.self) {
                try OCSPResponse(der: Array(der.prefix(count)))
            }
        }
        #expect(throws: EvidenceError.self) { try OCSPResponse(der: der + [0]) }
    }
}

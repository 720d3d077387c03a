import TestPKI
import Testing
import TrustEngine

/// What OCSP responses say of a certificate (RFC 6960).
@Suite("status by OCSP") struct ResponseTests {
    private static let acme = RevocationAcme()
    private static let issuing = acme.issuing
    private static let leaf = acme.leaf
    private static let delegate = issuing.issueResponder(
        "Responder", key: .p256("responder"))
    private static let date = UTCInstant.at("2026-05-01T12:00:00Z")

    /// The word of a responder with a changed certificate.
    private static func delegated(
        _ status: OCSPResponseRecipe.Single.Status = .good, by authority: Authority = issuing,
        _ change: (inout CertificateRecipe) -> Void
    ) -> StatusWorld {
        let delegate = authority.issueResponder("Responder", key: .p256("responder"), change)
        return acme.world(responses: [issuing.ocspResponse(for: leaf, status, by: delegate)])
    }

    private static func response(
        _ status: OCSPResponseRecipe.Single.Status = .good,
        _ change: (inout OCSPResponseRecipe) -> Void = { _ in }
    ) -> StatusWorld {
        acme.world(responses: [issuing.ocspResponse(for: leaf, status, change)])
    }

    // MARK: Answers

    private static let statuses: [StatusRow] = [
        StatusRow("2.2 good", ["good"], response()),
        StatusRow(
            "2.2 revoked", ["revoked unspecified"], response(.revoked(nil, at: date))),
        StatusRow(
            "2.2 revoked with a reason", ["revoked keyCompromise"],
            response(.revoked(.keyCompromise, at: date))),
        StatusRow("2.2 unknown", ["unknown unknownToResponder"], response(.unknown)),
        StatusRow(
            "4.1.1 SHA-256 names", ["good"], response { $0.singles[0].hash = .sha256 }),
        StatusRow(
            "4.1.1 SHA-512 names", ["good"], response { $0.singles[0].hash = .sha512 }),
        StatusRow(
            "4.1.1 names by a hash that is not known", [],
            response { $0.singles[0].hash = .md5 }),
        StatusRow(
            "4.1.1 another issuer's name", [],
            response { $0.singles[0].issuerName = TestName("Root R").der }),
        StatusRow(
            "4.1.1 another issuer's key", [],
            response { $0.singles[0].issuerKey = acme.root.key }),
        StatusRow("4.1.1 another serial number", [], response { $0.singles[0].serial = [7] }),
        StatusRow(
            "one of several certificates", ["revoked unspecified"],
            response {
                var other = $0.singles[0]
                other.serial = [7]
                $0.singles[0].status = .revoked(nil, at: date)
                $0.singles.insert(other, at: 0)
            }),
        StatusRow(
            "good and revoked in one response", ["unknown contradicted", "revoked unspecified"],
            response {
                var second = $0.singles[0]
                second.status = .revoked(nil, at: date)
                $0.singles.append(second)
            }),
        StatusRow(
            "unknown and good in one response",
            ["unknown unknownToResponder", "unknown contradicted"],
            response {
                $0.singles.insert($0.singles[0], at: 0)
                $0.singles[0].status = .unknown
            }),
        StatusRow(
            "good and good in one response", ["good", "good"],
            response { $0.singles.append($0.singles[0]) }),
        StatusRow(
            "4.2.1 version 1 written out", ["good"], response { $0.writesVersion = true }),
        StatusRow(
            "4.2.1 an unknown critical extension of the response",
            ["malformed unknownCriticalExtension"],
            response { $0.extensions = [.unknown(critical: true)] }),
        StatusRow(
            "4.2.1 an unknown critical extension of the status",
            ["malformed unknownCriticalExtension"],
            response { $0.singles[0].extensions = [.unknown(critical: true)] }),
        StatusRow(
            "4.4.1 a nonce, critical", ["good"],
            response { $0.extensions = [.ocspNonce([1, 2, 3]).critical(true)] }),
        StatusRow(
            "RFC 6962 3.3 timestamps, critical", ["good"],
            response {
                $0.singles[0].extensions = [
                    .raw("1.3.6.1.4.1.11129.2.4.5", critical: true, [0xde, 0xad])
                ]
            }),
        StatusRow(
            "4.2.1 an error, where no responder is named", [], response { $0.status = 3 }),
    ]

    // MARK: Time

    private static let times: [StatusRow] = [
        StatusRow(
            "4.2.2.1 past nextUpdate", ["stale expired"],
            response().with { $0.time = .day(7) }),
        StatusRow(
            "4.2.2.1 before thisUpdate", ["stale notYetValid"],
            response().with { $0.time = .day(-2) }),
        StatusRow(
            "2.4 produced later", ["stale notYetProduced"],
            response { $0.producedAt = .day(0).advanced(bySeconds: 61) }
                .with { $0.clockSkew = 60 }),
        StatusRow(
            "2.4 produced later, within the clock skew", ["good"],
            response { $0.producedAt = .day(0).advanced(bySeconds: 60) }
                .with { $0.clockSkew = 60 }),
        StatusRow(
            "2.4 unknown, produced later", ["unknown unknownToResponder"],
            response(.unknown) { $0.producedAt = .day(1) }),
        StatusRow(
            "2.4 revoked, produced later", ["revoked superseded"],
            response(.revoked(.superseded, at: date)) { $0.producedAt = .day(1) }),
        StatusRow(
            "revoked past nextUpdate", ["revoked superseded"],
            response(.revoked(.superseded, at: date)).with { $0.time = .day(40) }),
        StatusRow(
            "on hold", ["revoked certificateHold"],
            response(.revoked(.certificateHold, at: date))),
        StatusRow(
            "on hold past nextUpdate", ["stale expired"],
            response(.revoked(.certificateHold, at: date)).with { $0.time = .day(40) }),
        StatusRow(
            "over the maximum age", ["stale tooOld"],
            response().with { $0.maximumAge = 86_399 }),
        StatusRow(
            "4.2.2.1 without nextUpdate", ["good"], response { $0.singles[0].nextUpdate = nil }),
        StatusRow(
            "4.2.2.1 without nextUpdate, eight days later", ["stale expired"],
            response { $0.singles[0].nextUpdate = nil }.with { $0.time = .day(8) }),
    ]

    // MARK: Who signs

    private static let signers: [StatusRow] = [
        StatusRow(
            "4.2.2.3 the issuer by the hash of its key", ["good"],
            response { $0.responder = .key(issuing.key) }),
        StatusRow(
            "3.2(2) a bad signature", ["malformed badSignature"],
            response { $0.damage = .flippedBit }),
        StatusRow(
            "3.2(2) a bad signature on a revocation", ["malformed badSignature"],
            response(.revoked(nil, at: date)) { $0.damage = .otherMessage }),
        StatusRow(
            "3.2(3) a responder nobody knows", ["malformed signerNotFound"],
            response { $0.responder = .name("Somebody") }),
        StatusRow(
            "3.2(3) a delegate that the response does not name", ["malformed signerNotFound"],
            acme.world(
                responses: [
                    issuing.ocspResponse(for: leaf, by: delegate) {
                        $0.responder = .name("Somebody")
                    }
                ])),
        StatusRow(
            "4.2.2.2 a delegate", ["good"],
            acme.world(responses: [issuing.ocspResponse(for: leaf, by: delegate)])),
        StatusRow(
            "4.2.2.2 a delegate by the hash of its key", ["good"],
            acme.world(
                responses: [
                    issuing.ocspResponse(for: leaf, by: delegate) {
                        $0.responder = .key(delegate.key)
                    }
                ])),
        StatusRow(
            "4.2.2.2 a delegate behind other certificates", ["good"],
            acme.world(
                responses: [
                    issuing.ocspResponse(for: leaf, by: delegate) {
                        $0.certificates = [leaf.der, issuing.der, [0x30, 0x00], delegate.der]
                    }
                ])),
        StatusRow(
            "4.2.2.2 a delegate whose certificate is not sent", ["malformed signerNotFound"],
            acme.world(
                responses: [issuing.ocspResponse(for: leaf, by: delegate) { $0.certificates = [] }]
            )),
        StatusRow(
            "4.2.2.2 a delegate that another authority named", ["malformed not-delegated"],
            delegated(by: acme.root) { _ in }),
        StatusRow(
            "4.2.2.2 a delegate that another key named for the issuer",
            ["malformed not-delegated"],
            delegated(by: acme.root.issueCA("Issuing R", key: .p256("not issuing"))) { _ in }),
        StatusRow(
            "4.2.2.2 a delegate that the issuer's key named for another issuer",
            ["malformed not-delegated"],
            delegated(by: acme.root.issueCA("Another R", key: issuing.key)) { _ in }),
        StatusRow(
            "4.2.2.2 a delegate without the purpose", ["malformed not-delegated"],
            delegated { $0.set(.extendedKeyUsage([OID.serverAuth])) }),
        StatusRow(
            "4.2.2.2 any purpose is not enough", ["malformed not-delegated"],
            delegated { $0.set(.extendedKeyUsage([OID.anyExtendedKeyUsage])) }),
        StatusRow(
            "4.2.2.2 no purpose named", ["malformed not-delegated"],
            delegated { $0.remove(OID.extendedKeyUsage) }),
        StatusRow(
            "4.2.1.3 a delegate that may not sign", ["malformed not-delegated"],
            delegated { $0.set(.keyUsage([.keyEncipherment])) }),
        StatusRow(
            "a delegate with an unknown critical extension", ["malformed not-delegated"],
            delegated { $0.extensions.append(.unknown(critical: true)) }),
        StatusRow(
            "4.2.2.2.1 nocheck marked critical", ["good"],
            delegated { $0.set(.ocspNoCheck.critical(true)) }),
        StatusRow(
            "4.2.2.2.1 a delegate without nocheck", ["good"],
            delegated { $0.remove("1.3.6.1.5.5.7.48.1.5") }),
        StatusRow(
            "a delegate no longer valid", ["malformed not-valid"],
            delegated { $0.notAfter = .day(0).advanced(bySeconds: -1) }),
        StatusRow(
            "a delegate that was not valid when it signed either", ["malformed not-valid"],
            delegated { $0.notAfter = .day(-3) }),
        StatusRow(
            "revoked, said by a delegate that was valid then", ["revoked unspecified"],
            delegated(.revoked(nil, at: date)) { $0.notAfter = .day(0).advanced(bySeconds: -1) }),
        StatusRow(
            "revoked, said by a delegate that was not valid then", ["malformed not-valid"],
            delegated(.revoked(nil, at: date)) { $0.notAfter = .day(-3) }),
        StatusRow(
            "a delegate whom the issuer's CRL lists", ["malformed revoked", "good"],
            acme.world(
                lists: [issuing.revocationList([delegate])],
                responses: [issuing.ocspResponse(for: leaf, by: delegate)])),
        StatusRow(
            "a delegate on a CRL that nobody signed", ["good", "malformed badSignature"],
            acme.world(
                lists: [issuing.revocationList([delegate]) { $0.damage = .flippedBit }],
                responses: [issuing.ocspResponse(for: leaf, by: delegate)])),
        StatusRow(
            "a delegate whom a delta CRL takes from the list", ["good", "not-covered baseMissing"],
            acme.world(
                lists: [
                    issuing.revocationList([delegate], reason: .removeFromCRL) {
                        $0.set(.crlNumber(7))
                        $0.set(.deltaIndicator(base: 4))
                    }
                ],
                responses: [issuing.ocspResponse(for: leaf, by: delegate)])),
        StatusRow(
            "a hash below the rule's", ["malformed algorithmNotAllowed"],
            response { $0.signature = .ecdsa(.sha1) }),
        StatusRow(
            "a weak hash that is allowed for evidence", ["good"],
            response { $0.signature = .ecdsa(.sha1) }.with { $0.minimumHash = .sha1 }),
        StatusRow(
            "a delegate whose certificate has a weak hash", ["malformed not-delegated"],
            delegated { $0.signature = .ecdsa(.sha1) }.with { $0.minimumHash = .sha1 }),
    ]

    // MARK: Staples

    private static func stapled(_ response: [UInt8]) -> StatusWorld {
        acme.world().with { $0.staple = response }
    }

    private static let staples: [StatusRow] = [
        StatusRow("a staple", ["good"], stapled(issuing.ocspResponse(for: leaf))),
        StatusRow(
            "a staple about another certificate", ["not-covered otherCertificate"],
            stapled(issuing.ocspResponse(for: leaf) { $0.singles[0].serial = [7] })),
        StatusRow("a staple that is none", ["malformed unreadable"], stapled([0x30, 0x01])),
        StatusRow(
            "an error as a staple", ["unreachable responderError"],
            stapled(issuing.ocspResponse(for: leaf) { $0.status = 6 })),
        StatusRow(
            "a staple says nothing of the intermediate", [],
            stapled(issuing.ocspResponse(for: leaf)).with { $0.position = 1 }),
        StatusRow(
            "a staple that is none says nothing of the intermediate", [],
            stapled([0x30, 0x01]).with { $0.position = 1 }),
        StatusRow(
            "a staple about the intermediate", ["revoked unspecified"],
            stapled(acme.root.ocspResponse(for: issuing.certificate, .revoked(nil, at: date)))
                .with { $0.position = 1 }),
    ]

    @Test("each rule has its answer", arguments: statuses + times + signers + staples)
    func answers(row: StatusRow) throws {
        #expect(try row.world.judge().words == row.expected)
    }

    @Test("what names no certificate counts where a responder is named")
    func unattributed() throws {
        let (world, _) = ResponseTests.acme.world {
            $0.extensions.append(.authorityInfoAccess(ocsp: ["http://ocsp.example"]))
        }
        let error = ResponseTests.issuing.ocspResponse(for: ResponseTests.leaf) { $0.status = 1 }
        #expect(
            try world.with { $0.responses = [error, [0x30]] }.judge().words
                == ["unreachable responderError", "malformed unreadable"])
    }

    @Test("the answer says what was used")
    func evidence() throws {
        let response = ResponseTests.issuing.ocspResponse(for: ResponseTests.leaf)
        let answer = try #require(
            ResponseTests.acme.world(responses: [response]).judge().answers.first)
        #expect(answer.digest?.bytes == TestHash.sha256.digest(response))
        #expect(answer.thisUpdate == .day(-1))
        #expect(answer.nextUpdate == .day(6))
        #expect(answer.source == .ocsp)
    }
}

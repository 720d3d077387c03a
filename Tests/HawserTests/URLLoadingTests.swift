import Hawser
import Testing
import TrustEngine

/// Verdicts as the URL loading system and the Security framework would have them. The results of
/// real chains are compared in `PolicyExamplesTests/SecTrustResultTests`.
@Suite struct URLLoadingTests {
    private static let digest = Digest(.sha256, bytes: [UInt8](repeating: 7, count: 32))
    private static let time = UTCInstant(secondsSinceEpoch: 1_780_000_000)

    private static func certificate(
        _ origin: CertificateReference.Origin, _ position: Int = 0
    ) throws -> CertificateReference {
        CertificateReference(
            position: position, origin: origin, subject: "CN=x", fingerprint: try #require(digest))
    }

    private static func verdict(_ outcome: Verdict.Outcome) throws -> Verdict {
        Verdict(outcome: outcome, policyDigest: try #require(digest), systemStoreDigest: nil)
    }

    private static func accept(
        _ set: String, reported: [Reported] = []
    ) throws -> Verdict {
        let path = [try certificate(.presented(0)), try certificate(.anchor(set: set), 1)]
        return try verdict(.accept(Acceptance(path: path, reported: reported, notices: [])))
    }

    private static func reject(_ violations: Violation...) throws -> Verdict {
        try verdict(.reject(violations))
    }

    // MARK: Results

    @Test func theValuesAreApples() {
        #expect(TrustResult.allCases.map(\.rawValue) == Array(0...7))
        #expect(Set(TrustResult.allCases.map(\.name)).count == 8)
    }

    @Test func acceptsAreTheSystemsOrThePolicys() throws {
        #expect(TrustResult(try Self.accept("system")) == .unspecified)
        #expect(TrustResult(try Self.accept("own")) == .proceed)
        let waived = Reported(
            violation: .nameMismatch(wanted: ["a"], presented: ["b"]),
            reason: .waived(until: Self.time))
        #expect(TrustResult(try Self.accept("system", reported: [waived])) == .proceed)
        let reported = Reported(violation: waived.violation, reason: .reportOnly(until: nil))
        #expect(TrustResult(try Self.accept("system", reported: [reported])) == .unspecified)
    }

    @Test func ofSeveralViolationsTheGravestDecides() throws {
        let name = Violation.nameMismatch(wanted: ["a"], presented: ["b"])
        let leaf = try Self.certificate(.presented(0))
        let signature = Violation.badSignature(
            leaf, issuer: leaf, keyType: nil, signatureKind: nil)
        let forbidden = Violation.noApplicableRule(host: "a")
        let budget = Violation.budgetExhausted(limit: 1)
        let stale = Violation.tableStale(
            confirmed: Self.time, until: Self.time, time: Self.time, basis: .confirmed)
        let rows: [([Violation], TrustResult)] = [
            ([name], .recoverableTrustFailure),
            ([name, signature], .fatalTrustFailure),
            ([signature, name], .fatalTrustFailure),
            ([signature, forbidden], .deny),
            ([forbidden, signature], .deny),
            ([budget, forbidden], .otherError),
            ([forbidden, budget, signature], .otherError),
            ([budget, .nothingPresented], .invalid),
            ([stale, name], .otherError),
            ([], .otherError),
        ]
        for (violations, result) in rows {
            #expect(TrustResult(try Self.verdict(.reject(violations))) == result)
            #expect(!result.isAccept)
        }
    }

    /// Every waiver of LANGUAGE section 10, by a violation that it could name and one of the same
    /// check that it could not.
    @Test func aWaiverNamesWhatItNamesAndNoMore() throws {
        let leaf = try Self.certificate(.presented(0))
        let rows: [(Violation, String?)] = [
            (.nameMismatch(wanted: [], presented: []), "identity"),
            (.issuerNotFound(last: leaf, issuer: "", unreadable: []), "path"),
            (.selfSignedLeaf(leaf, anchorOf: []), "path"),
            (.anchorNotTrusted(leaf, heldBy: [], anchors: []), "path"),
            (.badSignature(leaf, issuer: leaf, keyType: nil, signatureKind: nil), nil),
            (.expired(leaf, notAfter: Self.time, time: Self.time, tolerance: 0), "expired"),
            (.notYetValid(leaf, notBefore: Self.time, time: Self.time), nil),
            (.revocationUndetermined(leaf, cause: .unreachable, answers: []), "revocation"),
            (.stapleMissing(leaf, answers: []), "revocation"),
            (.tlsVersion(.tls11, minimum: .tls12, maximum: .tls13), "tls"),
            (.tlsVersion(.tls13, minimum: .tls12, maximum: .tls12), nil),
            (.tlsNotSupplied(parameter: "version"), nil),
            (.tlsForwardSecrecy(cipherSuite: "x"), nil),
            (.keyTooSmall(leaf, bits: 1_024, minimum: 2_048), "keys"),
            (.keyTooSmall(leaf, bits: 1_023, minimum: 2_048), nil),
            (.keyTypeNotAllowed(leaf, type: "rsa", allowed: []), nil),
            (.hashTooWeak(leaf, hash: "sha1", minimum: "sha256"), "signatures"),
            (.hashTooWeak(leaf, hash: SignatureHash.other.name, minimum: "sha256"), nil),
            (.signatureSchemeNotAllowed(leaf, scheme: "ecdsa", allowed: []), nil),
            (.cleartext, "cleartext"),
            (.checkFailed(name: "x", reason: ""), nil),
            (.lifetimeTooLong(leaf, seconds: 2, maximum: 1), nil),
            (.badHost(host: "", problem: ""), nil),
        ]
        for (violation, waiver) in rows { #expect(violation.waiver == waiver, "\(violation.id)") }
    }

    // MARK: Dispositions

    private static func challenge(
        _ method: AuthenticationMethod = .serverTrust, port: Int = 443,
        protocol name: String? = "https"
    ) -> AuthenticationChallenge {
        AuthenticationChallenge(
            space: ProtectionSpace(
                host: "a.example", port: port, protocolName: name, authenticationMethod: method))
    }

    @Test(
        "every method but server trust is left to the system, unjudged",
        arguments: AuthenticationMethod.known + [.other("NSURLAuthenticationMethodLater")])
    func methods(_ method: AuthenticationMethod) throws {
        #expect(AuthenticationMethod(name: method.name) == method)
        var asked = 0
        let verdict = try Self.accept("own")
        let answer = Self.challenge(method).answer { _, _ in
            asked += 1
            return verdict
        }
        guard method != .serverTrust else {
            #expect(asked == 1 && answer.disposition == .useCredential)
            return
        }
        #expect(asked == 0)
        #expect(answer.disposition == .performDefaultHandling)
        #expect(answer.reason == .otherMethod(method))
        #expect(answer.explanation.contains(method.name))
    }

    @Test func aVerdictIsACredentialOrTheEnd() throws {
        let rows: [(Verdict, ChallengeDisposition, TrustResult)] = [
            (try Self.accept("own"), .useCredential, .proceed),
            (try Self.accept("system"), .useCredential, .unspecified),
            (try Self.reject(.nothingPresented), .cancelAuthenticationChallenge, .invalid),
            (
                try Self.reject(.nameMismatch(wanted: [], presented: [])),
                .cancelAuthenticationChallenge, .recoverableTrustFailure
            ),
            (
                try Self.reject(.noApplicableRule(host: "a")), .cancelAuthenticationChallenge,
                .deny
            ),
            (
                try Self.reject(.engineError("x")), .cancelAuthenticationChallenge, .otherError
            ),
        ]
        for (verdict, disposition, result) in rows {
            let answer = Self.challenge().answer { host, port in
                #expect(host == "a.example" && port == 443)
                return verdict
            }
            #expect(answer.disposition == disposition)
            #expect(answer.reason == .verdict(result))
            #expect(answer.ignored.isEmpty)
        }
    }

    @Test func whatCannotBeJudgedIsCancelled() throws {
        let withoutTLS = try Self.verdict(
            .accept(Acceptance(path: [], reported: [], notices: [])))
        let cleartext = Self.challenge().answer { _, _ in withoutTLS }
        #expect(cleartext.disposition == .cancelAuthenticationChallenge)
        #expect(cleartext.reason == .withoutTLS)
        let nothing = Self.challenge().answer { _, _ in nil }
        #expect(nothing.disposition == .cancelAuthenticationChallenge)
        #expect(nothing.reason == .noServerTrust)
    }

    @Test func aPortOfZeroIsTheProtocolsAndAnotherThatIsNoneIsRefused() throws {
        let verdict = try Self.accept("own")
        let rows: [(Int, String?, UInt16?)] = [
            (443, "https", 443), (8_443, nil, 8_443), (0, "https", 443), (0, "HTTPS", 443),
            (0, "ftps", 990), (0, "http", nil), (0, nil, nil), (-1, "https", nil),
            (65_536, "https", nil), (65_535, "https", 65_535),
        ]
        for (port, name, judged) in rows {
            var asked: UInt16?
            let answer = Self.challenge(port: port, protocol: name).answer { _, port in
                asked = port
                return verdict
            }
            #expect(asked == judged, "\(port)")
            let wanted =
                judged == nil
                ? .cancelAuthenticationChallenge
                : .useCredential
                    as ChallengeDisposition
            #expect(answer.disposition == wanted)
            if judged == nil { #expect(answer.reason == .noPort(port)) }
        }
    }

    @Test func whatIsIgnoredIsNamedWithItsReason() throws {
        var challenge = Self.challenge()
        challenge.space.realm = "staff"
        challenge.space.proxyType = "NSURLProtectionSpaceHTTPSProxy"
        challenge.previousFailureCount = 3
        challenge.hasProposedCredential = true
        challenge.hasError = true
        let verdict = try Self.accept("own")
        let answer = challenge.answer { _, _ in verdict }
        #expect(answer.disposition == .useCredential)
        #expect(answer.ignored == ChallengeAnswer.IgnoredField.allCases)
        #expect(Set(answer.ignored.map(\.reason)).count == answer.ignored.count)
        challenge.space.authenticationMethod = .ntlm
        #expect(challenge.answer { _, _ in verdict }.ignored.isEmpty)
    }
}

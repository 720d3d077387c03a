import TestPKI
import TrustEngine

/// Explanations made by hand: what a trace can hold, without an engine.
enum TraceSamples {
    static let noon = UTCInstant(text: "2026-03-01T12:00:00Z") ?? UTCInstant(secondsSinceEpoch: 0)

    static func digest(_ byte: UInt8) -> Digest {
        guard let digest = Digest(.sha256, bytes: [UInt8](repeating: byte, count: 32)) else {
            preconditionFailure("32 octets are a SHA-256")
        }
        return digest
    }

    static func certificate(
        _ position: Int, _ subject: String, _ origin: CertificateReference.Origin? = nil
    ) -> CertificateReference {
        CertificateReference(
            position: position, origin: origin ?? .presented(position), subject: subject,
            fingerprint: digest(UInt8(truncatingIfNeeded: position &+ 1)))
    }

    static let leaf = certificate(0, "CN=api.acme.example,O=Acme")
    static let issuing = certificate(1, "CN=Acme Issuing 2026,O=Acme")
    static let root = certificate(2, "CN=Acme Root,O=Acme", .anchor(set: "acme"))

    static let provenance = Provenance(
        locations: [
            "/default": .init(file: "policy.yaml", line: 2, column: 10),
            "/rules/api": .init(file: "policy.yaml", line: 20, column: 3),
            "/rules/api/hosts/**.acme.example": .init(file: "policy.yaml", line: 21, column: 13),
            "/rules/wide/hosts/**.example": .init(file: "wide.policy.yaml", line: 4, column: 13),
            "/rules/api/anchors": .init(file: "policy.yaml", line: 22, column: 5),
            "/rules/api/pins": .init(file: "policy.yaml", line: 23, column: 5),
            "/profiles/org/keys/rsa-minimum": .init(file: "policy.yaml", line: 12, column: 7),
            "/pins/acme-api/keys/issuing-2025": .init(file: "policy.yaml", line: 7, column: 7),
            "/pins/acme-api/backups/offline": .init(file: "policy.yaml", line: 9, column: 7),
        ], parents: ["app": "org"])

    static let pinMismatch = Violation.pinMismatch(
        PinMismatch(
            set: "acme-api", needed: 1, matched: 0,
            wanted: [
                .init(
                    id: "issuing-2025", isBackup: false, position: "ca",
                    digests: ["sha256/AAAA"], matched: false),
                .init(
                    id: "offline", isBackup: true, position: "any", digests: ["sha256/BBBB"],
                    matched: false),
            ],
            found: [
                .init(certificate: leaf, spki: "sha256/CCCC"),
                .init(certificate: issuing, spki: "sha256/DDDD"),
                .init(certificate: root, spki: "sha256/EEEE"),
            ]))

    /// A whole trace whose one complete path fails as said.
    static func rejected(
        _ check: Check, _ violations: [Violation], host: String = "api.acme.example"
    ) -> Explanation {
        explanation(
            .reject(violations), host: host,
            deciding: CheckStep(path: 2, check: check, outcome: .failed(violations)),
            search: .exhausted)
    }

    static var accepted: Explanation {
        let reported = Reported(
            violation: .revocationUndetermined(leaf, cause: .unreachable, answers: []),
            reason: .reportOnly(until: nil))
        let notices: [Notice] = [
            .tlsAssumed, .tableStale(confirmed: noon, until: noon),
            .pinAgeing(set: "acme-api", enforceUntil: noon),
        ]
        return explanation(
            .accept(
                Acceptance(path: [leaf, issuing, root], reported: [reported], notices: notices)),
            host: "api.acme.example",
            deciding: CheckStep(
                path: 2, check: .pins,
                outcome: .passed(
                    .pins([
                        .init(set: "acme-api", entry: "issuing-2026", isBackup: false, position: 1)
                    ])), notices: [.pinAgeing(set: "acme-api", enforceUntil: noon)]),
            search: .satisfied(path: 2))
    }

    private static func explanation(
        _ outcome: Verdict.Outcome, host: String, deciding: CheckStep, search: SearchStep.End
    ) -> Explanation {
        let tls = TLSState.assumed(TLSParameters(version: .tls13))
        let deadEnd = Violation.anchorNotTrusted(
            certificate(2, "CN=Old Root", .presented(2)), heldBy: ["old"], anchors: ["acme"])
        var steps: [TraceStep] = [
            .engine(EngineStep(policyDigest: digest(0x9F), systemStoreDigest: nil)),
            .request(
                RequestStep(
                    host: host, canonicalHost: host, port: 443, time: noon, presented: 4, tls: tls)),
            .demand(DemandStep(check: .host, enforcement: .enforced, pointer: nil)),
            .check(CheckStep(path: 0, check: .host, outcome: .passed(nil))),
            .pattern(PatternStep(pattern: "**.acme.example", rule: "api", outcome: .selected)),
            .pattern(PatternStep(pattern: "**.example", rule: "wide", outcome: .moreLabelsWin)),
            .rule(
                RuleStep(
                    rule: "api", selection: .pattern("**.acme.example"), profile: "app",
                    anchors: ["acme"], pins: ["acme-api"],
                    guarantee: .within(seconds: 93_600))),
            .certificate(
                CertificateStep(
                    index: 0,
                    status: .read(subject: leaf.subject, fingerprint: leaf.fingerprint))),
            .certificate(CertificateStep(index: 1, status: .duplicate(of: 0))),
            .certificate(
                CertificateStep(
                    index: 2,
                    status: .setAside(
                        CertificateError(
                            field: "tbsCertificate.validity", reason: "no time", offset: 91)))),
            .demand(
                DemandStep(check: .tls, enforcement: .enforced, pointer: "/rules/api/tls")),
            .check(
                CheckStep(
                    path: 0, check: .tls,
                    outcome: .passed(
                        .tls(version: .tls13, minimum: .tls12, maximum: .tls13, parameters: [])),
                    notices: [.tlsAssumed])),
        ]
        for (check, pointer) in pathDemands {
            steps.append(
                .demand(
                    DemandStep(
                        check: check,
                        enforcement: check == .revocation
                            ? .reported(until: nil)
                            : check == .validity
                                ? .waived(until: noon, limit: .tolerance(seconds: 86_400))
                                : .enforced,
                        pointer: pointer)))
        }
        steps += [
            .path(
                PathStep(
                    number: 1,
                    certificates: [leaf, issuing, certificate(2, "CN=Old Root", .presented(2))],
                    end: .deadEnd)),
            .check(CheckStep(path: 1, check: .anchor, outcome: .failed([deadEnd]))),
            .path(
                PathStep(
                    number: 2, certificates: [leaf, issuing, root],
                    end: .anchor(set: "acme", standard: .rfc5280))),
        ]
        let passed: [(Check, CheckStep.Passed?)] = [
            (.anchor, .anchor(set: "acme")), (.signatures, .signatures(2)),
            (.validity, .validity(notBefore: noon, notAfter: noon)), (.basicConstraints, nil),
            (.keys, nil),
            (.identity, .identity(reference: "api.acme.example", presented: "*.acme.example")),
        ]
        for (check, found) in passed where check != deciding.check {
            steps.append(.check(CheckStep(path: 2, check: check, outcome: .passed(found))))
        }
        steps += [
            .check(deciding),
            .check(
                CheckStep(
                    path: 2, check: .revocation,
                    outcome: .tolerated([
                        Reported(
                            violation: .revocationUndetermined(
                                leaf, cause: .unreachable, answers: []),
                            reason: .reportOnly(until: nil))
                    ]))),
            .search(SearchStep(end: search, limit: 50_000)),
            .work(WorkStep(spent: 412, limit: 50_000, signatures: 2, paths: 2)),
        ]
        return Explanation(
            verdict: Verdict(
                outcome: outcome, policyDigest: digest(0x9F), systemStoreDigest: nil),
            trace: Trace(steps: steps))
    }

    private static let pathDemands: [(Check, String?)] = [
        (.anchor, "/rules/api/anchors"), (.signatures, nil), (.validity, nil),
        (.basicConstraints, nil), (.keys, "/rules/api/keys"), (.identity, "/rules/api/identity"),
        (.pins, "/rules/api/pins"), (.revocation, "/rules/api/revocation"),
    ]

    /// Every kind of constraint that an anchor set can have.
    static let anchorConstraints: [Violation] = [
        .permittedNames(name: "*.evil.example", patterns: ["**.acme.example", "acme.example"]),
        .excludedNames(name: "test.acme.example", pattern: "*.acme.example"),
        .excludedNames(name: "a..example", pattern: nil),
        .permittedURIs(uri: "spiffe://other/x", patterns: ["spiffe://mesh.example/**"]),
        .notBefore(noon, from: noon.advanced(bySeconds: 1), until: nil),
        .notBefore(noon, from: nil, until: noon.advanced(bySeconds: -1)),
        .sct(earliest: nil, from: noon, until: nil, timestamps: timestamps),
        .sct(earliest: noon, from: nil, until: noon.advanced(bySeconds: -1), timestamps: []),
        .logList(
            issued: noon, time: noon.advanced(bySeconds: 86_400 * 71), maximumAge: 86_400 * 70),
        .keyPurposes(wanted: ["serverAuth"], named: []),
        .maximumLifetime(seconds: 86_400 * 91, maximum: 86_400 * 90),
    ].map { (side: AnchorConstraintFailure.Side) in
        .anchorConstraintNotMet(
            AnchorConstraintFailure(certificate: leaf, set: "acme", side: side))
    }

    /// Steps in every form that has a payload of its own and that `explanation` does not have.
    static let payloads: [TraceStep] = {
        let passed: [(Check, CheckStep.Passed)] = [
            (
                .tls,
                .tls(
                    version: .tls12, minimum: .tls12, maximum: .tls13,
                    parameters: [
                        .init(parameter: "forward-secrecy", found: "TLS_ECDHE_X", allowed: []),
                        .init(parameter: "alpn", found: "h2", allowed: ["h2"]),
                    ])
            ),
            (.forbiddenKeys, .forbiddenKeys(["leaked"])),
            (.certificatePolicies, .certificatePolicies(wanted: ["1.2.3"], found: ["1.2.3"])),
            (.checks, .checks(["device"])), (.transparency, .exempt(set: "acme")),
            (.transparency, .transparency(transparency)),
            (
                .revocation,
                .revocation([
                    RevocationStanding(
                        certificate: leaf, finding: .good(.crl), answers: answers),
                    RevocationStanding(certificate: issuing, finding: .shortLived, answers: []),
                    RevocationStanding(
                        certificate: issuing, finding: .letPass(.noEndpoint), answers: []),
                ])
            ),
            (
                .evidence,
                .evidence([
                    EvidenceRecord(source: .crl, digest: digest(1), problem: nil),
                    EvidenceRecord(
                        source: .stapled, digest: digest(2),
                        problem: EvidenceError(field: "ocspResponse", reason: "cut", offset: 2)),
                ])
            ),
        ]
        let reasons: [Reported.Reason] = [
            .waived(until: noon), .reportOnly(until: noon), .reportOnly(until: nil),
        ]
        let enforcements: [DemandStep.Enforcement] = [
            .enforced, .reported(until: nil), .reported(until: noon),
            .waived(until: noon, limit: nil),
            .waived(until: noon, limit: .tolerance(seconds: 60)),
            .waived(until: noon, limit: .rsaMinimum(1024)),
            .waived(until: noon, limit: .minimumHash(.sha1)),
            .waived(until: noon, limit: .minimumVersion(.tls10)),
        ]
        return [
            .engine(
                EngineStep(
                    policyDigest: digest(3), systemStoreDigest: nil,
                    freshness: TableFreshness(
                        confirmed: noon, freshFor: .seconds(60), whenStale: .reject))),
            .request(
                RequestStep(
                    host: "a.example", canonicalHost: "a.example", port: 80, time: noon,
                    presented: 0, tls: .cleartext)),
        ]
            + enforcements.map {
                .demand(DemandStep(check: .keys, enforcement: $0, pointer: nil))
            }
            + passed.map {
                .check(CheckStep(path: 0, check: $0.0, outcome: .passed($0.1)))
            } + [
                .check(
                    CheckStep(
                        path: 0, check: .cleartext,
                        outcome: .tolerated(
                            reasons.map { Reported(violation: .cleartext, reason: $0) }))),
                .check(CheckStep(path: 1, check: .revocation, outcome: .notAsked)),
                .check(
                    CheckStep(
                        path: 2, check: .revocation,
                        outcome: .failed(
                            problems.map {
                                .revocationUndetermined(
                                    leaf, cause: $0.cause,
                                    answers: [
                                        answer(isOfFilters($0) ? .crlite : .ocsp, .unusable($0))
                                    ])
                            }), wanted: wanted)),
            ]
    }()

    private static func answer(
        _ source: RevocationSource, _ finding: RevocationAnswer.Finding
    ) -> RevocationAnswer {
        RevocationAnswer(
            source: source, digest: digest(0xE0), thisUpdate: noon, nextUpdate: nil,
            finding: finding, filters: source == .crlite ? askedFilters(finding) : nil)
    }

    /// Why filters cannot be asked.
    static let fault = FilterFault(
        code: "truncated", context: "`/var/lib/upki/a.filter`: the file ends before its contents")

    private static func askedFilters(_ finding: RevocationAnswer.Finding) -> AskedFilters {
        let isCovered = finding != .unusable(.noFilterCovers)
        return AskedFilters(
            file: isCovered ? "a.filter" : nil, asked: isCovered ? 2 : 0,
            cover: isCovered
                ? AskedFilters.Cover(
                    log: digest(0xE1), logName: "Larch 1", time: noon, from: noon, until: noon)
                : nil, newest: noon, timestamps: 2,
            youth: isCovered
                ? nil
                : AskedFilters.Youth(
                    since: noon, earliest: noon, age: 10_800, passesUntil: noon, passes: true))
    }

    private static func isOfFilters(_ problem: EvidenceProblem) -> Bool {
        [
            .noFilterCovers, .issuerNotEnrolled, .expiredBeforeFilter, .filtersRefused(fault),
            .filtersMissing(fault),
        ].contains(problem)
    }

    /// One answer of each kind.
    static let answers = [
        answer(.crl, .good), answer(.ocsp, .revoked(.keyCompromise, at: noon)),
        answer(.stapled, .unusable(.otherCertificate)), answer(.crlite, .good),
        answer(.crlite, .revokedByFilter), answer(.crlite, .unusable(.noFilterCovers)),
    ]

    /// Every reason for which evidence does not count.
    static let problems: [EvidenceProblem] =
        [
            .unreadable(EvidenceError(field: "tbsCertList", reason: "cut", offset: 7)),
            .unknownCriticalExtension("1.2.3"), .algorithmMismatch, .algorithmNotAllowed("sha1"),
            .badSignature, .signerNotFound, .notYetValid, .notYetProduced(noon), .expired,
            .tooOld(maximum: 86_400),
            .otherCertificate, .someReasonsOnly, .baseMissing, .unknownToResponder,
            .contradicted, .responderError(.tryLater), .noFilterCovers, .issuerNotEnrolled,
            .expiredBeforeFilter, .filtersRefused(fault), .filtersMissing(fault),
        ]
        + [
            .noCRLSign, .noPath, .notDelegated, .notValid, .revoked, .noKeyUsage, .notAppointed,
            .ownKey,
        ].map { .signerNotAllowed($0) }
        + EvidenceProblem.ScopeProblem.allCases.map { .otherScope($0) }

    /// What a verdict may still want.
    static let wanted: [WantedEvidence] = {
        let root = Scenario().root("Acme Root", key: .p256("trace sample"))
        guard let certificate = try? root.certificate.parsed() else { return [] }
        return [RevocationSource.ocsp, .crl].map {
            WantedEvidence(
                source: $0, url: "http://\($0.name).example/1", certificate: certificate,
                issuer: certificate, issuerKey: digest(0xC0), network: .never)
        }
    }()

    /// One violation of every kind, with the check that it belongs to by its id.
    /// Timestamps of every kind, and both ways.
    static let transparency = TransparencyReport(
        certificate: leaf, preset: "apple",
        criteria: [.embedded, .besides].map { delivery in
            TransparencyCriterion(
                delivery: delivery, logs: .init(needed: 3, found: 2),
                operators: .init(needed: 2, found: 1), approvedLogs: .init(needed: 1, found: 0),
                classicLogs: .init(needed: 1, found: 0))
        }, timestamps: timestamps, unread: 2, logList: digest(5), logListIssued: noon)

    static let timestamps: [TimestampFinding] = {
        let problems: [TimestampProblem] = [
            .algorithmNotAllowed, .badSignature, .issuerUnknown, .inFuture,
            .logNotApproved(.rejected), .logNotApprovedYet(since: noon), .logRetired(since: noon),
            .outsideInterval(from: noon, until: noon.advanced(bySeconds: 86_400)), .noLeafIndex,
        ]
        func finding(_ standing: TimestampFinding.Standing) -> TimestampFinding {
            TimestampFinding(
                source: .embedded, logID: digest(6), log: "Larch 1", operatorName: "Larch",
                time: noon, standing: standing)
        }
        return [finding(.approved), finding(.onceApproved(retired: noon))]
            + problems.map { finding(.unusable($0)) }
            + [
                TimestampFinding(
                    source: .tls, logID: digest(7), time: noon, standing: .unusable(.unknownLog)),
                TimestampFinding(
                    source: .ocsp, standing: .unusable(.unreadable(.malformed(offset: 7)))),
                TimestampFinding(
                    source: .ocsp, standing: .unusable(.unreadable(.unknownVersion(1)))),
            ]
    }()

    static let violations: [Violation] = [
        .badHost(host: "01.2.3.4", problem: "a leading zero"),
        .noApplicableRule(host: "api.acme.example"),
        .nothingPresented,
        .endEntityUnreadable(CertificateError(field: "certificate", reason: "cut", offset: 3)),
        .issuerNotFound(last: issuing, issuer: "CN=Acme Root", unreadable: []),
        .selfSignedLeaf(leaf, anchorOf: []),
        .anchorNotTrusted(root, heldBy: [], anchors: ["acme"]),
        anchorConstraints[0],
        .badSignature(leaf, issuer: issuing, keyType: nil, signatureKind: nil),
        .unsupportedSignature(leaf, issuer: issuing),
        .algorithmMismatch(leaf),
        .expired(
            leaf, notAfter: noon.advanced(bySeconds: -86_400), time: noon, tolerance: 0),
        .notYetValid(leaf, notBefore: noon.advanced(bySeconds: 60), time: noon),
        .neverValid(leaf, notBefore: noon.advanced(bySeconds: 60), notAfter: noon),
        .notACertificateAuthority(issuing),
        .pathLengthExceeded(root, limit: 0, actual: 1),
        .tooManyIntermediates(limit: 1, actual: 2),
        .keyUsageMissing(issuing, wanted: "keyCertSign"),
        .purposeNotAllowed(leaf, wanted: ["server-auth"], allowed: ["client-auth"]),
        .purposeNotNamed(leaf, wanted: ["serverAuth"], named: ["anyExtendedKeyUsage"]),
        .unknownCriticalExtension(leaf, extensionID: "1.2.3.4"),
        .nameNotPermitted(
            leaf, name: "api.acme.example", by: root, subtree: ".corp.example", isExcluded: false),
        .constraintNotEvaluated(
            leaf, by: root, constraint: "names", problem: "an X.400 address"),
        .certificatePolicyNotSatisfied(
            issuing, wanted: ["1.2.3"], found: ["1.2.4"], demandedBy: nil),
        .keyTypeNotAllowed(leaf, type: "rsa", allowed: ["p256"]),
        .keyTooSmall(leaf, bits: 1024, minimum: 2048),
        .hashTooWeak(leaf, hash: "sha1", minimum: "sha256"),
        .maskHashTooWeak(leaf, hash: "sha256", mask: "sha1", minimum: "sha256"),
        .signatureSchemeNotAllowed(leaf, scheme: "rsa-pkcs1", allowed: ["ecdsa"]),
        .lifetimeTooLong(leaf, seconds: 86_400 * 500, maximum: 86_400 * 398),
        .standardNotMet(leaf, demand: .serialNotPositive, found: "00"),
        .nameMismatch(wanted: ["api.acme.example"], presented: ["www.acme.example"]),
        .notX509SVID(
            SVIDFailure(
                uri: "spiffe://mesh.example/a",
                uris: ["spiffe://mesh.example/a", "spiffe://mesh.example/b"],
                faults: [.severalURIs, .keyCertSign])),
        .forbiddenKey(
            ForbiddenKeyFound(
                entry: "leaked", digest: "sha256/AAAA", certificate: issuing, from: noon,
                until: nil,
                issued: noon)),
        pinMismatch,
        .checkFailed(name: "device", reason: "no attestation"),
        .cleartext,
        .tlsNotSupplied(parameter: "version"),
        .tlsVersion(.tls11, minimum: .tls12, maximum: .tls13),
        .tlsForwardSecrecy(cipherSuite: "TLS_RSA_WITH_AES_128_GCM_SHA256"),
        .tlsParameter("group", found: "secp256r1", allowed: ["x25519"]),
        .revoked(leaf, answers[1]),
        .revocationUndetermined(leaf, cause: .noEndpoint, answers: []),
        .stapleMissing(leaf, answers: [answers[2]]),
        .transparencyNotMet(transparency),
        .logListStale(
            logList: digest(5), issued: noon, time: noon.advanced(bySeconds: 86_400 * 71),
            maximumAge: 86_400 * 70),
        .tableStale(
            confirmed: noon.advanced(bySeconds: -90_000), until: noon.advanced(bySeconds: -3_600),
            time: noon, basis: .confirmed),
        .evidenceTooLarge(octets: 10_800_217, limit: 18_750),
        .budgetExhausted(limit: 50_000),
        .engineError("an index out of range"),
    ]
}

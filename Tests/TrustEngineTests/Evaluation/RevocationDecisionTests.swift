import TestPKI
import Testing
import TrustEngine

/// LANGUAGE section 8 on revocation: from answers to a decision.
@Suite("what follows from revocation answers") struct RevocationDecisionTests {
    private static let root = Scenario().root("Root D", key: .p256("decision root"))

    private static func leaf(
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) throws -> Certificate {
        try root.issueLeaf(dns: ["a.example"], change).parsed()
    }

    private static func answer(
        _ source: RevocationSource, _ finding: RevocationAnswer.Finding
    ) throws -> RevocationAnswer {
        RevocationAnswer(
            source: source,
            digest: Digest(.sha256, bytes: [UInt8](repeating: 7, count: 32)),
            thisUpdate: nil, nextUpdate: nil, finding: finding)
    }

    private static func decide(
        _ certificate: Certificate, _ answers: [RevocationAnswer],
        at role: RevocationDecision.Role = .endEntity,
        _ change: (inout RevocationRequirement) -> Void = { _ in }
    ) -> RevocationDecision {
        var requirement = RevocationRequirement()
        change(&requirement)
        return RevocationDecision.of(certificate, at: role, answers: answers, under: requirement)
    }

    /// A problem of each cause that an answer can have.
    private static let problems: [(RevocationCause, EvidenceProblem)] = [
        (.unknown, .unknownToResponder), (.unreachable, .responderError(.tryLater)),
        (.stale, .expired), (.malformed, .badSignature), (.notCovered, .otherScope(.otherPoint)),
        (.notEnrolled, .issuerNotEnrolled),
    ]

    @Test("revoked wins over everything", arguments: RevocationSource.allCases)
    func revoked(source: RevocationSource) throws {
        let leaf = try Self.leaf()
        let revoked = try Self.answer(source, .revoked(.superseded, at: .day(-3)))
        let good = try RevocationSource.allCases.map { try Self.answer($0, .good) }
        for role in [
            RevocationDecision.Role.endEntity, .intermediate, .intermediateAnchor,
        ] {
            let decision = Self.decide(leaf, good + [revoked], at: role) {
                $0.scope = .leaf
                $0.sources = [.stapled]
                $0.shortLived = .max
                for cause in RevocationCause.allCases { $0.causes[cause] = .pass }
            }
            #expect(decision == .revoked(revoked))
        }
    }

    @Test("the first source in order that has a usable answer decides")
    func order() throws {
        let leaf = try Self.leaf()
        let answers = try [
            Self.answer(.ocsp, .good), Self.answer(.crl, .good),
            Self.answer(.stapled, .unusable(.expired)),
        ]
        #expect(Self.decide(leaf, answers) == .good(.crl))
        #expect(Self.decide(leaf, answers) { $0.sources = [.ocsp, .crl] } == .good(.ocsp))
        // A source that is not listed does not count as an answer; a stale staple does.
        #expect(
            Self.decide(leaf, answers) { $0.sources = [.stapled] }
                == .undetermined(.stale, .report))
    }

    @Test("each cause has its action", arguments: CauseAction.allCases)
    func causes(action: CauseAction) throws {
        let leaf = try Self.leaf()
        for (cause, problem) in Self.problems {
            let decision = Self.decide(leaf, [try Self.answer(.ocsp, .unusable(problem))]) {
                $0.causes[cause] = action
            }
            #expect(decision == .undetermined(cause, action))
        }
    }

    @Test("of several causes the harshest action counts")
    func harshest() throws {
        let leaf = try Self.leaf()
        let answers = try [
            Self.answer(.stapled, .unusable(.expired)),
            Self.answer(.crl, .unusable(.otherScope(.otherPoint))),
            Self.answer(.ocsp, .unusable(.unknownToResponder)),
        ]
        #expect(Self.decide(leaf, answers) == .undetermined(.stale, .report))
        #expect(
            Self.decide(leaf, answers) { $0.causes[.unknown] = .fail }
                == .undetermined(.unknown, .fail))
        #expect(
            Self.decide(leaf, answers) { $0.causes[.stale] = .pass }
                == .undetermined(.notCovered, .report))
    }

    @Test("nothing supplied: what the certificate names decides the cause")
    func absence() throws {
        func require(_ requirement: inout RevocationRequirement) {
            requirement.causes = .require
        }
        let bare = try Self.leaf()
        #expect(Self.decide(bare, [], require) == .undetermined(.noEndpoint, .fail))
        #expect(Self.decide(bare, []) == .undetermined(.noEndpoint, .pass))
        let ocsp = try Self.leaf {
            $0.extensions.append(.authorityInfoAccess(ocsp: ["http://ocsp.example"]))
        }
        let issuersOnly = try Self.leaf {
            $0.extensions.append(.authorityInfoAccess(issuers: ["http://ca.example"]))
        }
        let list = try Self.leaf {
            $0.extensions.append(.crlDistributionPoints(["http://crl.example"]))
        }
        let staple = try Self.leaf { $0.extensions.append(.tlsFeatures([5])) }
        let rows: [(Certificate, [RevocationSource], RevocationCause)] = [
            (ocsp, [.ocsp], .unreachable), (ocsp, [.stapled], .unreachable),
            (ocsp, [.crl], .noEndpoint), (issuersOnly, [.ocsp], .noEndpoint),
            (list, [.crl], .unreachable), (list, [.stapled, .ocsp], .noEndpoint),
            (staple, [.stapled], .unreachable), (staple, [.ocsp, .crl], .noEndpoint),
            // The program has filters for every end entity.
            (bare, [.crlite], .unreachable),
        ]
        for (certificate, sources, cause) in rows {
            let decision = Self.decide(certificate, []) {
                $0.causes = .require
                $0.sources = sources
            }
            #expect(decision == .undetermined(cause, .fail))
        }
        // What speaks of it through a source that is not listed is not supplied.
        #expect(
            Self.decide(list, [try Self.answer(.ocsp, .good)]) {
                $0.causes = .require
                $0.sources = [.crl]
            } == .undetermined(.unreachable, .fail))
    }

    @Test("filters are for end entities, so nobody misses them for an authority")
    func filtersOfAuthorities() throws {
        let leaf = try Self.leaf()
        for role in [RevocationDecision.Role.intermediate, .intermediateAnchor] {
            let decision = Self.decide(leaf, [], at: role) {
                $0.causes = .require
                $0.sources = [.crlite]
                $0.scope = .chain
            }
            #expect(decision == .undetermined(.noEndpoint, .fail))
        }
    }

    @Test("the scope says whose status must be known")
    func scope() throws {
        let leaf = try Self.leaf()
        let rows: [(RevocationScope, [RevocationDecision.Role])] = [
            (.leaf, [.endEntity]), (.leafAndIntermediates, [.endEntity, .intermediate]),
            (.chain, [.endEntity, .intermediate, .intermediateAnchor]),
        ]
        for (scope, roles) in rows {
            for role in [
                RevocationDecision.Role.endEntity, .intermediate, .intermediateAnchor,
            ] {
                let decision = Self.decide(leaf, [], at: role) { $0.scope = scope }
                #expect((decision != .notDemanded) == roles.contains(role))
            }
        }
    }

    @Test("a lifetime up to the limit needs no evidence")
    func shortLived() throws {
        let leaf = try Self.leaf { $0.notAfter = $0.notBefore.advanced(bySeconds: 86_400) }
        #expect(Self.decide(leaf, []) { $0.shortLived = 86_400 } == .shortLived)
        #expect(
            Self.decide(leaf, []) { $0.shortLived = 86_399 } == .undetermined(.noEndpoint, .pass))
    }

    @Test("must-staple is met by a good staple alone")
    func mustStaple() throws {
        let leaf = try Self.leaf { $0.extensions.append(.tlsFeatures([5])) }
        let good = try RevocationSource.allCases.map { ($0, try Self.answer($0, .good)) }
        for (source, answer) in good {
            #expect(
                RevocationDecision.lacksStaple(leaf, answers: [answer]) == (source != .stapled))
        }
        #expect(
            RevocationDecision.lacksStaple(
                leaf, answers: [try Self.answer(.stapled, .unusable(.expired))]))
        #expect(!RevocationDecision.lacksStaple(try Self.leaf(), answers: []))
    }
}

import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Revocation inside the evaluator: the effect of evidence on verdicts, the list of reported
/// failures, and the wanted evidence. `PathValidation/Revocation` tests the answer of a piece of
/// evidence.
@Suite("revocation in verdicts") struct RevocationTests {
    private static let root = Scenario().root("Root A", key: .p256("revocation verdict root")) {
        $0.extensions.append(.crlDistributionPoints(["http://root.example/arl"]))
    }
    private static let issuing = root.issueCA("Issuing A", key: .p256("revocation verdict issuing"))
    {
        $0.extensions.append(.crlDistributionPoints(["http://root.example/crl"]))
    }
    private static let leaf = issuing.issueLeaf(dns: [World.host]) { recipe in
        recipe.extensions += [
            .crlDistributionPoints(["http://issuing.example/crl", "ldap://issuing.example"]),
            .authorityInfoAccess(ocsp: ["http://ocsp.example/"], issuers: ["http://ca.example/"]),
        ]
    }
    private static let world = World([leaf.der, issuing.der], roots: [root.der])
    /// The intermediate is not revoked.
    private static let authorityList = root.revocationList()

    private static let revokedAt = UTCInstant.at("2026-05-01T12:00:00Z")

    // MARK: A matrix

    /// The evidence about the end entity.
    private struct Situation: Sendable {
        let name: String
        /// Nil when an answer says good or revoked.
        let cause: RevocationCause?
        var isRevoked = false
        let change: @Sendable (inout World) -> Void
    }

    private static let situations: [Situation] = [
        Situation(name: "nothing", cause: .unreachable) { _ in },
        Situation(name: "nothing, and no source named", cause: .noEndpoint) { world in
            world.chain[0] = issuing.issueLeaf(dns: [World.host]).der
        },
        Situation(name: "a good CRL", cause: nil) { world in
            world.evidence.crls.append(issuing.revocationList())
        },
        Situation(name: "a good response", cause: nil) { world in
            world.evidence.ocspResponses = [issuing.ocspResponse(for: leaf)]
        },
        Situation(name: "a good staple", cause: nil) { world in
            world.evidence.stapledOCSP = issuing.ocspResponse(for: leaf)
        },
        Situation(name: "revoked by CRL", cause: nil, isRevoked: true) { world in
            world.evidence.crls.append(issuing.revocationList([leaf]))
        },
        Situation(name: "revoked by a stale CRL", cause: nil, isRevoked: true) { world in
            world.evidence.crls.append(issuing.revocationList([leaf]) { $0.nextUpdate = .day(-2) })
        },
        Situation(name: "revoked by a staple, good by CRL", cause: nil, isRevoked: true) { world in
            world.evidence.crls.append(issuing.revocationList())
            world.evidence.stapledOCSP = issuing.ocspResponse(
                for: leaf, .revoked(.keyCompromise, at: revokedAt))
        },
        Situation(name: "unknown", cause: .unknown) { world in
            world.evidence.ocspResponses = [issuing.ocspResponse(for: leaf, .unknown)]
        },
        Situation(name: "stale", cause: .stale) { world in
            world.evidence.crls.append(issuing.revocationList { $0.nextUpdate = .day(-2) })
        },
        Situation(name: "badly signed", cause: .malformed) { world in
            world.evidence.crls.append(issuing.revocationList { $0.damage = .flippedBit })
        },
        Situation(name: "unreadable", cause: .malformed) { world in
            world.evidence.crls.append([0x30, 0])
        },
        Situation(name: "not covered", cause: .notCovered) { world in
            world.evidence.crls.append(
                issuing.revocationList {
                    $0.set(
                        .issuingDistributionPoint(TestIssuingPoint { $0.isForAuthorities = true }))
                })
        },
    ]

    /// Every cause with each action, under both presets, for each scope: the verdict is what
    /// LANGUAGE section 8 says, and nothing that is revoked is accepted without a waiver.
    @Test("every situation, action and scope")
    func matrix() throws {
        var cells = 0
        var outcomes: [String: Int] = [:]
        for situation in Self.situations {
            for preset in RevocationPreset.allCases {
                for action in [nil, CauseAction.fail, .report, .pass] {
                    for scope in [RevocationScope.leaf, .leafAndIntermediates] {
                        for isWaived in [false, true] {
                            let judged = try Self.world.with { world in
                                world.evidence.crls = [Self.authorityList]
                                situation.change(&world)
                                world.requirements.revocation.preset = preset
                                world.requirements.revocation.causes = RevocationCauses(preset)
                                world.requirements.revocation.scope = scope
                                if let action, let cause = situation.cause {
                                    world.requirements.revocation.causes[cause] = action
                                }
                                if isWaived { world.waive(.revocation) }
                            }.judge()
                            let expected = expectation(
                                situation, action, RevocationCauses(preset), isWaived: isWaived)
                            let found = judged.outcome + judged.reported.map { "reported \($0)" }
                            #expect(
                                found == expected,
                                "\(situation.name), \(preset), \(String(describing: action)), \(scope)"
                            )
                            outcomes[expected.joined(separator: " "), default: 0] += 1
                            cells += 1
                        }
                    }
                }
            }
        }
        #expect(cells == Self.situations.count * 32)
        #expect(outcomes.count == 5, "\(outcomes)")
    }

    private func expectation(
        _ situation: Situation, _ action: CauseAction?, _ causes: RevocationCauses, isWaived: Bool
    ) -> [String] {
        if situation.isRevoked { return isWaived ? ["accept", "reported revoked"] : ["revoked"] }
        guard let cause = situation.cause else { return ["accept"] }
        switch action ?? causes[cause] {
        case .pass: return ["accept"]
        case .report: return ["accept", "reported revocation-undetermined"]
        case .fail:
            return isWaived
                ? ["accept", "reported revocation-undetermined"] : ["revocation-undetermined"]
        }
    }

    // MARK: Which certificates

    private static func required(_ change: (inout World) -> Void) -> World {
        world.with {
            $0.requirements.revocation.causes = .require
            change(&$0)
        }
    }

    private static let directlyTrusted = World([leaf.der], roots: []).with { world in
        world.sets = []
        world.trust("issuing", [issuing.der], kind: .intermediate)
        world.requirements.revocation.causes = .require
        world.evidence.crls = [issuing.revocationList()]
    }

    private static let rows: [Row] = [
        Row(
            "8 the intermediate's status is missing", ["revocation-undetermined"],
            required { $0.evidence.crls = [issuing.revocationList()] }),
        Row(
            "8 scope leaf asks for the leaf alone", ["accept"],
            required {
                $0.evidence.crls = [issuing.revocationList()]
                $0.requirements.revocation.scope = .leaf
            }),
        Row(
            "8 a revoked intermediate counts under scope leaf", ["revoked"],
            required {
                $0.evidence.crls = [
                    issuing.revocationList(), root.revocationList([issuing.certificate]),
                ]
                $0.requirements.revocation.scope = .leaf
            }),
        Row(
            "8 everything supplied", ["accept"],
            required { $0.evidence.crls = [issuing.revocationList(), authorityList] }),
        Row(
            "8 an intermediate anchor is not below the anchor", ["accept"], directlyTrusted),
        Row(
            "8 scope chain asks for an intermediate anchor", ["revocation-undetermined"],
            directlyTrusted.with { $0.requirements.revocation.scope = .chain }),
        Row(
            "8 scope chain: its issuer was sent along", ["accept"],
            directlyTrusted.with {
                $0.requirements.revocation.scope = .chain
                $0.chain.append(root.der)
                $0.evidence.crls.append(authorityList)
            }),
        Row(
            "8 scope chain: somebody else calls himself its issuer", ["revocation-undetermined"],
            directlyTrusted.with {
                let impostor = Scenario().root("Root A", key: .p256("an impostor"))
                $0.requirements.revocation.scope = .chain
                $0.chain.append(impostor.der)
                $0.evidence.crls.append(impostor.revocationList())
            }),
        Row(
            "8 a leaf anchor has no issuer on the path", ["revocation-undetermined"],
            World([leaf.der, issuing.der], roots: []).with { world in
                world.sets = []
                world.trust("pinned", [leaf.der], kind: .leaf)
                world.requirements.revocation.causes = .require
                world.evidence.crls = [issuing.revocationList()]
            }),
        Row(
            "8 short-lived certificates need no evidence", ["accept"],
            required {
                $0.requirements.revocation.shortLived = 400 * 86_400
                $0.requirements.revocation.scope = .leaf
            }),
        Row(
            "8 a source that is not listed", ["revocation-undetermined"],
            required {
                $0.evidence.crls = [issuing.revocationList()]
                $0.requirements.revocation.scope = .leaf
                $0.requirements.revocation.sources = [.stapled, .ocsp]
            }),
        Row(
            "8 maximum-age", ["revocation-undetermined"],
            required {
                $0.evidence.crls = [issuing.revocationList()]
                $0.requirements.revocation.scope = .leaf
                $0.requirements.revocation.maximumAge = 86_400
            }),
        Row(
            "8 signatures bind evidence", ["revocation-undetermined"],
            required {
                $0.evidence.crls = [issuing.revocationList { $0.signature = .ecdsa(.sha1) }]
                $0.requirements.revocation.scope = .leaf
            }),
        Row(
            "clock-skew widens the window", ["accept"],
            required {
                $0.evidence.crls = [
                    issuing.revocationList { $0.nextUpdate = .day(0).advanced(bySeconds: -60) }
                ]
                $0.requirements.revocation.scope = .leaf
                $0.requirements.clockSkew = 60
            }),
    ]

    /// A chain signed with SHA-384 throughout under a rule that demands it, with evidence signed
    /// with less.
    private static let demanding: [Row] = {
        let leaf = issuing.issueLeaf(dns: [World.host]) { $0.signature = .ecdsa(.sha384) }
        let authority = root.issueCA("Issuing A", key: .p256("revocation verdict issuing")) {
            $0.signature = .ecdsa(.sha384)
        }
        let responder = issuing.issueResponder("Responder", key: .p256("revocation responder"))
        func row(_ name: String, _ expected: String, _ change: (inout Evidence) -> Void) -> Row {
            var world = World([leaf.der, authority.der], roots: [root.der])
            world.requirements.revocation.causes = .require
            world.requirements.revocation.scope = .leaf
            world.requirements.minimumHash = .sha384
            change(&world.evidence)
            return Row("8 signatures: \(name)", [expected], world)
        }
        let revoked = OCSPResponseRecipe.Single.Status.revoked(nil, at: revokedAt)
        return [
            row("a CRL that meets them", "accept") {
                $0.crls = [issuing.revocationList { $0.signature = .ecdsa(.sha384) }]
            },
            row("a CRL below them does not vouch", "revocation-undetermined") {
                $0.crls = [issuing.revocationList()]
            },
            row("a CRL below them revokes", "revoked") {
                $0.crls = [issuing.revocationList([leaf])]
            },
            row("a CRL below the baseline says nothing", "revocation-undetermined") {
                $0.crls = [issuing.revocationList([leaf]) { $0.signature = .ecdsa(.sha1) }]
            },
            row("a response that meets them", "accept") {
                $0.ocspResponses = [
                    issuing.ocspResponse(for: leaf) { $0.signature = .ecdsa(.sha384) }
                ]
            },
            row("a response below them does not vouch", "revocation-undetermined") {
                $0.ocspResponses = [issuing.ocspResponse(for: leaf)]
            },
            row("a response below them revokes", "revoked") {
                $0.ocspResponses = [issuing.ocspResponse(for: leaf, revoked)]
            },
            row("a delegate below them does not vouch", "revocation-undetermined") {
                $0.ocspResponses = [
                    issuing.ocspResponse(for: leaf, by: responder) {
                        $0.signature = .ecdsa(.sha384)
                    }
                ]
            },
            row("a delegate below them revokes", "revoked") {
                $0.ocspResponses = [
                    issuing.ocspResponse(for: leaf, revoked, by: responder) {
                        $0.signature = .ecdsa(.sha384)
                    }
                ]
            },
        ]
    }()

    /// A chain of Ed25519 alone under a rule that allows nothing else, and a responder that signs
    /// by ECDSA.
    private static let schemes: [Row] = {
        let root = Scenario().root("Root A", key: .ed25519("revocation verdict root"))
        let issuing = root.issueCA("Issuing A", key: .ed25519("revocation verdict issuing"))
        let leaf = issuing.issueLeaf(dns: [World.host])
        let responder = issuing.issueResponder("Responder", key: .p256("revocation responder"))
        let revoked = OCSPResponseRecipe.Single.Status.revoked(nil, at: revokedAt)
        func row(_ name: String, _ expected: String, _ response: [UInt8]) -> Row {
            var world = World([leaf.der, issuing.der], roots: [root.der])
            world.requirements.revocation.causes = .require
            world.requirements.revocation.scope = .leaf
            world.requirements.signatureSchemes = .ed25519
            world.evidence.ocspResponses = [response]
            return Row("8 signatures: \(name)", [expected], world)
        }
        return [
            row("a scheme that is allowed", "accept", issuing.ocspResponse(for: leaf)),
            row(
                "a scheme that is not allowed does not vouch", "revocation-undetermined",
                issuing.ocspResponse(for: leaf, by: responder)),
            row(
                "a scheme that is not allowed revokes", "revoked",
                issuing.ocspResponse(for: leaf, revoked, by: responder)),
        ]
    }()

    @Test("6.3.3(g) a bad signature is bad on the second path, too")
    func remembered() throws {
        let other = Scenario().root("Root B", key: .p256("revocation second root"))
        var world = Self.world
        world.chain.append(other.crossSign(Self.issuing).der)
        world.trust("partner", [other.der])
        world.requirements.revocation.causes = .require
        world.requirements.revocation.scope = .leaf
        world.evidence.crls = [Self.issuing.revocationList { $0.damage = .flippedBit }]
        #expect(try world.judge().outcome == ["revocation-undetermined"])
        world.evidence.crls = [Self.issuing.revocationList([Self.leaf]) { $0.damage = .flippedBit }]
        #expect(try world.judge().outcome == ["revocation-undetermined"])
    }

    @Test("5 an anchor of kind leaf vouches for itself and signs no CRL")
    func leafAnchor() throws {
        let rekeyed = Self.root.issueCA("Issuing A", key: .p256("revocation verdict new key"))
        var world = Self.world
        world.evidence.crls = [rekeyed.revocationList([Self.leaf])]
        world.trust("rekeyed", [rekeyed.der], kind: .intermediate)
        #expect(try world.judge().outcome == ["revoked"])
        world.sets.removeLast()
        world.trust("rekeyed", [rekeyed.der], kind: .leaf)
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("each rule has its verdict", arguments: rows + demanding + schemes)
    func verdicts(row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    // MARK: Must-staple

    @Test("a certificate that demands a staple gets one or is refused, whatever the rule says")
    func mustStaple() throws {
        let leaf = Self.issuing.issueLeaf(dns: [World.host]) {
            $0.extensions.append(.tlsFeatures([5]))
        }
        let good = Self.issuing.ocspResponse(for: leaf)
        let base = World([leaf.der, Self.issuing.der], roots: [Self.root.der]).with {
            for cause in RevocationCause.allCases {
                $0.requirements.revocation.causes[cause] = .pass
            }
            $0.requirements.revocation.sources = [.crl]
        }
        let rows: [(String, [String], (inout World) -> Void)] = [
            ("none", ["staple-missing"], { _ in }),
            ("a good staple", ["accept"], { $0.evidence.stapledOCSP = good }),
            (
                "a response, but no staple", ["staple-missing"],
                { $0.evidence.ocspResponses = [good] }
            ),
            (
                "a good CRL", ["staple-missing"],
                { $0.evidence.crls = [Self.issuing.revocationList()] }
            ),
            (
                "a stale staple", ["staple-missing"],
                {
                    $0.evidence.stapledOCSP = good
                    $0.time = .day(8)
                }
            ),
            (
                "a revoked staple", ["revoked", "staple-missing"],
                {
                    $0.evidence.stapledOCSP = Self.issuing.ocspResponse(
                        for: leaf, .revoked(nil, at: Self.revokedAt))
                }
            ),
            (
                "short-lived", ["staple-missing"],
                { $0.requirements.revocation.shortLived = 100 * 365 * 86_400 }
            ),
            ("waived", ["accept"], { $0.waive(.revocation) }),
        ]
        for (name, expected, change) in rows {
            #expect(try base.with(change).judge().outcome == expected, "\(name)")
        }
    }

    // MARK: Every path

    @Test("a certificate proved revoked is revoked on every path")
    func everyPath() throws {
        // Two certificates for one authority: the second may not sign CRLs and leads elsewhere.
        let other = Scenario().root("Root B", key: .p256("revocation verdict other"))
        let cross = other.crossSign(Self.issuing) { $0.set(.keyUsage([.keyCertSign])) }
        for chain in [
            [Self.leaf.der, Self.issuing.der, cross.der],
            [Self.leaf.der, cross.der, Self.issuing.der],
        ] {
            let world = World(chain, roots: [Self.root.der, other.der])
            #expect(try world.judge().outcome == ["accept"])
            let judged = try world.with {
                $0.evidence.crls = [Self.issuing.revocationList([Self.leaf])]
            }.judge()
            #expect(judged.outcome == ["revoked"])
        }
    }

    @Test("a path whose intermediate is not revoked is taken instead")
    func anotherPath() throws {
        let other = Scenario().root("Root B", key: .p256("revocation verdict other"))
        let cross = other.crossSign(Self.issuing)
        let judged = try World(
            [Self.leaf.der, Self.issuing.der, cross.der], roots: [Self.root.der, other.der]
        ).with {
            $0.evidence.crls = [Self.root.revocationList([Self.issuing.certificate])]
        }.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.path == [World.host, "Issuing A", "Root B"])
    }

    @Test("evidence is not asked about where signatures reach no anchor")
    func noAnchor() throws {
        let judged = try Self.world.with {
            $0.sets = []
            $0.trust("other", [Scenario().root("Root B", key: .p256("x")).der])
            $0.evidence.crls = [Self.issuing.revocationList([Self.leaf])]
            $0.requirements.revocation.causes = .require
        }.judge()
        #expect(judged.outcome == ["issuer-not-found"])
        #expect(judged.verdict.wanted.isEmpty)
        let asked = judged.trace.steps.compactMap { step -> CheckStep.Outcome? in
            if case .check(let step) = step, step.check == .revocation { return step.outcome }
            return nil
        }
        #expect(asked == [.notAsked])
    }

    // MARK: Wanted evidence

    @Test("an accept lists what it would have used, in the order of the sources")
    func wanted() throws {
        let judged = try Self.world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(
            judged.verdict.wanted.map { "\($0.source.name) \($0.url)" } == [
                "crl http://issuing.example/crl", "ocsp http://ocsp.example/",
                "crl http://root.example/crl",
            ])
        let first = try #require(judged.verdict.wanted.first)
        #expect(first.certificate == (try Self.leaf.parsed()))
        #expect(first.issuer == (try Self.issuing.certificate.parsed()))
        #expect(first.issuerKey.bytes == Self.issuing.key.spkiSHA256)
        #expect(first.serial == (try Self.leaf.parsed().serialBytes))
        for wanted in judged.verdict.wanted {
            let made = WantedEvidence(
                source: wanted.source, url: wanted.url, certificate: wanted.certificate,
                issuer: wanted.issuer, issuerKey: wanted.issuerKey, network: wanted.network)
            #expect(wanted == made)
            #expect(wanted.hashValue == made.hashValue)
        }
    }

    @Test("nothing is wanted that could not change the verdict")
    func notWanted() throws {
        let supplied = Self.required {
            $0.evidence.crls = [Self.issuing.revocationList(), Self.authorityList]
        }
        #expect(try supplied.judge().verdict.wanted.isEmpty)
        let undetermined = Self.required { _ in }
        #expect(try undetermined.judge().verdict.wanted.count == 3)
        #expect(try undetermined.with { $0.host = "else.example" }.judge().verdict.wanted.isEmpty)
        #expect(try undetermined.with { $0.tls = .notSupplied }.judge().verdict.wanted.isEmpty)
        let revoked = Self.required {
            $0.evidence.crls = [Self.issuing.revocationList([Self.leaf])]
        }
        #expect(try revoked.judge().verdict.wanted.isEmpty)
        let passed = Self.world.with {
            for cause in RevocationCause.allCases {
                $0.requirements.revocation.causes[cause] = .pass
            }
        }
        #expect(try passed.judge().verdict.wanted.isEmpty)
    }

    @Test("fetching what is wanted and asking again settles it")
    func rounds() throws {
        var world = Self.required { _ in }
        let lists = [
            "http://issuing.example/crl": Self.issuing.revocationList(),
            "http://root.example/crl": Self.authorityList,
        ]
        let first = try world.judge()
        #expect(first.outcome == ["revocation-undetermined", "revocation-undetermined"])
        world.evidence.prepared = try first.verdict.wanted.compactMap { wanted in
            try lists[wanted.url].map {
                try PreparedEvidence(crl: $0, signers: [wanted.issuer], crypto: LibCryptoBackend())
            }
        }
        #expect(world.evidence.prepared.count == 2)
        let second = try world.judge()
        #expect(second.outcome == ["accept"])
        #expect(second.reported.isEmpty)
        // Three signatures of the path; none of the evidence.
        #expect(second.work?.signatures == first.work?.signatures)
    }

    // MARK: Traces and work

    @Test("a trace names the evidence that decided")
    func trace() throws {
        let list = Self.issuing.revocationList([Self.leaf], reason: .keyCompromise)
        let judged = try Self.world.with { $0.evidence.crls = [list] }.judge()
        guard case .revoked(let reference, let answer)? = judged.verdict.violations.first?.reason
        else {
            Issue.record("\(judged.outcome)")
            return
        }
        #expect(reference.position == 0)
        #expect(answer.digest?.bytes == TestHash.sha256.digest(list))
        #expect(answer.finding == .revoked(.keyCompromise, at: Self.revokedAt))
    }

    @Test("evidence that is more than the budget allows rejects")
    func tooMuch() throws {
        let list = Self.issuing.revocationList {
            $0.entries = (0..<30_000).map { number in
                .init([1, UInt8(number >> 8), UInt8(number & 0xff), 7, 7, 7, 7, 7], at: .day(-30))
            }
        }
        let world = Self.world.with { $0.evidence.crls = [list] }
        #expect(try world.judge().outcome == ["accept"])
        let judged = try world.with { $0.evidence.crls = Array(repeating: list, count: 12) }.judge()
        #expect(judged.outcome.contains("evidence-too-large"))
        #expect(!judged.verdict.isAccept)
    }
}

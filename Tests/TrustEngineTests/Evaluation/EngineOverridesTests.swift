import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// The demands that runs of public vectors lift: only in memory, and only the named ones.
/// `ConformanceTests` tests row by row, where the runner maps vectors, which demands each lifts.
@Suite struct EngineOverridesTests {
    /// The verdict's violations under overrides.
    private func outcome(_ world: World, _ overrides: EngineOverrides) throws -> [String] {
        let crypto = LibCryptoBackend()
        let engine = try Engine(
            table: world.engine().table, inputs: EngineInputs(), crypto: crypto,
            workLimit: Engine.standardWorkLimit, overrides: overrides)
        let request = TrustRequest(
            host: world.host, port: 443, presentedChain: world.chain, time: world.time,
            tls: world.tls, evidence: world.evidence)
        let explained = engine.explain(request)
        #expect(explained.verdict == engine.evaluate(request))
        #expect(explained.verdict == explained.trace.replayedVerdict())
        return explained.verdict.isAccept ? ["accept"] : explained.verdict.violations.map(\.id)
    }

    private func overrides(_ change: (inout EngineOverrides) -> Void) -> EngineOverrides {
        var overrides = EngineOverrides()
        change(&overrides)
        return overrides
    }

    @Test("an identity that is not asked is met by whatever a certificate presents")
    func identity() throws {
        let acme = Acme()
        let stranger = acme.issuing.issueLeaf(dns: ["stranger.example"])
        let world = World([stranger.der, acme.issuing.der], roots: [acme.root.der])
        #expect(try outcome(world, EngineOverrides()) == ["name-mismatch"])
        #expect(try outcome(world, overrides { $0.asksIdentity = false }) == ["accept"])
    }

    @Test("lifting one thing lifts nothing else")
    func others() throws {
        let acme = Acme()
        let clients = acme.presenting { $0.set(.extendedKeyUsage([OID.clientAuth])) }
        #expect(try outcome(clients, overrides { $0.asksKeyPurposes = false }) == ["accept"])
        let all = overrides {
            $0.asksIdentity = false
            $0.endEntityKeyUsage = .unchecked
            $0.anchorLimits = .allButDates
            $0.rsaMinimum = 1024
            $0.minimumHash = .sha1
            $0.evidenceMinimumHash = .sha1
        }
        #expect(try outcome(clients, all) == ["purpose-not-allowed"])
        let expired = acme.root { $0.notAfter = .at("2026-01-01") }
        #expect(try outcome(expired, all) == ["expired"])
        // An intermediate is not an anchor.
        let issuer = acme.issuing { $0.set(.basicConstraints(ca: false)) }
        #expect(try outcome(issuer, all) == ["not-a-ca"])
    }

    @Test("an anchor's certificate whose authority does not bind is a name and a key")
    func authority() throws {
        let changes: [(inout CertificateRecipe) -> Void] = [
            { $0.set(.basicConstraints(ca: false)) }, { $0.set(.keyUsage([.cRLSign])) },
            { $0.set(.unknown(critical: true)) },
            { $0.set(.policyConstraints(requireExplicit: 0)) },
        ]
        for change in changes {
            let world = Acme().root(change)
            #expect(try outcome(world, EngineOverrides()) != ["accept"])
            #expect(try outcome(world, overrides { $0.anchorLimits = .allButDates }) == ["accept"])
        }
    }

    @Test("an anchor's certificate whose authority does not bind limits no certificate policies")
    func policies() throws {
        let root = Scenario().root("Policy Root", key: .p256("policy root")) {
            $0.set(.certificatePolicies(["1.3.6.1.4.1.32473.1"]))
        }
        let issuing = root.issueCA("Policy CA", key: .p256("policy ca")) {
            $0.set(.certificatePolicies(["1.3.6.1.4.1.32473.2"]))
            $0.set(.policyConstraints(requireExplicit: 0))
        }
        let leaf = issuing.issueLeaf(dns: [World.host]) {
            $0.set(.certificatePolicies(["1.3.6.1.4.1.32473.2"]))
        }
        let world = World([leaf.der, issuing.der], roots: [root.der])
        #expect(try outcome(world, EngineOverrides()) == ["certificate-policy-not-satisfied"])
        #expect(try outcome(world, overrides { $0.anchorLimits = .allButDates }) == ["accept"])
    }

    @Test("limits are lifted of anchors that vouch for others, not of what is trusted as itself")
    func leaves() throws {
        let acme = Acme()
        var world = World([acme.good.der], roots: [acme.good.der])
        world.sets[0].groups[0].kind = .leaf
        world.requirements.keyPurposes = KeyPurposes(clientAuth: true)
        #expect(
            try outcome(world, overrides { $0.anchorLimits = .allButDates })
                == ["purpose-not-allowed"])
    }

    @Test("a table that claims what only memory may lift does not decode")
    func tablesRefuse() throws {
        let claims: [(String, (inout PolicyContents) -> Void)] = [
            ("no purpose", EngineOverridesTests.requiring { $0.keyPurposes = KeyPurposes() }),
            ("small keys", EngineOverridesTests.requiring { $0.rsaMinimum = 1024 }),
            ("SHA-1", EngineOverridesTests.requiring { $0.minimumHash = .sha1 }),
            ("authority", { $0.anchorSets[0].groups[0].ignoredLimits = .authority }),
            (
                "presence",
                { $0.anchorSets[0].groups[0].ignoredLimits = .basicConstraintsPresence }
            ),
            ("name and key", { $0.anchorSets[0].groups[0].ignoredLimits = .allButDates }),
        ]
        let crypto = LibCryptoBackend()
        let honest = try Acme().world.engine().table
        #expect(throws: Never.self) { try PolicyTable(decoding: honest.bytes, crypto: crypto) }
        for (name, claim) in claims {
            var contents = honest.contents()
            claim(&contents)
            let bytes = PolicyTable.encode(contents, provenance: nil, crypto: crypto).bytes
            #expect(bytes != honest.bytes, "\(name)")
            #expect(throws: TableDecodingError.self, "\(name)") {
                try PolicyTable(decoding: bytes, crypto: crypto)
            }
        }
    }

    private static func requiring(
        _ change: @escaping (inout Requirements) -> Void
    ) -> (inout PolicyContents) -> Void {
        { change(&$0.rules[0].body.requirements) }
    }

    @Test("the language has no word for limits that only memory lifts")
    func noWords() {
        #expect(AnchorLimits([.authority, .basicConstraintsPresence]).names.isEmpty)
    }
}

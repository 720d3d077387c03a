import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// ML-DSA in certificates (RFC 9881), through whole evaluations of chains that PyPI's
/// `cryptography` signed (`Tests/MLDSAChains/mint.py`).
@Suite("ML-DSA (RFC 9881)") struct MLDSATests {
    // MARK: Accepts

    private static let good: [Row] = [
        Row(
            "three parameter sets, 44 below 65 below 87", ["accept"], MLDSAChain.below65("leaf-44")),
        Row("65 below 65", ["accept"], MLDSAChain.below65("leaf-65")),
        Row("87 below 65", ["accept"], MLDSAChain.below65("leaf-87")),
        Row("44 below 44", ["accept"], MLDSAChain.below44("leaf-44-by-44")),
        Row("P-256 below ML-DSA", ["accept"], MLDSAChain.below65("leaf-p256")),
        Row(
            "ML-DSA below P-256", ["accept"],
            MLDSAChain.world(["leaf-44-by-p256"], root: "classic-root")),
        Row(
            "section 5: keyUsage is optional", ["accept"], MLDSAChain.below65("leaf-without-usage")),
        Row("made by hand", ["accept"], MLDSAChain.below44("edited-nothing")),
        Row(
            "the other authority of the name stands first", ["accept"],
            MLDSAChain.world(["leaf-44-by-44", "stranger", "issuing-44"])),
    ]

    @Test("is accepted under both standards, whatever is enforced", arguments: good)
    func accepted(_ row: Row) throws {
        for standard in [Standard.rfc5280, .webPKI] {
            for enforces in [false, true] {
                let world = row.world.with {
                    $0.sets[0].standard = standard
                    $0.requirements.enforcesIssuance = enforces
                }
                let judged = try world.judge()
                #expect(judged.outcome == row.expected, "\(standard) \(enforces)")
                #expect(judged.breaches == [])
            }
        }
    }

    // MARK: Refusals

    /// A path whose fault is in the signature of the end entity. It is refused whatever is only
    /// reported.
    private static let badSignatures: [Row] = [
        Row(
            "section 2: NULL as the parameters of the signature", ["unsupported-signature"],
            MLDSAChain.below44("signature-null")),
        Row(
            "NULL in the outer identifier alone", ["algorithm-mismatch", "unsupported-signature"],
            MLDSAChain.below44("signature-null-outside")),
        Row(
            "NULL in the inner identifier alone", ["algorithm-mismatch"],
            MLDSAChain.below44("signature-null-inside")),
        Row(
            "section 8: HashML-DSA", ["unsupported-signature"],
            MLDSAChain.below44("signature-hash-mldsa")),
        Row(
            "another parameter set than the key's", ["bad-signature"],
            MLDSAChain.below44("signature-named-65")),
        Row(
            "another parameter set outside alone", ["algorithm-mismatch", "bad-signature"],
            MLDSAChain.below44("signature-named-65-outside")),
        Row(
            "a signature of 65 that is named 44", ["bad-signature"],
            MLDSAChain.below44("signature-by-65-named-44")),
        Row(
            "a signature that is named ECDSA", ["bad-signature"],
            MLDSAChain.below44("signature-named-ecdsa")),
        Row("an octet too few", ["bad-signature"], MLDSAChain.below44("signature-short")),
        Row("an octet too many", ["bad-signature"], MLDSAChain.below44("signature-long")),
        Row("no octet", ["bad-signature"], MLDSAChain.below44("signature-empty")),
        Row("one bit", ["bad-signature"], MLDSAChain.below44("signature-one-bit")),
        Row(
            "section 3: a context that is not empty", ["bad-signature"],
            MLDSAChain.below44("signature-context")),
        Row(
            "the key of another authority of the name", ["bad-signature"],
            MLDSAChain.below44("signature-by-stranger")),
        Row(
            "the certificate of another authority of the name", ["bad-signature"],
            MLDSAChain.world(["leaf-44-by-44", "stranger"])),
    ]

    @Test("a signature that is none is refused", arguments: badSignatures)
    func badSignature(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
        let lenient = row.world.with {
            $0.report(.keys)
            $0.report(.signatures)
        }
        #expect(try lenient.judge().outcome == row.expected)
    }

    @Test(
        "a key that is none is not read",
        arguments: [
            ("key-null", "the key's parameters do not fit its algorithm"),
            ("key-short", "the key's octets do not fit its algorithm"),
            ("key-long", "the key's octets do not fit its algorithm"),
            ("key-empty", "the key's octets do not fit its algorithm"),
            ("key-unused-bit", nil),
            ("key-named-65", "the key's octets do not fit its algorithm"),
            ("key-in-octet-string", "the key's octets do not fit its algorithm"),
        ] as [(String, String?)])
    func badKey(_ name: String, _ reason: String?) throws {
        let judged = try MLDSAChain.below44(name).judge()
        #expect(judged.outcome == ["end-entity-unreadable"])
        guard case .endEntityUnreadable(let error)? = judged.verdict.violations.first?.reason else {
            return
        }
        #expect(error.field == "tbsCertificate.subjectPublicKeyInfo")
        if let reason { #expect(error.reason == reason) }
    }

    @Test("a signature that is no whole number of octets is not read")
    func unusedBit() throws {
        let outcome = try MLDSAChain.below44("signature-unused-bit").judge().outcome
        #expect(outcome == ["end-entity-unreadable"])
    }

    /// HashML-DSA is not an algorithm of certificates, so its keys are of no type that a policy
    /// names, and `report-only` does not let them through.
    @Test("a key of HashML-DSA is of no type") func hashKey() throws {
        let world = MLDSAChain.below44("key-hash-mldsa")
        #expect(try world.judge().outcome == ["key-type-not-allowed"])
        #expect(try world.with { $0.report(.keys) }.judge().outcome == ["key-type-not-allowed"])
    }

    // MARK: Key usage (section 5)

    @Test(
        "a bit of encryption is a breach of issuance",
        arguments: [
            "leaf-usage-digitalsignature-keyencipherment",
            "leaf-usage-digitalsignature-dataencipherment",
            "leaf-usage-digitalsignature-keyagreement",
            "leaf-usage-digitalsignature-keyagreement-encipheronly",
            "leaf-usage-digitalsignature-keyagreement-decipheronly",
        ])
    func keyUsage(_ name: String) throws {
        let noticed = try MLDSAChain.below65(name).judge()
        #expect(noticed.outcome == ["accept"])
        #expect(noticed.breaches == ["mldsa-key-usage"])
        let enforced = MLDSAChain.below65(name).with { $0.requirements.enforcesIssuance = true }
        #expect(try enforced.judge().outcome == ["mldsa-key-usage"])
        let waived = enforced.with { $0.waive(.issuance(IssuanceDemands([.mldsaKeyUsage]))) }
        #expect(try waived.judge().outcome == ["accept"])
    }

    @Test("a bit of encryption in a CA is a breach of issuance") func keyUsageOfCA() throws {
        let world = MLDSAChain.world(["leaf-by-odd", "odd-ca"])
        let noticed = try world.judge()
        #expect(noticed.outcome == ["accept"])
        #expect(noticed.breaches == ["mldsa-key-usage"])
        #expect(
            try world.with { $0.requirements.enforcesIssuance = true }.judge().outcome
                == ["mldsa-key-usage"])
        // Of an anchor as well.
        let anchor = MLDSAChain.world(["leaf-by-odd"], root: "odd-ca").with {
            $0.sets[0].groups[0] = AnchorGroup(
                source: .members([MLDSAChain.der("odd-ca")]), kind: .intermediate,
                standard: .rfc5280)
        }
        #expect(try anchor.judge().breaches == ["mldsa-key-usage"])
        #expect(
            try anchor.with { $0.requirements.enforcesIssuance = true }.judge().outcome
                == ["mldsa-key-usage"])
    }

    @Test(
        "a server's key that may not sign is refused, because ML-DSA does nothing else",
        arguments: ["leaf-usage-keyencipherment", "leaf-usage-keyagreement"])
    func keyUsageWithoutSignatures(_ name: String) throws {
        let judged = try MLDSAChain.below65(name).judge()
        #expect(judged.outcome == ["key-usage-missing"])
        guard case .path(.keyUsageMissing(_, let wanted))? = judged.verdict.violations.first?.reason
        else { return }
        #expect(wanted == "digitalSignature")
    }

    @Test("the bits are no breach where the key is of another kind") func keyUsageOfOthers() throws
    {
        let world = MLDSAChain.below65("leaf-p256-usage-keyagreement")
        #expect(try world.judge().breaches == [])
        #expect(
            try world.with { $0.requirements.enforcesIssuance = true }.judge().outcome
                == ["accept"])
    }

    // MARK: What a policy says

    private static let classic = KeyTypeSet(.rsa).union(KeyTypeSet(.p256))

    @Test("the fields list types and the scheme") func fields() throws {
        let world = MLDSAChain.below65("leaf-44")
        func outcome(_ change: (inout World) -> Void) throws -> [String] {
            try world.with(change).judge().outcome
        }
        let types = [KeyType.mldsa44, .mldsa65, .mldsa87].map { KeyTypeSet($0) }
        let all = types.reduce(KeyTypeSet()) { $0.union($1) }
        #expect(
            try outcome {
                $0.requirements.keyTypes = all
                $0.requirements.leafKeyTypes = types[0]
                $0.requirements.signatureSchemes = .mldsa
                $0.requirements.minimumHash = .sha512
            } == ["accept"])
        for type in types {
            #expect(
                try outcome {
                    $0.requirements.keyTypes = all.subtracting(type)
                    $0.requirements.leafKeyTypes = all.subtracting(type)
                } == ["key-type-not-allowed"])
        }
        #expect(
            try outcome { $0.requirements.leafKeyTypes = all.subtracting(types[0]) }
                == ["key-type-not-allowed"])
        #expect(
            try outcome {
                $0.requirements.signatureSchemes = SignatureSchemeSet.all.subtracting(.mldsa)
            } == ["signature-scheme-not-allowed", "signature-scheme-not-allowed"])
    }

    @Test("a rule that allows none reports them, where it only reports keys") func reported() throws
    {
        let world = MLDSAChain.below65("leaf-44").with {
            $0.requirements.keyTypes = Self.classic
            $0.requirements.leafKeyTypes = Self.classic
            $0.requirements.signatureSchemes = .ecdsa
            $0.report(.keys)
            $0.report(.signatures)
        }
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(Set(judged.reported) == ["key-type-not-allowed", "signature-scheme-not-allowed"])
    }

    /// A pin set of one key in service.
    private static func pins(_ match: KeyMatch, at position: PinPosition) -> [PinSetContents] {
        func pin(_ id: String, _ match: KeyMatch, _ position: PinPosition) -> PinContents {
            PinContents(id: id, matches: [match], position: position, note: nil)
        }
        return [
            PinSetContents(
                id: "lattice", keys: [pin("one", match, position)],
                backups: [pin("spare", World.key(of: .p256("a backup in a safe")), .any)],
                match: 1, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
        ]
    }

    @Test("pins and forbidden keys hold them") func keyMatches() throws {
        let world = MLDSAChain.below65("leaf-44")
        func pinned(_ kind: KeyMatch.Kind, _ name: String) throws -> [String] {
            let match = try MLDSAChain.match(kind, name)
            return try world.with { $0.pins = Self.pins(match, at: .any) }.judge().outcome
        }
        for name in ["leaf-44", "issuing-65", "root-87"] {
            #expect(try pinned(.spki, name) == ["accept"], "\(name)")
            #expect(try pinned(.certificate, name) == ["accept"], "\(name)")
            let match = try MLDSAChain.match(.spki, name)
            let forbidding = world.with {
                $0.requirements.forbiddenKeys = [
                    ForbiddenKey(id: "gone", matches: [match], notBefore: nil)
                ]
            }
            #expect(try forbidding.judge().outcome == ["forbidden-key"], "\(name)")
        }
        #expect(try pinned(.spki, "leaf-65") == ["pin-mismatch"])
        #expect(try pinned(.certificate, "leaf-44-by-44") == ["pin-mismatch"])
    }

    @Test("a pinned key is an anchor, for what it signed") func pinnedKeys() throws {
        let match = try MLDSAChain.match(.spki, "issuing-65")
        let world = MLDSAChain.below65("leaf-44").with {
            $0.sets = []
            $0.anchorsArePinnedKeys = true
            $0.pins = Self.pins(match, at: .ca)
        }
        #expect(try world.judge().outcome == ["accept"])
        let changed = world.with { $0.chain[0][$0.chain[0].count - 700] ^= 1 }
        #expect(try !changed.judge().verdict.isAccept)
        let stranger = MLDSAChain.below44("leaf-44-by-44").with {
            $0.sets = []
            $0.anchorsArePinnedKeys = true
            $0.pins = Self.pins(match, at: .ca)
        }
        #expect(try !stranger.judge().verdict.isAccept)
    }

    // MARK: Evidence

    private static func evidence(
        crl: String? = nil, ocsp: String? = nil, _ change: (inout World) -> Void = { _ in }
    ) -> World {
        MLDSAChain.below65("leaf-44").with { world in
            world.requirements.write(.revocationPreset, .word(1))
            world.requirements.revocation.scope = .leaf
            if let crl { world.evidence.crls = [MLDSAChain.der(crl)] }
            if let ocsp { world.evidence.ocspResponses = [MLDSAChain.der(ocsp)] }
            change(&world)
        }
    }

    @Test("CRLs and OCSP responses are signed by it")
    func evidenceCounts() throws {
        #expect(try Self.evidence(crl: "crl-good").judge().outcome == ["accept"])
        #expect(try Self.evidence(ocsp: "ocsp-good").judge().outcome == ["accept"])
        #expect(try Self.evidence(ocsp: "ocsp-delegated").judge().outcome == ["accept"])
        #expect(try Self.evidence(crl: "crl-revoked").judge().outcome == ["revoked"])
        #expect(try Self.evidence(ocsp: "ocsp-revoked").judge().outcome == ["revoked"])
        #expect(
            try Self.evidence(crl: "crl-revoked", ocsp: "ocsp-good").judge().outcome
                == ["revoked"])
    }

    @Test(
        "evidence that is not signed vouches for nothing",
        arguments: [
            ("crl-one-bit", nil), ("crl-null", nil), (nil, "ocsp-one-bit"), (nil, "ocsp-by-server"),
        ] as [(String?, String?)])
    func evidenceIsRefused(_ crl: String?, _ ocsp: String?) throws {
        let outcome = try Self.evidence(crl: crl, ocsp: ocsp).judge().outcome
        #expect(outcome == ["revocation-undetermined"])
    }

    /// A rule that does not list ML-DSA hears no good word that is signed by it, and hears that a
    /// certificate is revoked all the same.
    @Test("the rule's lists bind evidence") func evidenceUnderLists() throws {
        func outcome(_ word: String, _ change: (inout World) -> Void) throws -> [String] {
            try MLDSAChain.world(["leaf-p256-by-p256"], root: "classic-root").with { world in
                world.requirements.write(.revocationPreset, .word(1))
                world.evidence.ocspResponses = [MLDSAChain.der("ocsp-classic-\(word)")]
                change(&world)
            }.judge().outcome
        }
        let changes: [(String, (inout World) -> Void)] = [
            ("schemes", { $0.requirements.signatureSchemes = .ecdsa }),
            (
                "types",
                {
                    $0.requirements.keyTypes = Self.classic
                    $0.requirements.leafKeyTypes = Self.classic
                }
            ),
        ]
        #expect(try outcome("good") { _ in } == ["accept"])
        #expect(try outcome("revoked") { _ in } == ["revoked"])
        for (name, change) in changes {
            #expect(try outcome("good", change) == ["revocation-undetermined"], "\(name)")
            #expect(try outcome("revoked", change) == ["revoked"], "\(name)")
        }
    }

    // MARK: Work

    @Test("each signature is charged by its parameter set, remembered or not") func work() throws {
        let plain = LibCryptoBackend()
        let memory = SignatureMemory(capacity: 1_024)
        let remembering = RememberingBackend(plain, memory: memory)
        let world = MLDSAChain.below65("leaf-44")
        let first = try #require(try world.judge(crypto: plain).work)
        for _ in 0..<2 {
            #expect(try world.judge(crypto: remembering).work == first)
        }
        #expect(memory.count == 2)
        // One signature under a key of 87 and one under a key of 65.
        #expect(first.signatures == 2)
        #expect(first.spent >= 700 + 470)
    }
}

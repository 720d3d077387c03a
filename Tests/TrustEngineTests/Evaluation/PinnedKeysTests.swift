import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Pinned keys as the anchors of a rule (LANGUAGE section 5, `pinned-keys`): they are, and nothing
/// else is.
@Suite("pinned keys as anchors") struct PinnedKeysTests {
    private static let acme = Acme()
    private static let other = Scenario().root("Root B", key: .p256("evaluation root b"))

    /// What an entry compares, and whether the policy holds the certificate.
    private enum Entry: CaseIterable, CustomStringConvertible {
        case key, keyOfFile, certificate, certificateOfFile

        var description: String {
            switch self {
            case .key: return "spki"
            case .keyOfFile: return "spki-file"
            case .certificate: return "certificate"
            case .certificateOfFile: return "certificate-file"
            }
        }

        func pin(_ minted: Minted, at position: PinPosition) -> PinContents {
            let isFile = self == .keyOfFile || self == .certificateOfFile
            let match =
                self == .key || self == .keyOfFile
                ? World.key(of: minted.key) : World.certificate(of: minted)
            return PinContents(
                id: "key", matches: [match], position: position,
                certificates: isFile ? [minted.der] : [], note: nil)
        }
    }

    /// A chain, for a rule that pins one certificate.
    private static func world(
        _ chain: [[UInt8]], pinning minted: Minted, _ entry: Entry = .key,
        at position: PinPosition = .any
    ) -> World {
        var world = World(chain, roots: [other.der])
        world.anchorsArePinnedKeys = true
        world.pin([]) { $0.keys = [entry.pin(minted, at: position)] }
        return world
    }

    private static var chain: [[UInt8]] { [acme.good.der, acme.issuing.der, acme.root.der] }

    private static let placeRows: [Row] = {
        let minted: [(String, Minted)] = [
            ("leaf", acme.good), ("issuing", acme.issuing.certificate),
            ("root", acme.root.certificate),
        ]
        var rows: [Row] = []
        for entry in Entry.allCases {
            for position in [PinPosition.leaf, .ca, .anchor, .any] {
                for (name, certificate) in minted {
                    let fits = (position == .leaf) == (name == "leaf") || position == .any
                    rows.append(
                        Row(
                            "5 \(entry) of the \(name) at \(position.name)",
                            fits ? ["accept"] : ["anchor-not-trusted", "pin-mismatch"],
                            world(chain, pinning: certificate, entry, at: position)))
                }
            }
        }
        return rows
    }()

    @Test("each entry vouches from its own place", arguments: placeRows)
    func places(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("5 the path ends at the pinned certificate, and the trace says why") func path() throws {
        let leaf = try Self.world(Self.chain, pinning: Self.acme.good).judge()
        #expect(leaf.path == [World.host])
        let issuing = try Self.world(Self.chain, pinning: Self.acme.issuing.certificate).judge()
        #expect(issuing.path == [World.host, "Issuing A"])
        #expect(issuing.acceptance?.path.last?.origin == .presented(1))
        let ends = issuing.trace.steps.compactMap { step -> PathStep.End? in
            if case .path(let path) = step { return path.end }
            return nil
        }
        #expect(ends == [.anchor(set: "pinned-keys", standard: .rfc5280)])
        guard
            let rule = issuing.trace.steps.lazy.compactMap({ step -> RuleStep? in
                if case .rule(let rule) = step { return rule }
                return nil
            }).first
        else {
            Issue.record("no rule")
            return
        }
        #expect(rule.anchors == ["pinned-keys"])
    }

    @Test("5 a pinned certificate that was not sent ends the path", arguments: [true, false])
    func notSent(isFile: Bool) throws {
        let world = Self.world(
            [Self.acme.good.der, Self.acme.issuing.der], pinning: Self.acme.root.certificate,
            isFile ? .certificateOfFile : .certificate, at: .ca)
        let judged = try world.judge()
        #expect(judged.outcome == (isFile ? ["accept"] : ["issuer-not-found", "pin-mismatch"]))
        if isFile {
            #expect(judged.acceptance?.path.last?.origin == .anchor(set: "pinned-keys"))
        }
    }

    @Test("5 an end entity is not sent by a policy: its pin needs the certificate itself")
    func leafNotSent() throws {
        let world = Self.world(
            [Self.other.issueLeaf(dns: [World.host]).der], pinning: Self.acme.good,
            .certificateOfFile, at: .any)
        let outcome = try world.judge().outcome
        #expect(outcome == ["anchor-not-trusted", "pin-mismatch"])
    }

    @Test("5 anchor sets of the policy are no anchors beside pinned keys") func nothingElse() throws
    {
        var world = Self.world(Self.chain, pinning: Self.other.certificate)
        world.trust("corp-roots", [Self.acme.root.der])
        let outcome = try world.judge().outcome
        #expect(outcome == ["anchor-not-trusted", "pin-mismatch"])
    }

    @Test("5 what one rule trusts for its pin is no anchor of another rule that pins it too")
    func anotherRule() throws {
        let minted = Self.acme.issuing.certificate
        var world = Self.world(Self.chain, pinning: minted)
        world.anchorsArePinnedKeys = false
        world.otherRules = [
            RuleContents(
                id: "other", hosts: [HostPattern(host: .name("other.example"), port: nil)],
                body: RuleBody(
                    anchors: [], anchorsArePinnedKeys: true, pins: ["acme"], profile: "baseline",
                    requirements: Requirements(), identity: IdentityRequirement(), reportOnly: [],
                    waivers: [], owner: nil, note: nil))
        ]
        #expect(try world.judge().outcome == ["anchor-not-trusted"])
        #expect(try world.with { $0.host = "other.example" }.judge().outcome == ["name-mismatch"])
    }

    @Test("5 an entry at intermediate, which the compiler refuses here, vouches for nobody")
    func intermediate() throws {
        let world = Self.world(
            Self.chain, pinning: Self.acme.issuing.certificate, at: .intermediate)
        #expect(try !world.judge().verdict.isAccept)
    }

    // MARK: Hostile chains

    @Test("5 a certificate with the pinned key that cannot sign is worth nothing")
    func forgedAuthority() throws {
        // Anyone can put a public key into a certificate; the chain below it needs the private one.
        let thief = TestKey.p256("a thief")
        let forged = Scenario().root("Root A", key: thief) { $0.spki = Self.acme.root.key.spki }
        let leaf = Scenario().root("Root A", key: thief).issueLeaf(dns: [World.host])
        for entry in [Entry.key, .keyOfFile] {
            let world = Self.world(
                [leaf.der, forged.der], pinning: Self.acme.root.certificate, entry, at: .ca)
            let judged = try world.judge()
            #expect(judged.outcome == ["bad-signature"])
        }
    }

    @Test("5 a pinned certificate that is not on the path satisfies nothing") func appended() throws
    {
        let leaf = Self.other.issueLeaf(dns: [World.host])
        for position in [PinPosition.any, .ca, .anchor] {
            let world = Self.world(
                [leaf.der, Self.other.der, Self.acme.issuing.der, Self.acme.root.der],
                pinning: Self.acme.issuing.certificate, at: position)
            let judged = try world.judge()
            #expect(!judged.verdict.isAccept)
            #expect(judged.outcome.contains("anchor-not-trusted"))
        }
    }

    @Test("5 a looser twin of a certificate that the policy holds widens no limit")
    func looserTwin() throws {
        let strict = Scenario().root("Root A", key: Self.acme.root.key) {
            $0.set(.basicConstraints(ca: true, pathLength: 0))
        }
        let chain = Self.chain
        for entry in [Entry.keyOfFile, .certificateOfFile, .certificate] {
            // The chain has the twin: the same name and key, without the limit.
            let world = Self.world(chain, pinning: strict.certificate, entry, at: .ca)
            let judged = try world.judge()
            #expect(!judged.verdict.isAccept, "\(entry)")
        }
        // Where the policy holds only the key, the limits that were sent are the only limits.
        let bare = try Self.world(chain, pinning: strict.certificate, .key, at: .ca).judge()
        #expect(bare.outcome == ["accept"])
    }

    private static let limitRows: [Row] = {
        func issuing(_ change: @escaping (inout CertificateRecipe) -> Void) -> World {
            let changed = acme.root.issueCA("Issuing A", key: acme.issuing.key, change)
            return world([acme.good.der, changed.der], pinning: changed.certificate, at: .ca)
        }
        func leaf(_ change: @escaping (inout CertificateRecipe) -> Void) -> World {
            let changed = acme.issuing.issueLeaf(dns: [World.host], change)
            return world([changed.der], pinning: changed, at: .leaf)
        }
        return [
            Row("5 dates of the anchor", ["expired"], issuing { $0.notAfter = .at("2026-01-01") }),
            Row(
                "5 names of the anchor", ["name-not-permitted"],
                issuing { $0.set(.nameConstraints(excluded: [.dns("example")])) }),
            Row(
                "5 purposes of the anchor", ["purpose-not-allowed"],
                issuing { $0.set(.extendedKeyUsage([OID.codeSigning])) }),
            Row(
                "5 an anchor that is no CA", ["not-a-ca"],
                issuing { $0.set(.basicConstraints(ca: false)) }),
            Row(
                "5 an anchor with a critical extension of its own", ["unknown-critical-extension"],
                issuing { $0.set(.unknown(critical: true)) }),
            Row(
                "5 the anchor's own signature is not judged", ["accept"],
                issuing { $0.damage = .flippedBit }),
            Row("5 dates of the end entity", ["expired"], leaf { $0.notAfter = .at("2026-05-01") }),
            Row(
                "5 identity of the end entity", ["name-mismatch"],
                leaf { $0.set(.subjectAltName([.dns("other.example")])) }),
            Row(
                "5 purposes of the end entity", ["purpose-not-allowed"],
                leaf { $0.set(.extendedKeyUsage([OID.codeSigning])) }),
        ]
    }()

    @Test("5 limits, dates and identity bind as on any path", arguments: limitRows)
    func limits(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("5 signatures between the end entity and the pinned key are checked") func signatures()
        throws
    {
        let bad = Self.acme.issuing.issueLeaf(dns: [World.host]) { $0.damage = .flippedBit }
        let world = Self.world(
            [bad.der, Self.acme.issuing.der], pinning: Self.acme.issuing.certificate, at: .ca)
        let outcome = try world.judge().outcome
        #expect(outcome == ["bad-signature"])
    }

    @Test("5 the rule's floors hold for the pinned certificate, too") func floors() throws {
        var world = Self.world(Self.chain, pinning: Self.acme.issuing.certificate, at: .ca)
        world.requirements.keyTypes = KeyTypeSet(.rsa)
        world.requirements.leafKeyTypes = [KeyTypeSet(.rsa), KeyTypeSet(.p256)]
        let outcome = try world.judge().outcome
        #expect(outcome.contains("key-type-not-allowed"))
    }

    // MARK: Expiry and waivers

    @Test("5 neither expiry nor a waiver of the pins widens the anchors") func neverWidened() throws
    {
        let leaf = Self.other.issueLeaf(dns: [World.host])
        let foreign = Self.world(
            [leaf.der, Self.other.der], pinning: Self.acme.issuing.certificate)
        for action in [PinSetContents.OnExpiry.fail, .report, .unpinned] {
            let ended = foreign.with {
                $0.pins[0].enforceUntil = .at("2026-01-01")
                $0.pins[0].onExpiry = action
            }
            let outcome = try ended.judge().outcome
            #expect(outcome.contains("anchor-not-trusted"))
        }
        let waived = try foreign.with { $0.waive(.pins) }.judge().outcome
        #expect(waived == ["anchor-not-trusted"])
    }

    @Test("5 keys of an ended set are anchors still") func endedSet() throws {
        let world = Self.world(Self.chain, pinning: Self.acme.issuing.certificate).with {
            $0.pins[0].enforceUntil = .at("2026-01-01")
        }
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.notices == ["pin-overdue"])
    }

    @Test("5, 6 two pin sets: either ends a path, both must be satisfied") func twoSets() throws {
        var world = Self.world(Self.chain, pinning: Self.acme.issuing.certificate, at: .ca)
        world.pin([(Self.acme.good, .leaf)], id: "second")
        let judged = try world.judge()
        #expect(judged.path == [World.host, "Issuing A"])
        let half = try world.with { $0.chain = [Self.acme.good.der] }.judge().outcome
        #expect(half == ["pin-mismatch"])
    }

    @Test("6 a backup is an anchor as a key in service is") func backup() throws {
        var world = Self.world(Self.chain, pinning: Self.acme.issuing.certificate)
        world.pins[0].backups = world.pins[0].keys
        world.pins[0].keys = [Entry.key.pin(Self.other.certificate, at: .any)]
        let outcome = try world.judge().outcome
        #expect(outcome == ["accept"])
    }

    @Test("12.1 path waiver: the end entity alone, as pinned as it was") func pathWaiver() throws {
        let own = Scenario().selfSignedLeaf(dns: [World.host])
        let world = Self.world([own.der], pinning: own, at: .ca).with { $0.waive(.path) }
        let judged = try world.judge()
        #expect(judged.outcome == ["pin-mismatch"])
        let unwaived = try Self.world([own.der], pinning: own, at: .leaf).judge()
        #expect(unwaived.outcome == ["accept"])
    }

    @Test("a flood of certificates with the pinned key ends within the budget") func flood() throws
    {
        let thief = TestKey.p256("a thief")
        let leaf = Scenario().root("Root A", key: thief).issueLeaf(dns: [World.host])
        let copies = (0..<120).map { index in
            Scenario().root("Root A", key: thief) {
                $0.spki = Self.acme.root.key.spki
                $0.serial = [1, UInt8(index)]
            }.der
        }
        let world = Self.world([leaf.der] + copies, pinning: Self.acme.root.certificate, at: .ca)
        let judged = try world.judge()
        #expect(!judged.verdict.isAccept)
        #expect((judged.work?.spent ?? .max) <= Engine.standardWorkLimit)
    }
}

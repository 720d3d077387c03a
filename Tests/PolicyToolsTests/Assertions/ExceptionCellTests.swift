import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Every exception beside every demand. Where the exception makes the demand void, a minted request
/// is accepted that the demand forbids, and the prover refutes. Elsewhere the engine rejects the
/// request, and the prover proves.
@Suite("exceptions and demands") struct ExceptionCellTests {
    // MARK: The world

    private static let root = Scenario().root("Cell Root", key: .p384("cell root"))
    private static let issuing = root.issueCA("Cell Issuing", key: .p384("cell issuing"))
    private static let stranger = Scenario().root("Cell Stranger", key: .p384("cell stranger"))
    private static let host = "www.cell.example"
    private static let ends = UTCInstant.day(50)

    /// An exception with the form of it that lets the request of its own demand pass.
    struct Exception: CustomTestStringConvertible, Sendable {
        let waiver: Waiver.Tolerance?
        let check: ReportOnly.Check?

        var testDescription: String {
            waiver.map { "waivers.\($0.name)" } ?? "report-only.\(check?.name ?? "")"
        }

        func apply(to body: inout RuleBody) {
            if let waiver {
                body.waivers = [
                    Waiver(tolerance: waiver, until: ends, reason: "lab", owner: "qa", ticket: nil)
                ]
            }
            if let check {
                body.reportOnly = [ReportOnly(check: check, until: ends, note: nil)]
            }
        }
    }

    private static let exceptions: [Exception] =
        ([
            .identity, .path, .expired(seconds: 30 * 86_400), .revocation, .pins, .transparency,
            .tls(minimumVersion: .tls11), .keys(rsaMinimum: 1024),
            .issuance(IssuanceDemands([.subjectKeyIdentifierMissing])),
            .signatures(minimumHash: .sha1), .cleartext,
        ] as [Waiver.Tolerance]).map { Exception(waiver: $0, check: nil) }
        + (ReportOnly.Check.builtIn + [.custom("short")]).map { Exception(waiver: nil, check: $0) }

    /// What an exception does to a demand.
    enum Effect: Hashable {
        /// A request that the demand forbids is accepted.
        case void
        /// The demand holds.
        case none
        /// The text suspends the demand, although the engine accepts nothing that it forbids.
        case suspended
    }

    /// A demand, the rule that meets it, and a request that it forbids.
    struct Demand: CustomTestStringConvertible, Sendable {
        let text: String
        /// Gives the rule what the demand is about.
        var prepare: @Sendable (inout RuleBody) -> Void = { _ in }
        var chain: @Sendable () -> [[UInt8]] = { good }
        /// The chain where the leaf alone is judged.
        var chainOfLeaf: (@Sendable () -> [[UInt8]])? = nil
        var tls: @Sendable (Exception) -> TLSVersion = { _ in .tls13 }
        /// The exceptions that make it void, besides `waivers.cleartext`.
        var voids: Set<String> = []
        /// Those that only the text suspends it under.
        var suspends: Set<String> = []

        var testDescription: String { text }

        func effect(of exception: Exception) -> Effect {
            let name = exception.testDescription
            if voids.contains(name) || name == "waivers.cleartext" { return .void }
            return suspends.contains(name) ? .suspended : .none
        }
    }

    private static func chain(
        _ leaf: Minted, _ authority: Authority = issuing
    ) -> [[UInt8]] { [leaf.der, authority.der] }

    private static let good = chain(issuing.issueLeaf(dns: [host], key: .p256("cell leaf")))

    private static func expiring(_ authority: Authority) -> [[UInt8]] {
        chain(
            authority.issueLeaf(
                dns: [host], key: .p256("cell leaf"), notBefore: .day(-40), notAfter: .day(-3)),
            authority)
    }

    /// An issuing authority below the root, changed, and a good leaf below it.
    private static func below(
        _ key: TestKey, _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> [[UInt8]] {
        let authority = root.issueCA("Cell Other", key: key, change)
        return chain(authority.issueLeaf(dns: [host], key: .p384("cell leaf")), authority)
    }

    private static func set(_ field: ProfileField, _ value: FieldValue)
        -> @Sendable (
            inout RuleBody
        ) -> Void
    {
        { $0.requirements.write(field, value) }
    }

    private static func match(_ key: TestKey) -> KeyMatch {
        guard let digest = Digest(.sha256, bytes: key.spkiSHA256) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return KeyMatch(kind: .spki, digest: digest)
    }

    private static let key = match(issuing.key)

    private static let logList: LogListContents = {
        let bytes = Array(
            TestLogList.json([TestLog("one", of: "A"), TestLog("two", of: "B")]).utf8)
        return LogListContents(
            digest: LibCryptoBackend().digest(.sha256, of: bytes.span), bytes: bytes)
    }()

    private static let demands: [Demand] = [
        Demand(
            text: "at-least: { tls.minimum-version: tls1.3 }",
            prepare: set(.tlsMinimumVersion, .word(Int(TLSVersion.tls13.rawValue))),
            tls: { $0.waiver == nil ? .tls12 : .tls11 },
            voids: ["waivers.tls", "report-only.tls"]),
        Demand(
            text: "at-least: { keys.rsa-minimum: 3072 }",
            prepare: set(.rsaMinimum, .integer(3072)),
            chain: { chain(issuing.issueLeaf(dns: [host], key: .rsa2048("cell leaf"))) },
            chainOfLeaf: { below(.rsa2048("cell other")) },
            voids: ["waivers.keys", "report-only.keys", "waivers.path"]),
        Demand(
            text: "at-least: { keys.leaf-types: [p256] }",
            prepare: set(.leafKeyTypes, .words(1 << 1)),
            chain: { chain(issuing.issueLeaf(dns: [host], key: .p384("cell leaf"))) },
            voids: ["report-only.keys"], suspends: ["waivers.keys"]),
        Demand(
            text: "at-least: { signatures.minimum-hash: sha384 }",
            prepare: { $0.requirements.minimumHash = .sha384 },
            chain: { below(.p256("cell other")) },
            chainOfLeaf: {
                let authority = Scenario().root("Cell Weak", key: .p256("cell weak"))
                    .issueCA("Cell Below", key: .p384("cell below"))
                return chain(authority.issueLeaf(dns: [host], key: .p384("cell leaf")), authority)
            }, voids: ["waivers.signatures", "report-only.signatures", "waivers.path"]),
        Demand(
            text: "at-least: { path.issuance: enforce }",
            prepare: { $0.requirements.enforcesIssuance = true },
            chain: {
                below(.p384("cell other")) {
                    $0.extensions = [
                        .basicConstraints(ca: true), .keyUsage([.keyCertSign, .cRLSign]),
                        .authorityKeyIdentifier(root.key.keyIdentifier),
                    ]
                }
            }, voids: ["waivers.issuance", "waivers.path"]),
        Demand(
            text: "at-least: { transparency.preset: chrome }",
            prepare: {
                $0.requirements.transparency.preset = .chrome
                $0.requirements.transparency.logList = logList.digest
            }, voids: ["waivers.transparency", "report-only.transparency"],
            suspends: ["waivers.path"]),
        Demand(
            text: "at-least: { revocation.preset: require }",
            prepare: set(.revocationPreset, .word(1)),
            voids: ["waivers.revocation", "report-only.revocation"], suspends: ["waivers.path"]),
        Demand(
            text: "at-least: { validity.clock-skew: 5min }",
            prepare: set(.clockSkew, .seconds(300)), chain: { expiring(issuing) },
            chainOfLeaf: { below(.p384("cell other")) { $0.notAfter = .day(-3) } },
            voids: ["waivers.expired", "waivers.path"]),
        Demand(
            text: "at-least: { validity.maximum-lifetime: 100d }",
            prepare: set(.maximumLifetime, .seconds(100 * 86_400)),
            chain: {
                chain(
                    issuing.issueLeaf(
                        dns: [host], key: .p256("cell leaf"), notBefore: .day(-5),
                        notAfter: .day(300)))
            }, voids: ["report-only.lifetime"]),
        Demand(
            text: "at-least: { path.maximum-intermediates: 0 }",
            prepare: set(.maximumIntermediates, .integer(0)), voids: ["waivers.path"]),
        Demand(
            text: "at-least: { checks: [short] }", prepare: set(.checks, .names(["short"])),
            voids: ["report-only.short", "waivers.path"]),
        Demand(
            text: "at-least: { pins: bound }", prepare: { $0.pins = ["pin"] },
            chain: { below(.p384("cell other")) }, voids: ["waivers.pins", "report-only.pins"],
            suspends: ["waivers.path"]),
        Demand(
            text: "at-least: { anchors: no-system }",
            chain: { chain(stranger.issueLeaf(dns: [host], key: .p256("cell leaf")), stranger) },
            voids: ["waivers.path"]),
        Demand(
            text: "no-anchor: { spki: \"\(stranger.certificate.pin)\" }",
            chain: { chain(stranger.issueLeaf(dns: [host], key: .p256("cell leaf")), stranger) },
            voids: ["waivers.path"]),
        Demand(
            text: "never-trusts: { spki: \"\(issuing.certificate.pin)\" }",
            prepare: {
                $0.requirements.forbiddenKeys = [ForbiddenKey(id: "gone", matches: [key])]
            }, voids: ["waivers.path"]),
        Demand(
            text: "identity: host",
            chain: { chain(issuing.issueLeaf(dns: ["other.example"], key: .p256("cell leaf"))) },
            voids: ["waivers.identity"]),
    ]

    // MARK: Cells

    private static func policy(_ body: RuleBody, floor: RuleBody) -> PolicyTable {
        func name(_ text: String) -> HostPattern { HostPattern(host: .name(text), port: nil) }
        let pin = PinContents(id: "now", matches: [key], position: .any, note: nil)
        let spare = PinContents(
            id: "spare",
            matches: [match(.p256("cell spare"))], position: .any, note: nil)
        return PolicyTable.encode(
            PolicyContents(
                defaultRule: .deny,
                rules: [
                    RuleContents(id: "floor", hosts: [name("floor.example")], body: floor),
                    RuleContents(id: "it", hosts: [name(host)], body: body),
                ],
                anchorSets: [
                    AnchorSetContents(
                        id: "corp",
                        groups: [AnchorGroup(source: .members([root.der]))])
                ],
                pinSets: [
                    PinSetContents(
                        id: "pin", keys: [pin], backups: [spare], match: 1, warnFrom: nil,
                        enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
                ], logLists: [logList]), provenance: nil, crypto: LibCryptoBackend())
    }

    private static func isProved(_ text: String, _ table: PolicyTable) throws -> Bool {
        let file = SourceFile(
            path: "a.assert.yaml",
            bytes: Array(
                """
                hawser-assert: 1
                assertions:
                  said:
                    hosts: ["\(host)"]
                    during: { from: \(UTCInstant.day(0)), until: \(UTCInstant.day(1)) }
                    \(text)

                """.utf8))
        let read = AssertionFile.read(
            file, of: nil, resources: NoResources(), crypto: LibCryptoBackend())
        let assertion = try #require(
            read.assertions?.first, "\(read.diagnostics.map(\.message))")
        let result = try AssertionProver(
            table, at: .day(0), neighbours: .none, crypto: LibCryptoBackend()
        ).prove(assertion, in: file)
        return result.isProved
    }

    @Test("each cell", arguments: exceptions, demands)
    func cell(_ exception: Exception, _ demand: Demand) throws {
        var floor = RuleBody(
            anchors: ["corp"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        demand.prepare(&floor)
        var body = floor
        exception.apply(to: &body)
        let table = Self.policy(body, floor: floor)
        let engine = try Engine(
            table: table,
            inputs: EngineInputs(
                systemStore: [],
                checks: [
                    "short": CustomCheck { $0.path.count < 3 ? .pass : .fail(reason: "long") }
                ]), crypto: LibCryptoBackend())
        let isClear = exception.waiver == .cleartext
        let isAlone = exception.waiver == .path
        func accepts(_ name: String) -> Bool {
            engine.evaluate(
                TrustRequest(
                    host: name, port: 443,
                    presentedChain: isClear
                        ? [] : isAlone ? (demand.chainOfLeaf ?? demand.chain)() : demand.chain(),
                    time: .day(0),
                    tls: isClear
                        ? .cleartext : .observed(TLSParameters(version: demand.tls(exception))),
                    evidence: Evidence())
            ).isAccept
        }
        let effect = demand.effect(of: exception)
        #expect(accepts(Self.host) == (effect == .void))
        #expect(try Self.isProved(demand.text, table) == (effect == .none))
        // Whatever accepts more is weaker than the rule without the exception.
        if effect == .void {
            #expect(try !Self.isProved("no-weaker-than: { rule: floor }", table))
        }
        #expect(try !Self.isProved("exceptions: none", table))
        #expect(try !Self.isProved("decision: deny", table))
        let name = exception.testDescription
        #expect(try Self.isProved("exceptions: { \(name): \(Self.ends) }", table))
        #expect(try !Self.isProved("exceptions: { \(name): \(UTCInstant.day(0)) }", table))
    }

    @Test("each demand is proved of the rule without an exception", arguments: demands)
    func plain(_ demand: Demand) throws {
        var body = RuleBody(
            anchors: ["corp"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: [], owner: "web", note: nil)
        demand.prepare(&body)
        let table = Self.policy(body, floor: body)
        #expect(try Self.isProved(demand.text, table))
        #expect(try Self.isProved("no-weaker-than: { rule: floor }", table))
        #expect(try Self.isProved("exceptions: none", table))
        #expect(try Self.isProved("owned-by: web", table))
        #expect(try !Self.isProved("owned-by: bank", table))
    }
}

/// Statements that name no file.
private struct NoResources: UnitResources {
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        throw ResourceError(code: .notFound, context: "there is no `\(path)`")
    }

    func list(_ folder: String) throws(ResourceError) -> [String] {
        throw ResourceError(code: .notFound, context: "there is no `\(folder)`")
    }
}

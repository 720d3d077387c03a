import JSONSchemaSupport
import Testing
import TrustEngine

@testable import Rendering

/// What `explain` advises lets nobody pass whom the reader did not mean.
@Suite("what explain advises")
struct RepairTests {
    /// What the deciding rule covers, and how that is known.
    enum Cover: String, CaseIterable {
        case alone, onePort, pinnedKeys
        /// The rule is for the host alone, and has a waiver.
        case withWaiver
        case severalPatterns, wildcard, fallback
        /// The rule names the host exactly, and the table that judged is not at hand.
        case noTable, otherTable

        /// Whether lines may be offered for the rule.
        var isForTheHostAlone: Bool { [.alone, .onePort, .pinnedKeys].contains(self) }

        var patterns: [HostPattern] {
            switch self {
            case .onePort: return [.name("api.acme.example", 443)]
            case .wildcard: return [.any("acme.example")]
            case .fallback: return []
            case .severalPatterns:
                return [
                    .name("api.acme.example"), .name("www.acme.example"),
                ]
            default: return [.name("api.acme.example")]
            }
        }

        /// The table that judged.
        var table: PolicyTable {
            let waiver = Waiver(
                tolerance: .cleartext, until: TraceSamples.noon, reason: "r", owner: "o",
                ticket: nil)
            return SampleTable.table(
                patterns.isEmpty ? [] : [("api", patterns)], denies: false,
                waivers: self == .withWaiver ? [waiver] : [])
        }

        /// The table that is at hand when the trace is told.
        var tableAtHand: PolicyTable? {
            switch self {
            case .noTable: return nil
            case .otherTable: return SampleTable.table([("api", patterns)], denies: true)
            default: return table
            }
        }

        /// A reject of a request for `api.acme.example`.
        func explanation(_ violations: [Violation]) -> Explanation {
            let table = table
            let steps: [TraceStep] = [
                .engine(EngineStep(policyDigest: table.policyDigest, systemStoreDigest: nil)),
                .request(
                    RequestStep(
                        host: "api.acme.example", canonicalHost: "api.acme.example", port: 443,
                        time: TraceSamples.noon, presented: 1, tls: .notSupplied)),
                .rule(
                    RuleStep(
                        rule: patterns.isEmpty ? "" : "api",
                        selection: patterns.first.map { .pattern($0.canonicalText) }
                            ?? .defaultBody,
                        profile: "baseline",
                        anchors: self == .pinnedKeys ? ["pinned-keys"] : ["acme", "system"],
                        pins: ["acme-api"], guarantee: nil)),
                .certificate(
                    CertificateStep(
                        index: 0,
                        status: .read(
                            subject: TraceSamples.leaf.subject,
                            fingerprint: TraceSamples.leaf.fingerprint))),
            ]
            return Explanation(
                verdict: Verdict(
                    outcome: .reject(violations), policyDigest: table.policyDigest,
                    systemStoreDigest: nil), trace: Trace(steps: steps))
        }
    }

    /// One repair as JSON has it.
    private struct Offer {
        let text: String
        let snippet: [String]
    }

    /// What JSON offers, and all the words of it, those of the text that people read included.
    private static func advice(
        _ violations: [Violation], _ cover: Cover
    ) throws -> (offers: [Offer], words: String) {
        let explanation = cover.explanation(violations)
        let table = cover.tableAtHand
        let json = try JSONDocument(
            text: TraceJSON.render(explanation, provenance: nil, table: table))
        let offers = (json["repairs"]?.items ?? []).map { repair in
            Offer(
                text: repair["text"]?.text ?? "",
                snippet: repair["snippet"]?.items.compactMap(\.text) ?? [])
        }
        let text = TraceText.render(
            explanation, provenance: nil, table: table, options: .init(detail: .everything))
        let section = text.split(separator: "what would change it").last.map(String.init) ?? ""
        let shown = section.split(separator: "every step:").first.map(String.init) ?? ""
        for line in offers.flatMap({ [$0.text] + $0.snippet }) {
            #expect(shown.contains(line), "\(line)")
        }
        return (offers, offers.flatMap { [$0.text] + $0.snippet }.joined(separator: "\n") + shown)
    }

    /// Every kind of violation, and every form of those whose repairs differ.
    static let violations: [Violation] =
        TraceSamples.violations + TraceSamples.anchorConstraints.dropFirst()
        + StandardDemand.allCases.flatMap { demand in
            [TraceSamples.leaf, TraceSamples.root].map {
                .standardNotMet($0, demand: demand, found: "x")
            }
        }
        + RevocationCause.allCases.map {
            .revocationUndetermined(TraceSamples.leaf, cause: $0, answers: [])
        }
        + [
            .anchorNotTrusted(
                TraceSamples.root, heldBy: ["system", "old"], anchors: ["acme", "system"]),
            .expired(
                TraceSamples.root, notAfter: TraceSamples.noon.advanced(bySeconds: -400 * 86_400),
                time: TraceSamples.noon, tolerance: 0),
            .expired(
                TraceSamples.leaf, notAfter: TraceSamples.noon.advanced(bySeconds: -86_400 * 9),
                time: TraceSamples.noon, tolerance: 86_400),
            .tlsVersion(.tls10, minimum: .tls12, maximum: .tls13),
            .tlsVersion(.tls12, minimum: .tls13, maximum: .tls13),
            .tlsVersion(.tls13, minimum: .tls12, maximum: .tls12),
            .nameMismatch(wanted: ["spiffe://mesh.example/pay"], presented: ["evil.example"]),
            .nameMismatch(wanted: ["api.acme.example"], presented: ["evil.example"]),
            .nameMismatch(wanted: ["api.acme.example"], presented: []),
            misplacedPin,
        ]

    /// A pin that is on the path, at another place than it is wanted at.
    private static let misplacedPin = Violation.pinMismatch(
        PinMismatch(
            set: "acme-api", needed: 1, matched: 0,
            wanted: [
                .init(
                    id: "issuing", isBackup: false, position: "anchor", digests: ["sha256/DDDD"],
                    matched: false)
            ],
            found: [
                .init(certificate: TraceSamples.leaf, spki: "sha256/CCCC"),
                .init(certificate: TraceSamples.issuing, spki: "sha256/DDDD"),
            ]))

    /// What no advice holds, whatever the rule covers: keys of the language that let somebody else
    /// vouch, another name stand or a demand go, and the words that they were once offered with.
    private static let never = [
        "ignore-limits", "kind:", "kind `", "anchors:", "[system", "files:", "pem:", "standard:",
        "keys:", "spki:", "certificate:", "at: leaf", "identity:", "rules:", "hosts:", "pins: [",
        "report-only:", "revocation:", "transparency:", "path:", "constraints:",
        "cleartext:", "its profile", "trust this", "trust that", "pin this", "pin the key",
        "name its set", "add its certificate", "add one of them", "for `default`", "delete the",
        "to pin set", "`system`",
    ]

    /// What may be offered to be written into a rule for the asked host alone.
    private static let waivers = ["expired", "tls-version"] + IssuanceDemands.all.ids

    @Test("nothing offered lets more pass than was meant", arguments: violations, Cover.allCases)
    func nothingWeaker(_ violation: Violation, _ cover: Cover) throws {
        let (offers, words) = try Self.advice([violation], cover)
        #expect(!offers.isEmpty)
        for part in Self.never {
            #expect(!words.contains(part), "\(violation.id), \(cover): \(part)\n\(words)")
        }
        let lines = offers.flatMap(\.snippet)
        guard cover.isForTheHostAlone, Self.waivers.contains(violation.id) else {
            #expect(lines == [], "\(violation.id), \(cover)")
            #expect(!words.contains("waivers:"), "\(violation.id), \(cover)")
            return
        }
        // Lines are a waiver with an end, and what stands above them says for whom.
        for offer in offers where !offer.snippet.isEmpty {
            #expect(offer.snippet.first == "waivers:")
            #expect(offer.snippet.count == 2)
            #expect(offer.snippet.last?.contains("until: 2026-03-31 }") == true)
            #expect(offer.text.contains("which is for `api.acme.example` alone"))
        }
    }

    @Test(
        "a waiver is offered where the rule is for the asked host alone", arguments: Cover.allCases)
    func waiver(_ cover: Cover) throws {
        for violation in Self.violations
        where violation.id == "expired" || violation.id == "tls-version" {
            if case .path(.expired(_, _, _, let tolerance)) = violation.reason, tolerance > 0 {
                continue
            }
            if case .tlsVersion(let version, _, _) = violation.reason, version >= .tls12 {
                continue
            }
            let (offers, words) = try Self.advice([violation], cover)
            #expect(
                offers.contains { !$0.snippet.isEmpty } == cover.isForTheHostAlone, "\(cover)")
            if cover == .withWaiver {
                #expect(words.contains("beside those it has"))
            } else if !cover.isForTheHostAlone {
                #expect(
                    words.contains("in a rule of its own for `api.acme.example` alone"), "\(cover)")
            }
        }
    }

    @Test(
        "a waiver is not offered where something else is wrong too",
        arguments: violations.filter { $0.id != "expired" }, [Cover.alone, .wildcard])
    func severalFaults(_ violation: Violation, _ cover: Cover) throws {
        let expired = Violation.expired(
            TraceSamples.leaf, notAfter: TraceSamples.noon.advanced(bySeconds: -86_400),
            time: TraceSamples.noon, tolerance: 0)
        let (offers, words) = try Self.advice([violation, expired], cover)
        #expect(offers.allSatisfy { $0.snippet.isEmpty }, "\(violation.id)")
        #expect(!words.contains("waivers:"), "\(violation.id)")
        #expect(words.contains("only once nothing else is wrong"), "\(violation.id)")
    }

    @Test(
        "a stranger is named, and the owner asked, before anything else",
        arguments: violations.filter {
            ["issuer-not-found", "self-signed-leaf", "anchor-not-trusted", "pin-mismatch"]
                .contains($0.id)
        }, Cover.allCases)
    func stranger(_ violation: Violation, _ cover: Cover) throws {
        let (offers, _) = try Self.advice([violation], cover)
        let first = try #require(offers.first?.text)
        #expect(
            first.hasPrefix("something may be answering in place of `api.acme.example`: "),
            "\(first)")
        #expect(first.contains("`CN=api.acme.example`"))
        let compared =
            violation.id == "pin-mismatch" ? "sha256/CCCC" : TraceSamples.leaf.fingerprint.text
        #expect(first.contains("`\(compared)`"), "\(first)")
        #expect(
            offers.dropFirst().contains {
                $0.text.contains(
                    "ask whoever runs `api.acme.example`, by another way than this connection")
            })
        // Beside a mismatch of pins the key is known, and only it is named.
        let (both, words) = try Self.advice([violation, TraceSamples.pinMismatch], cover)
        #expect(both.first?.text.contains("`sha256/CCCC`") == true)
        #expect(!words.contains("sha256/EEEE"))
    }

    @Test("a missing intermediate is sent, or offered and never trusted")
    func missingIntermediate() throws {
        let (_, words) = try Self.advice(
            [.issuerNotFound(last: TraceSamples.leaf, issuer: "CN=Acme Issuing", unreadable: [])],
            .wildcard)
        #expect(words.contains("have the server send the certificate of `CN=Acme Issuing`"))
        #expect(
            words.contains("under `intermediates` of the anchor set of that authority (`acme`)"))
        let (_, pinned) = try Self.advice(
            [.issuerNotFound(last: TraceSamples.leaf, issuer: "CN=Acme Issuing", unreadable: [])],
            .pinnedKeys)
        #expect(!pinned.contains("intermediates"))
    }

    @Test("names that a stranger presents are not offered as the host's")
    func namesOfAStranger() throws {
        let mismatch = Violation.nameMismatch(
            wanted: ["api.acme.example"], presented: ["evil.example"])
        let (_, known) = try Self.advice([mismatch], .alone)
        #expect(known.contains("let `identity` list that name, in rule `api`"))
        let (_, stranger) = try Self.advice(
            [.selfSignedLeaf(TraceSamples.leaf), mismatch], .alone)
        #expect(!stranger.contains("identity"))
    }
}

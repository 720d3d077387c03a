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
        /// The rule is only for the host, and has a waiver.
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

    /// What JSON offers, and all the words of it.
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
        return (offers, offers.flatMap { [$0.text] + $0.snippet }.joined(separator: "\n"))
    }

    /// The keys that would let violations pass.
    private static func change(_ violations: [Violation], _ cover: Cover) -> PolicyChange? {
        let explanation = cover.explanation(violations)
        return RepairFinder(
            TraceOutline(explanation.trace), violations, table: cover.tableAtHand
        ).change
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

    @Test("nothing offered lets more pass than was meant", arguments: violations, Cover.allCases)
    func nothingWeaker(_ violation: Violation, _ cover: Cover) throws {
        let (offers, words) = try Self.advice([violation], cover)
        #expect(!offers.isEmpty)
        for part in Self.never {
            #expect(!words.contains(part), "\(violation.id), \(cover): \(part)\n\(words)")
        }
        // A trace and a table prove nothing, so the answer has no lines.
        #expect(offers.allSatisfy { $0.snippet.isEmpty }, "\(violation.id), \(cover)")
        #expect(!words.contains("waivers:"), "\(violation.id), \(cover)")
    }

    @Test("words about a waiver say where it belongs", arguments: Cover.allCases)
    func waiver(_ cover: Cover) throws {
        for violation in Self.violations
        where violation.id == "expired" || violation.id == "tls-version" {
            guard let change = Self.change([violation], cover) else { continue }
            #expect(change.parts.count == 1)
            let (_, words) = try Self.advice([violation], cover)
            let isAlone = cover.isForTheHostAlone || cover == .withWaiver
            #expect(
                words.contains(
                    isAlone
                        ? "lets it pass, in rule `api`"
                        : "in a rule of its own for `api.acme.example:443` alone"), "\(words)")
        }
    }

    @Test("words about a rule for more than the host say how much more it covers")
    func howMuchMore() throws {
        let expired = Violation.expired(
            TraceSamples.leaf, notAfter: TraceSamples.noon.advanced(bySeconds: -86_400),
            time: TraceSamples.noon, tolerance: 0)
        let told: [(Cover, String)] = [
            (.wildcard, "rule `api` covers every host of `**.acme.example`"),
            (.severalPatterns, "rule `api` covers 2 patterns"),
            (.fallback, "`default` decides every host that no rule names"),
            (.noTable, "rule `api` may cover more"),
        ]
        for (cover, text) in told {
            #expect(try Self.advice([expired], cover).words.hasSuffix(text), "\(cover)")
        }
    }

    @Test("TLS 1.2 under a floor of 1.3 is reported, never waived down to 1.0")
    func tls12() throws {
        let violation = Violation.tlsVersion(.tls12, minimum: .tls13, maximum: .tls13)
        #expect(Self.change([violation], .alone)?.parts == [.reportOnly(.tls)])
        let (_, words) = try Self.advice([violation], .alone)
        #expect(words.contains("until then `report-only` of `tls`, with an end, lets it pass"))
        #expect(!words.contains("waiver") && !words.contains("tls1.0"), "\(words)")
    }

    @Test("RSA below the floor has the waiver that exists, down to 1024 bits")
    func weakKeys() throws {
        func change(_ bits: Int, _ minimum: Int) -> [PolicyChange.Part]? {
            Self.change(
                [Violation(.keyTooSmall(TraceSamples.leaf, bits: bits, minimum: minimum))], .alone
            )?.parts
        }
        #expect(change(2_048, 3_072) == [.reportOnly(.keys)])
        #expect(
            change(1_024, 2_048)
                == [.waiver(.keys(rsaMinimum: 1_024), reason: "being replaced")])
        #expect(change(1_023, 2_048) == nil)
    }

    @Test(
        "a waiver is told with a condition where something else is wrong too",
        arguments: violations.filter { $0.id != "expired" }, [Cover.alone, .wildcard])
    func severalFaults(_ violation: Violation, _ cover: Cover) throws {
        let expired = Violation.expired(
            TraceSamples.leaf, notAfter: TraceSamples.noon.advanced(bySeconds: -86_400),
            time: TraceSamples.noon, tolerance: 0)
        let (_, words) = try Self.advice([violation, expired], cover)
        let both = Self.change([violation, expired], cover)
        let isStrange =
            violation.check == .anchor
            || ["bad-signature", "algorithm-mismatch"].contains(violation.id)
            || (Self.change([violation], cover) == nil
                && violation.texts.isInBetween(Situation(host: "api.acme.example")))
        #expect(
            (both != nil) == (Self.change([violation], cover) != nil), "\(violation.id)")
        // Nothing is said of a waiver where the path reaches no anchor of the rule.
        #expect(
            words.contains("only once nothing else is wrong")
                == (both == nil && !isStrange), "\(violation.id)\n\(words)")
        #expect(words.contains("waiver of `expired`") == !isStrange)
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
        let sibling = Violation.nameMismatch(
            wanted: ["api.acme.example"], presented: ["evil.example", "www.acme.example"])
        let (_, own) = try Self.advice([sibling], .pinnedKeys)
        #expect(
            own.contains("says that `www.acme.example` is the same service, let `identity` list"))
        #expect(try !Self.advice([mismatch], .pinnedKeys).words.contains("identity"))
        // Anybody gets a certificate of a public authority for a name of their own.
        let (_, known) = try Self.advice([sibling], .alone)
        #expect(!known.contains("identity"))
        let (_, stranger) = try Self.advice(
            [.selfSignedLeaf(TraceSamples.leaf, anchorOf: []), mismatch], .pinnedKeys)
        #expect(!stranger.contains("identity"))
    }

    @Test("a certificate that presents one URI alone can be listed by it, and by no other name")
    func oneURI() throws {
        let id = "spiffe://mesh.example/ns/pay/sa/api"
        func words(_ presented: [String], _ cover: Cover = .pinnedKeys) throws -> String {
            try Self.advice(
                [.nameMismatch(wanted: ["api.acme.example"], presented: presented)], cover
            ).words
        }
        let told = try words([id])
        #expect(told.contains("let `identity` list that name"))
        #expect(told.contains("`reference: listed` with `uri: [\"\(id)\"]` wants it in place of"))
        for presented in [
            [id, "spiffe://mesh.example/b"], [id, "evil.example"], ["spiffe://mesh.example/*"],
            ["SPIFFE://mesh.example/a"], ["spiffe://mesh.example/a\"]"], ["no uri"],
        ] {
            #expect(try !words(presented).contains("identity"), "\(presented)")
        }
        #expect(try !words([id], .alone).contains("identity"))
        #expect(
            try words(["www.acme.example"]).contains(
                "`reference: listed` with `dns: [\"www.acme.example\"]` wants it in place of"))
    }

    @Test("where an issuer is missing, the address that the certificate names is told as its word")
    func issuerAddress() throws {
        let violation = Violation.issuerNotFound(
            last: TraceSamples.leaf, issuer: "CN=Acme Issuing", unreadable: [])
        let explanation = Cover.wildcard.explanation([violation])
        func repairs(_ addresses: [Digest: [String]]) -> [String] {
            RepairFinder(
                TraceOutline(explanation.trace), [violation], table: nil,
                issuerAddresses: addresses
            ).repairs.map(\.text)
        }
        let told = repairs([TraceSamples.leaf.fingerprint: ["http://pki.example/`ca.der"]])
        #expect(
            told.contains {
                $0.contains("`CN=api.acme.example` itself says that `CN=Acme Issuing` is at ")
                    && $0.contains("`http://pki.example/\\u{60}ca.der`: whoever answers wrote that")
            }, "\(told)")
        let of = [TraceSamples.issuing.fingerprint: ["http://pki.example/ca.der"]]
        for told in [repairs([:]), repairs(of)] {
            #expect(!told.contains { $0.contains("http://") })
        }
    }

    @Test("a path that is too long is told with the number that would let it pass")
    func longPath() throws {
        func words(_ actual: Int) throws -> String {
            try Self.advice([.tooManyIntermediates(limit: 8, actual: actual)], .alone).words
        }
        #expect(try words(12).contains("let `path.maximum-intermediates` be 12"))
        #expect(try words(32).contains("let `path.maximum-intermediates` be 32"))
        #expect(try !words(33).contains("let `path.maximum-intermediates`"))
    }

    @Test("no waiting mends dates that cannot be met, and at 1970 the clock is wrong")
    func dates() throws {
        let early = UTCInstant(secondsSinceEpoch: 0)
        let later = TraceSamples.noon
        let inverted = try Self.advice(
            [.neverValid(TraceSamples.leaf, notBefore: later, notAfter: early)], .alone)
        #expect(inverted.offers.map(\.text).joined().contains("no waiting mends it"))
        let violation = Violation.notYetValid(TraceSamples.leaf, notBefore: later, time: early)
        let steps: [TraceStep] = [
            .request(
                RequestStep(
                    host: "api.acme.example", canonicalHost: "api.acme.example", port: 443,
                    time: early, presented: 1, tls: .notSupplied))
        ]
        let atEpoch = RepairFinder(
            TraceOutline(Trace(steps: steps)), [violation], table: nil
        ).repairs.map(\.text)
        #expect(atEpoch.count == 1)
        #expect(atEpoch.first?.hasPrefix("set the clock of the machine that judges") == true)
        let today = try Self.advice([violation], .alone)
        #expect(today.words.contains("wait until \(later)"))
    }

    @Test(
        "a certificate that is one and cannot be read is issued anew; octets that are none are not",
        arguments: [
            ("tbsCertificate.validity.notBefore", "its dates are not in the form of RFC 5280"),
            ("tbsCertificate.extensions", "its `tbsCertificate.extensions` is not in the form"),
            ("nameConstraints", "its `nameConstraints` is not in the form"),
            ("tbsCertificate.subjectPublicKeyInfo", "for another key"),
            ("certificate", "hand over the server's own certificate first"),
            ("tbsCertificate", "hand over the server's own certificate first"),
        ])
    func unreadable(_ field: String, _ expected: String) throws {
        let error = CertificateError(field: field, reason: "cut", offset: 3)
        let words = try Self.advice([.endEntityUnreadable(error)], .alone).words
        #expect(words.contains(expected), "\(words)")
        #expect(
            words.contains("hand over") == expected.contains("hand over"), "\(words)")
    }

    @Test("a weak mask hash is no reason to let that hash sign messages")
    func maskHash() throws {
        let weak = Violation.maskHashTooWeak(
            TraceSamples.leaf, hash: "sha256", mask: "sha1", minimum: "sha256")
        #expect(Self.change([weak], .alone) == nil)
        #expect(try Self.advice([weak], .alone).words.contains("with MGF1 over `sha256`"))
        let stricter = Violation.maskHashTooWeak(
            TraceSamples.leaf, hash: "sha512", mask: "sha256", minimum: "sha384")
        #expect(Self.change([stricter], .alone)?.parts == [.reportOnly(.signatures)])
    }
}

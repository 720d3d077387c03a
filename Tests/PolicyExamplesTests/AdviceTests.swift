import Foundation
import Hawser
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// The repairs that `explain` prints, applied one by one as a reader would apply them, and judged
/// without the code that proves them.
@Suite("what explain offers to write") struct AdviceTests {
    /// A unit after an edit was pasted, with the placeholders filled in or not.
    private static func pasted(
        _ edit: PolicyEdit, into unit: PolicyUnit, owner: String?
    ) throws -> PolicyUnit {
        let index = try #require(unit.files.firstIndex { $0.path == edit.file })
        // A pair of CR and LF is one `Character`, so the ends are made alike first.
        var lines = String(decoding: unit.files[index].bytes, as: UTF8.self)
            .replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        let start = edit.line - 1
        var added = edit.lines
        if let owner {
            for placeholder in edit.placeholders {
                added = added.map { $0.replacing(placeholder, with: owner) }
            }
        }
        lines.replaceSubrange(start..<start + edit.replaced, with: added)
        var files = unit.files
        files[index] = SourceFile(
            path: edit.file, bytes: Array(lines.joined(separator: "\n").utf8))
        return PolicyUnit(
            files: files, resources: unit.resources, mentioned: unit.mentioned,
            diagnostics: unit.diagnostics, isDirectory: unit.isDirectory)
    }

    /// What the linter says, by code and words.
    private static func findings(_ unit: PolicyUnit, at time: UTCInstant) -> [String] {
        Linter.lint(unit, LintOptions(time: time), crypto: LibCryptoBackend()).findings
            .map { "\($0.code.rawValue) \($0.message)" }.sorted()
    }

    /// Applies an edit and expects that the verdict flips, that the linter says nothing new, and
    /// that no host but the requested one is judged less strictly.
    private static func holds(
        _ edit: PolicyEdit, _ unit: PolicyUnit, _ before: Engine, _ request: TrustRequest,
        _ inputs: EngineInputs, _ name: String
    ) throws {
        let crypto = LibCryptoBackend()
        let after = try pasted(edit, into: unit, owner: "the team")
        let compilation = CompilerPipeline.compile(after, crypto: crypto)
        let table = try #require(compilation.table, "\(name): \(compilation.diagnostics)")
        let engine = try Engine(table: table, inputs: inputs, crypto: crypto)
        #expect(!before.evaluate(request).isAccept, "\(name)")
        #expect(engine.evaluate(request).isAccept, "\(name)")
        let new = findings(after, at: request.time).filter {
            !findings(unit, at: request.time).contains($0)
        }
        #expect(new == [], "\(name)")
        let host = try CanonicalHost(text: request.host)
        let weaker = StricterHosts(from: engine, to: before)
        #expect(!weaker.includesDefault, "\(name)")
        let asked = [nil, request.port].map {
            HostPattern(host: HostPattern.Host(exactly: host), port: $0).canonicalText
        }
        #expect(Set(weaker.patterns).isSubset(of: asked), "\(name)")
        // A reader who forgets to say who answers for it gets no policy.
        if !edit.placeholders.isEmpty {
            let careless = CompilerPipeline.compile(
                try pasted(edit, into: unit, owner: nil), crypto: crypto)
            #expect(careless.table == nil, "\(name)")
            #expect(careless.diagnostics.contains { $0.message.hasPrefix("`<owner>` stands") })
        }
    }

    @Test("every repair of every golden does what it says, and no more")
    func everyGolden() throws {
        var proven: [String] = []
        for recipe in Recipe.all {
            let unit = try recipe.unit()
            let table = try #require(try recipe.compile().table)
            for entry in recipe.cases {
                let wanted = try entry.request()
                guard !wanted.accepts else { continue }
                let inputs = try entry.inputs(wanted)
                let engine = try Engine(table: table, inputs: inputs, crypto: LibCryptoBackend())
                let request = try entry.trustRequest(wanted)
                let repairs = try #require(
                    try entry.repairs(engine.explain(request), by: engine))
                #expect(!repairs.isEmpty, "\(entry.name)")
                for edit in repairs.compactMap(\.edit) {
                    proven.append(entry.name)
                    try Self.holds(edit, unit, engine, request, inputs, entry.name)
                    let text = try String(
                        contentsOf: entry.folder.appending(path: "explain.txt"), encoding: .utf8)
                    // Long lines are wrapped where that changes nothing.
                    let blanks = CharacterSet.whitespacesAndNewlines
                    func words(_ text: String) -> String {
                        text.components(separatedBy: blanks).filter { !$0.isEmpty && $0 != "#" }
                            .joined(separator: " ")
                    }
                    let shown = words(text)
                    #expect(edit.lines.allSatisfy { shown.contains(words($0)) }, "\(entry.name)")
                }
            }
        }
        #expect(proven.count >= 8, "\(proven)")
    }

    // MARK: Policies of their own

    private static let root = Scenario().root("Advice Root", key: .p256("advice root"))
    private static let leaf = root.issueLeaf(dns: ["api.svc.example", "www.svc.example"])
    /// Ten days after the leaf has ended.
    private static let later =
        UTCInstant(text: "2026-09-10T00:00:00Z") ?? UTCInstant(secondsSinceEpoch: 0)

    /// A policy that ends with the lines of its only rule, or of its `default`.
    private static func policy(hosts: String?, more: String = "") -> String {
        let anchors = "anchors:\n  own:\n    pem: |\n" + InlinePolicy.literal(root.pem)
        guard let hosts else {
            return "hawser: 1\n" + anchors + "default:\n    anchors: [own]\n" + more
        }
        return "hawser: 1\ndefault: deny\n" + anchors
            + "rules:\n  svc:\n    hosts: [\(hosts)]\n    anchors: [own]\n" + more
    }

    private struct Asked {
        let unit: PolicyUnit
        let engine: Engine
        let request: TrustRequest
        let explanation: Explanation

        var repairs: [Repair] {
            RepairProof(unit, engine, request) { table in
                try? Engine(table: table, crypto: LibCryptoBackend())
            }.repairs(explanation)
        }

        /// The one proven edit, after it was applied and judged.
        func edit() throws -> PolicyEdit? {
            let edits = repairs.compactMap(\.edit)
            #expect(edits.count <= 1)
            guard let edit = edits.first else { return nil }
            try AdviceTests.holds(edit, unit, engine, request, EngineInputs(), request.host)
            return edit
        }
    }

    private static func ask(
        _ policy: String, _ host: String, at time: UTCInstant, _ version: TLSVersion = .tls13,
        port: UInt16 = 443, chain: [Minted] = [leaf]
    ) throws -> Asked {
        let unit = InlinePolicy.unit(policy)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        let table = try #require(compilation.table, "\(compilation.diagnostics)")
        let engine = try Engine(table: table, crypto: LibCryptoBackend())
        let request = TrustRequest(
            host: host, port: port, presentedChain: chain.map(\.der), time: time,
            tls: .assumed(TLSParameters(version: version)))
        return Asked(
            unit: unit, engine: engine, request: request, explanation: engine.explain(request))
    }

    /// Rules that cover more than one host.
    private static let wide = [
        "\"**.svc.example\"", "\"*.svc.example\"", "\"*.svc.example:443\"",
        "\"api.svc.example\", \"pay.svc.example\"", "\"api.svc.example\", \"**.svc.example\"",
        "\"api.svc.example:443\", \"pay.svc.example:443\"", nil,
    ]

    /// The first trap: a waiver for one expired certificate, pasted into a rule for every service,
    /// let expired certificates of all services pass.
    @Test(
        "an expired certificate under a rule for more hosts gets a rule of its own", arguments: wide
    )
    func expiryInAWideRule(_ hosts: String?) throws {
        let asked = try Self.ask(Self.policy(hosts: hosts), "api.svc.example", at: Self.later)
        #expect(asked.explanation.verdict.violations.map(\.id) == ["expired"])
        let edit = try #require(try asked.edit(), "\(asked.repairs)")
        let text = edit.lines.joined(separator: "\n")
        #expect(text.contains("\"api.svc.example:443\""))
        #expect(text.contains("expired: { tolerance: "))
        #expect(edit.placeholders == ["<owner>"])
        // The same certificate under another name of the rule, an hour later: still rejected.
        let after = try Self.pasted(edit, into: asked.unit, owner: "pay")
        let table = try #require(
            CompilerPipeline.compile(after, crypto: LibCryptoBackend()).table)
        let engine = try Engine(table: table, crypto: LibCryptoBackend())
        for (host, port) in [("www.svc.example", UInt16(443)), ("api.svc.example", 8443)] {
            let other = TrustRequest(
                host: host, port: port, presentedChain: [Self.leaf.der], time: Self.later,
                tls: .assumed(TLSParameters(version: .tls13)))
            #expect(!engine.evaluate(other).isAccept, "\(host):\(port)")
        }
    }

    /// The second trap: `identity`, pasted into a rule for every service, let the certificate of
    /// one service stand for all. No lines are offered for another name.
    @Test("another name is told in words, after the caution, and never as lines", arguments: wide)
    func identityInAWideRule(_ hosts: String?) throws {
        let asked = try Self.ask(
            Self.policy(hosts: hosts), "pay.svc.example", at: Scenario.judgedAt)
        guard asked.explanation.verdict.violations.map(\.id) == ["name-mismatch"] else {
            // Two of the rules do not cover this host at all.
            #expect(asked.explanation.verdict.violations.map(\.id) == ["no-applicable-rule"])
            return
        }
        let repairs = asked.repairs
        #expect(repairs.allSatisfy { $0.edit == nil })
        #expect(repairs.first?.isCaution == true)
        let words = repairs.last?.text ?? ""
        #expect(
            words.hasPrefix(
                "or, if whoever runs `pay.svc.example` says that `api.svc.example` is the same "
                    + "service, let `identity` list that name, in a rule of its own for "
                    + "`pay.svc.example:443` alone"), "\(words)")
    }

    @Test("a wrong name beside other faults leads to no lines, whatever the others are")
    func wrongNameAmongOthers() throws {
        for hosts in ["\"pay.svc.example\"", "\"**.svc.example\""] {
            let asked = try Self.ask(
                Self.policy(hosts: hosts), "pay.svc.example", at: Self.later, .tls10)
            #expect(
                asked.explanation.verdict.violations.map(\.id)
                    == ["tls-version", "expired", "name-mismatch"])
            let repairs = asked.repairs
            #expect(repairs.allSatisfy { $0.edit == nil })
            #expect(repairs.first?.isCaution == true)
            #expect(!repairs.contains { $0.text.contains("identity") })
        }
    }

    @Test("several faults that can pass together are one edit")
    func severalFaults() throws {
        let asked = try Self.ask(
            Self.policy(hosts: "\"**.svc.example\""), "api.svc.example", at: Self.later, .tls10)
        #expect(asked.explanation.verdict.violations.map(\.id) == ["tls-version", "expired"])
        let text = try #require(try asked.edit()).lines.joined(separator: "\n")
        for part in ["minimum-version: tls1.0", "tolerance: "] { #expect(text.contains(part)) }
    }

    @Test("a certificate that ended long ago is told with a caution, and leads to no lines")
    func endedLongAgo() throws {
        let asked = try Self.ask(
            Self.policy(hosts: "\"api.svc.example\""), "api.svc.example",
            at: Self.later.advanced(bySeconds: 60 * 86_400))
        let repairs = asked.repairs
        #expect(repairs.allSatisfy { $0.edit == nil && !$0.isOfChange })
        #expect(repairs.first?.isCaution == true)
        #expect(repairs.first?.text.contains("may be in other hands") == true)
    }

    /// Anybody can write the name of the rule's own authority into a certificate.
    @Test("a forged signature under the name of an own authority is told as a stranger's")
    func forgery() throws {
        let fake = Scenario().root("Advice Root", key: .p256("advice forger"))
        for chain in [
            [fake.issueLeaf(dns: ["api.svc.example"])], [fake.issueLeaf(dns: ["b.svc.example"])],
        ] {
            for chain in [chain, chain + [fake.certificate]] {
                let asked = try Self.ask(
                    Self.policy(hosts: "\"**.svc.example\""), "api.svc.example", at: Self.later,
                    chain: chain)
                let repairs = asked.repairs
                #expect(repairs.allSatisfy { $0.edit == nil && !$0.isOfChange })
                #expect(
                    repairs.first?.text.hasPrefix("something may be answering in place of") == true,
                    "\(repairs.map(\.text))")
                #expect(!repairs.contains { $0.text.contains("identity") })
            }
        }
    }

    @Test("a subject cannot end its quotation, and the key stands before it")
    func quotation() throws {
        let stranger = Scenario().root("a` key `sha256/GGGG", key: .p256("advice stranger"))
        let fake = stranger.issueLeaf(dns: ["api.svc.example"])
        let asked = try Self.ask(
            Self.policy(hosts: "\"api.svc.example\""), "api.svc.example", at: Scenario.judgedAt,
            chain: [fake, stranger.certificate])
        let first = asked.repairs.first?.text ?? ""
        #expect(
            first.contains("the key `\(stranger.certificate.pin)` of `CN=a\\u{60} key"), "\(first)")
    }

    /// Mistakes of the deciding rule are not new findings in a copy of it, and ended exceptions are
    /// not copied.
    @Test("old findings of the deciding rule are not in the way of a narrower rule")
    func oldFindings() throws {
        let more =
            "    owner: mesh\n    waivers:\n"
            + "      revocation: { reason: r, owner: o, until: 2028-12-31 }\n"
            + "    report-only:\n      tls: { until: 2026-01-31 }\n"
        let asked = try Self.ask(
            Self.policy(hosts: "\"**.svc.example\"", more: more), "api.svc.example", at: Self.later)
        let edits = asked.repairs.compactMap(\.edit)
        let text = try #require(edits.first, "\(asked.repairs)").lines.joined(separator: "\n")
        #expect(text.contains("revocation: {") && text.contains("expired: {"))
        #expect(!text.contains("report-only") && !text.contains("hawser:ignore"))
    }

    @Test("a comment above a pattern keeps the pattern where it is")
    func commentAbove() throws {
        let rule =
            "rules:\n  svc:\n    hosts:\n      # agreed in ticket 4\n"
            + "      - \"api.svc.example:443\"\n      - \"b.svc.example\"\n    anchors: [own]\n"
        let anchors = "anchors:\n  own:\n    pem: |\n" + InlinePolicy.literal(Self.root.pem)
        let asked = try Self.ask(
            "hawser: 1\ndefault: deny\n" + anchors + rule, "api.svc.example", at: Self.later)
        #expect(try asked.edit() == nil)
        #expect(asked.repairs.contains { $0.isOfChange })
    }

    @Test("a rule for the host alone is edited where it stands, and only until the waiver ends")
    func inPlace() throws {
        for (time, version) in [(Self.later, TLSVersion.tls13), (Scenario.judgedAt, .tls11)] {
            for hosts in ["\"api.svc.example\"", "\"api.svc.example:443\""] {
                let policy = Self.policy(hosts: hosts)
                let asked = try Self.ask(policy, "api.svc.example", at: time, version)
                let edit = try #require(try asked.edit())
                #expect(edit.lines.first == "    waivers:")
                #expect(edit.replaced == 0)
                // A month later the waiver has ended. A second one is not offered beside it.
                let after = try Self.pasted(edit, into: asked.unit, owner: "svc")
                let ended = try Self.ask(
                    String(decoding: after.files[0].bytes, as: UTF8.self), "api.svc.example",
                    at: time.advanced(bySeconds: 32 * 86_400), version)
                #expect(!ended.explanation.verdict.isAccept)
                #expect(try ended.edit() == nil)
                #expect(ended.repairs.contains { $0.text.contains("lets it pass") })
            }
        }
    }

    /// What a rule may already say, with the lines that must come out.
    private static let written: [(more: String, line: String)] = [
        (
            "    owner: mesh\n    waivers:\n"
                + "      pins: { reason: \"r\", owner: o, until: 2026-12-31 }\n    pins: [p]\n"
                + "pins:\n  p:\n    keys: { a: { spki: \(leaf.pin) } }\n"
                + "    backups: { b: { spki: \(root.certificate.pin) } }\n",
            "      expired: { tolerance: 40d, reason: \"being renewed\", owner: mesh, "
                + "until: 2026-10-10 }"
        ),
        (
            "    owner: \"Team: mesh, #4\"\n",
            "      expired: { tolerance: 40d, reason: \"being renewed\", "
                + "owner: \"Team: mesh, #4\", until: 2026-10-10 }"
        ),
    ]

    @Test(
        "keys that the rule has are kept, and its owner answers for the waiver", arguments: written)
    func keysOfTheRule(_ row: (more: String, line: String)) throws {
        let asked = try Self.ask(
            Self.policy(hosts: "\"api.svc.example\"", more: row.more), "api.svc.example",
            at: Self.later)
        let edit = try #require(try asked.edit(), "\(asked.repairs)")
        #expect(edit.lines.contains(row.line), "\(edit.lines)")
        #expect(edit.placeholders == [])
    }

    @Test("a policy in brackets, with CRLF, without a last line end: still an edit that holds")
    func layouts() throws {
        let anchors = "anchors:\n  own:\n    pem: |\n" + InlinePolicy.literal(Self.root.pem)
        let rules = [
            "rules:\n  svc: { hosts: [\"api.svc.example\"], anchors: [own] }\n",
            "rules:\n  svc: { hosts: [\"**.svc.example\"], anchors: [own] }",
            "rules:\n    svc:\n        hosts:\n        - \"api.svc.example\" # here\n"
                + "        anchors: [own]   # own\n\n    more:\n        hosts: [\"b.example\"]\n"
                + "        anchors: [own]\n",
            "rules:\n  svc:\n    # why\n    hosts: [\"*.svc.example\"]\n    anchors: [own]\n"
                + "    # the end\n",
        ]
        for rule in rules {
            for isDOS in [false, true] {
                var text = "hawser: 1\ndefault: deny\n" + anchors + rule
                if isDOS { text = text.replacing("\n", with: "\r\n") }
                let asked = try Self.ask(text, "api.svc.example", at: Self.later)
                #expect(try asked.edit() != nil, "\(rule)")
            }
        }
    }

    @Test("nothing is printed that the engine, the linter or the order does not bear out")
    func unproven() throws {
        let asked = try Self.ask(
            Self.policy(hosts: "\"**.svc.example\""), "api.svc.example", at: Self.later)
        func repairs(_ load: @escaping (PolicyTable) -> Engine?) -> [Repair] {
            RepairProof(asked.unit, asked.engine, asked.request, load: load)
                .repairs(asked.explanation)
        }
        // An engine that does not load, or that still rejects.
        #expect(repairs { _ in nil }.allSatisfy { $0.edit == nil })
        #expect(repairs { _ in asked.engine }.allSatisfy { $0.edit == nil })
        // An engine that accepts, and under which every other service is weaker too.
        let all = Self.policy(
            hosts: "\"**.svc.example\"",
            more: "    waivers:\n      expired: { tolerance: 90d, reason: r, owner: o, "
                + "until: 2026-12-31 }\n")
        let wider = try Self.ask(all, "api.svc.example", at: Self.later)
        #expect(wider.explanation.verdict.isAccept)
        let told = repairs { _ in wider.engine }
        #expect(told.allSatisfy { $0.edit == nil })
        #expect(told.contains { $0.isOfChange })
    }

    /// A box that speaks only TLS 1.2, where everything else must speak TLS 1.3.
    @Test("TLS 1.2 under a floor of 1.3 leads to report-only with a date, for the one box")
    func tls12UnderAFloorOf13() throws {
        let floor = "    tls: { minimum-version: tls1.3 }\n"
        for hosts in ["\"api.svc.example\"", "\"**.svc.example\""] {
            let asked = try Self.ask(
                Self.policy(hosts: hosts, more: floor), "api.svc.example", at: Scenario.judgedAt,
                .tls12)
            #expect(asked.explanation.verdict.violations.map(\.id) == ["tls-version"])
            let text = try #require(try asked.edit()).lines.joined(separator: "\n")
            #expect(text.contains("tls: { until: "))
            #expect(!text.contains("waivers") && !text.contains("tls1.0"))
        }
    }

    @Test("an own intermediate that is missing is named, with the place where it belongs")
    func ownIntermediate() throws {
        let issuing = Self.root.issueCA("Advice Issuing", key: .p256("advice issuing"))
        let leaf = issuing.issueLeaf(dns: ["api.svc.example"])
        let asked = try Self.ask(
            Self.policy(hosts: "\"api.svc.example\""), "api.svc.example", at: Scenario.judgedAt,
            chain: [leaf])
        let words = asked.repairs.map(\.text)
        #expect(words.first?.hasPrefix("something may be answering in place of") == true)
        #expect(
            words.contains {
                $0.contains("have the server send the certificate of `CN=Advice Issuing` after")
            }, "\(words)")
        #expect(
            words.contains {
                $0.contains("under `intermediates`")
                    && $0.contains("(`own`, inline.policy.yaml:4:3)")
            }, "\(words)")
    }

    @Test("a foreign issuing CA without its root is told as a stranger's before anything else")
    func foreignIntermediate() throws {
        let stranger = Scenario().root("Other Root", key: .p256("advice stranger"))
        let issuing = stranger.issueCA("Other Issuing", key: .p256("advice other issuing"))
        let fake = issuing.issueLeaf(dns: ["api.svc.example"])
        let asked = try Self.ask(
            Self.policy(hosts: "\"api.svc.example\""), "api.svc.example", at: Scenario.judgedAt,
            chain: [fake, issuing.certificate])
        let words = asked.repairs.map(\.text)
        let key = issuing.certificate.pin
        #expect(
            words.first?.contains("vouched for by the key `\(key)` of `CN=Other Issuing`") == true)
        #expect(words.first?.contains("`CN=Other Root`, who issued that, is no anchor") == true)
        let root = words.firstIndex {
            $0.contains("is a root, nothing that the server sends helps")
        }
        let sent = words.firstIndex { $0.contains("have the server send the certificate of") }
        #expect(try #require(root) < #require(sent))
        #expect(!words.contains { $0.contains("files:") || $0.contains("anchors:") })
    }

    @Test("a stranger's certificate is never made to pass")
    func strangers() throws {
        let stranger = Scenario().root("Other Root", key: .p256("advice stranger"))
        let issuing = stranger.issueCA("Other Issuing", key: .p256("advice other issuing"))
        let fake = issuing.issueLeaf(dns: ["api.svc.example"])
        let selfSigned = Scenario().selfSignedLeaf(
            dns: ["api.svc.example"], key: .p256("advice self-signed"))
        let chains: [[Minted]] = [
            [fake], [fake, issuing.certificate], [fake, issuing.certificate, stranger.certificate],
            [selfSigned],
        ]
        for hosts in ["\"api.svc.example\"", "\"**.svc.example\""] {
            for chain in chains {
                for time in [Scenario.judgedAt, Self.later] {
                    let asked = try Self.ask(
                        Self.policy(hosts: hosts), "api.svc.example", at: time, chain: chain)
                    #expect(!asked.explanation.verdict.isAccept)
                    #expect(asked.repairs.allSatisfy { $0.edit == nil })
                    let first = asked.repairs.first?.text ?? ""
                    #expect(
                        first.hasPrefix("something may be answering in place of `api.svc.example`"),
                        "\(first)")
                    #expect(first.contains("the key `sha256/"), "\(first)")
                }
            }
        }
    }
}

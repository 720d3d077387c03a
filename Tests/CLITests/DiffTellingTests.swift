import Foundation
import Hawser
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

/// `hawser diff` tells every part of a change: what one part gains does not hide what another
/// loses.
@Suite("hawser diff tells the whole change") struct DiffTellingTests {
    /// A policy with one rule, and these lines besides.
    private static func policy(_ lines: String, sets: String = "") -> String {
        """
        hawser: 1
        default: deny
        anchors:
          a: { files: [anchors/root.pem] }
          b: { files: [anchors/other.pem] }
        \(sets)rules:
          r:
            hosts: ["x.example"]
        \(lines)
        """
    }

    private static func diff(_ old: String, _ new: String) throws -> CommandRun {
        try Workshop(old: old, new: new).run("diff", "old", "new", "--at", "2026-11-23")
    }

    private static let anchors = "    anchors: [a]\n"

    @Test("a key that is no longer forbidden is told beside one that now is")
    func forbiddenKeys() throws {
        func rule(_ digest: String) -> String {
            Self.policy(
                Self.anchors + "    forbidden-keys: { k: { spki: \"\(digest)\" } }")
        }
        let run = try Self.diff(
            rule(Workshop.root.certificate.pin), rule(Workshop.otherRoot.certificate.pin))
        #expect(run.output.hasPrefix("weaker: "), "\(run.transcript)")
        #expect(run.output.contains(", and stricter in forbidden-keys.k"), "\(run.transcript)")
        #expect(run.output.contains("- forbidden-keys.k  forbidden -> "), "\(run.transcript)")
        #expect(run.output.contains("+ forbidden-keys.k  "), "\(run.transcript)")
    }

    @Test("each day of issue is told by itself")
    func lifetimeSteps() throws {
        func rule(_ first: String, _ second: String) -> String {
            Self.policy(
                Self.anchors + """
                        validity:
                          lifetime-steps:
                            - { issued-from: 2026-01-01, maximum: \(first) }
                            - { issued-from: 2027-01-01, maximum: \(second) }
                    """)
        }
        let run = try Self.diff(rule("100d", "90d"), rule("400d", "47d"))
        #expect(!run.output.hasPrefix("equal"), "\(run.transcript)")
        #expect(run.output.contains("100d -> 400d"), "\(run.transcript)")
        #expect(run.output.contains("90d -> 47d"), "\(run.transcript)")
    }

    @Test("a weaker field beside a stricter one is never headed as equal")
    func headline() throws {
        func set(_ names: String) -> String {
            "  c: { files: [anchors/root.pem], constraints: { permitted-names: \(names) } }\n"
        }
        let rule = "    anchors: [c]\n    tls: { minimum-version: "
        let run = try Self.diff(
            Self.policy(rule + "tls1.2 }", sets: set("[\"x.example\"]")),
            Self.policy(rule + "tls1.3 }", sets: set("[\"x.example\", \"y.example\"]")))
        #expect(run.output.hasPrefix("weaker: `x.example`"), "\(run.transcript)")
        #expect(run.output.contains(", and stricter in tls.minimum-version"), "\(run.transcript)")
        #expect(run.output.contains("- anchors.c.constraints.permitted-names"))
        #expect(run.output.contains("+ tls.minimum-version  tls1.2 -> tls1.3"))
    }

    @Test("of two sets, one loosened and one tightened, both are told")
    func twoSets() throws {
        func sets(_ first: String, _ second: String) -> String {
            """
              c: { files: [anchors/root.pem], constraints: { permitted-names: \(first) } }
              d: { files: [anchors/other.pem], constraints: { permitted-names: \(second) } }

            """
        }
        let rule = "    anchors: [c, d]"
        let run = try Self.diff(
            Self.policy(rule, sets: sets("[\"x.example\"]", "[\"x.example\", \"y.example\"]")),
            Self.policy(rule, sets: sets("[\"x.example\", \"z.example\"]", "[\"x.example\"]")))
        #expect(run.output.contains("- anchors.c.constraints.permitted-names"), "\(run.transcript)")
        #expect(run.output.contains("+ anchors.d.constraints.permitted-names"), "\(run.transcript)")
    }

    @Test(
        "of pinned keys that are the anchors, the entries that differ are told",
        arguments: [
            ("k: { spki: KEY, at: leaf }", "k: { spki: KEY, at: any }", "weaker"),
            ("k: { spki: KEY, at: any }", "k: { spki: KEY, at: leaf }", "stricter"),
            ("k: { spki: KEY, at: leaf }", "k: { spki: KEY, at: ca }", "incomparable"),
        ])
    func pinnedKeys(before: String, after: String, word: String) throws {
        func policy(_ entry: String) -> String {
            let key = Workshop.root.certificate.pin
            let backup = Workshop.otherRoot.certificate.pin
            return """
                hawser: 1
                default: deny
                pins:
                  p:
                    keys: { \(entry.replacing("KEY", with: "\"\(key)\"")) }
                    backups: { b: { spki: "\(backup)", at: ca } }
                rules:
                  r: { hosts: ["x.example"], anchors: [pinned-keys], pins: [p] }

                """
        }
        let run = try Self.diff(policy(before), policy(after))
        #expect(run.output.hasPrefix("\(word): "), "\(run.transcript)")
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        func at(_ entry: String) -> String {
            let position = entry.split(separator: " ").last { $0 != "}" } ?? ""
            return "[pinned-keys] with `k` of `p` at \(position) \(Workshop.root.certificate.pin)"
        }
        #expect(words.contains("anchors \(at(before)) -> \(at(after))"), "\(run.transcript)")
        let others = "vouches for certificates that it signed: `k` "
        #expect(words.contains("now \(others)") == !after.contains("leaf"), "\(run.transcript)")
        #expect(
            words.contains("no longer \(others)") == after.contains("leaf"), "\(run.transcript)")
        #expect(
            words.contains("x.example: the pinned keys, not the same as before"),
            "\(run.transcript)")
        // Another field leaves the keys as they are.
        let owned = policy(before).replacing(
            "pins: [p] }", with: "pins: [p], tls: { alpn: [h2] } }")
        let same = try Self.diff(policy(before), owned)
        #expect(same.output.contains("x.example: the pinned keys, as before"), "\(same.transcript)")
    }

    @Test("a list that becomes `any` accepts more, and is told so")
    func anything() throws {
        let suites =
            "    tls: { cipher-suites: [TLS_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_128_GCM_SHA256] }"
        let run = try Self.diff(
            Self.policy(Self.anchors + suites), Self.policy(Self.anchors + "    owner: web"))
        #expect(run.output.contains("now accepted: anything"), "\(run.transcript)")
        #expect(!run.output.contains("no longer accepted"))
    }

    @Test("the chains of a folder are judged under both, and a flip has both first lines")
    func chains() throws {
        let other = Self.policy("    anchors: [b]")
        let workshop = try Workshop(old: Self.policy(Self.anchors), new: other)
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "chains"), withIntermediateDirectories: true)
        let leaf = Workshop.otherRoot.issueLeaf(dns: ["x.example"])
        try workshop.write("chains/x.example.pem", leaf.pem)
        let run = try workshop.run(
            "diff", "old", "new", "--at", "2026-06-01", "--chains", "chains")
        #expect(
            run.output.contains(
                "recorded requests: 1 judged under both, 1 verdict flips; not judged: 0\n"),
            "\(run.transcript)")
        #expect(run.output.contains("  chains/x.example.pem: reject -> accept\n    old  reject"))
        try workshop.write("chains/nobody's.pem", leaf.pem)
        let unnamed = try workshop.run(
            "diff", "old", "new", "--at", "2026-06-01", "--chains", "chains")
        #expect(unnamed.status == 2 && unnamed.error.contains("HOST_PORT.pem"))
    }

    @Test("the receipts of a file are judged under both, and a flip is told whichever way it goes")
    func receipts() throws {
        let (first, second) = (Self.policy(Self.anchors), Self.policy("    anchors: [b]"))
        let workshop = try Workshop(old: first, new: second)
        #expect(try workshop.run("compile", "old", "-o", "policy.table").status == 0)
        let engine = try EngineLoader.load(
            tableFile: workshop.folder.appending(path: "policy.table").path)
        func receipt(_ issuer: Authority, _ inputs: DecisionReceipt.InputDetail) -> String {
            let request = TrustRequest(
                host: "x.example", port: 443,
                presentedChain: [issuer.issueLeaf(dns: ["x.example"]).der],
                time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls13)))
            return DecisionReceipt(
                Decision(engine.explain(request), of: request, by: PolicySnapshot(engine)),
                inputs: inputs
            ).json + "\n"
        }
        let whole = DecisionReceipt.InputDetail.selfContained(atMost: 1 << 20)
        try workshop.write(
            "receipts.ndjson",
            receipt(Workshop.root, whole) + receipt(Workshop.otherRoot, whole)
                + receipt(Workshop.root, .digests))
        func flips(_ old: String, _ new: String) throws -> [String] {
            let run = try workshop.run(
                "diff", old, new, "--at", "2026-06-01", "--receipts", "receipts.ndjson")
            #expect(run.status == 0, "\(run.transcript)")
            // The first lines of `explain` are wrapped.
            let lines = run.output.replacing("\n         ", with: " ").split(separator: "\n")
                .map(String.init)
            let title = "recorded requests: 2 judged under both, 2 verdicts flip; not judged: 1"
            let start = try #require(lines.firstIndex(of: title), "\(run.transcript)")
            return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("must approve, ") })
        }
        let line = "x.example:443 at 2026-06-01T00:00:00Z by rule `r`"
        let (accept, reject) = ("accept \(line)", "reject \(line): anchor-not-trusted")
        func refused(_ number: Int) -> [String] {
            [
                "  receipts.ndjson:\(number): accept -> reject", "    old  \(accept)",
                "    new  \(reject)",
            ]
        }
        func accepted(_ number: Int) -> [String] {
            [
                "  receipts.ndjson:\(number): reject -> accept", "    old  \(reject)",
                "    new  \(accept)",
            ]
        }
        let unjudged = ["  not judged  receipts.ndjson:3: it holds digests and no chain"]
        #expect(try flips("old", "new") == refused(1) + accepted(2) + unjudged)
        #expect(try flips("new", "old") == accepted(1) + refused(2) + unjudged)
    }

    @Test("a host that is decided otherwise on one port is told with that port")
    func ports() throws {
        func policy(_ rules: (hosts: String, lines: String)...) -> String {
            let texts = rules.enumerated().map {
                "  r\($0):\n    hosts: [\"\($1.hosts)\"]\n    anchors: [a]\n\($1.lines)"
            }
            let head = "hawser: 1\ndefault: deny\nanchors:\n  a: { files: [anchors/root.pem] }\n"
            return head + "rules:\n" + texts.joined()
        }
        func hosts(_ old: String, _ new: String) throws -> [String] {
            let lines = try Self.diff(old, new).output.split(separator: "\n")
            let start = try #require(lines.firstIndex { $0.hasPrefix("  hosts ") })
            let end = try #require(lines.firstIndex { $0.hasPrefix("  example ") })
            return lines[start..<end].filter { !$0.hasPrefix("  of them ") }
                .flatMap { $0.dropFirst("  hosts       ".count).components(separatedBy: ", ") }
        }
        let wide = "    keys: { rsa-minimum: 2048 }\n"
        let strict = "    keys: { rsa-minimum: 3072 }\n"
        // Two patterns for the same host, of which one changes.
        #expect(
            try hosts(
                policy(("a.example", strict), ("a.example:8443", strict)),
                policy(("a.example", wide), ("a.example:8443", strict)))
                == ["a.example except a.example:8443"])
        #expect(
            try hosts(
                policy(("a.example", strict), ("a.example:8443", strict)),
                policy(("a.example", strict), ("a.example:8443", wide))) == ["a.example:8443"])
        // A wider pattern with a port parts the hosts of one without.
        #expect(
            try hosts(
                policy(("**.example:8443", strict)),
                policy(("**.example:8443", strict), ("a.example", strict)))
                == ["a.example except a.example:8443"])
        #expect(
            try hosts(
                policy(("**.example", strict)),
                policy(("**.example", wide), ("**.a.example", wide), ("a.example:8443", strict)))
                == ["**.example except a.example:8443", "**.a.example"])
    }

    @Test("a host of the name `default` is not every other host")
    func namedDefault() throws {
        func policy(_ bits: Int, _ fallback: Int) -> String {
            """
            hawser: 1
            default: { anchors: [a], keys: { rsa-minimum: \(fallback) } }
            anchors:
              a: { files: [anchors/root.pem] }
            rules:
              named:
                hosts: ["default"]
                anchors: [a]
                keys: { rsa-minimum: \(bits) }

            """
        }
        let workshop = try Workshop(old: policy(3072, 3072), new: policy(2048, 3072))
        let named = try workshop.run("diff", "old", "new", "--at", "2026-11-23")
        #expect(named.output.contains("  hosts       default\n"), "\(named.transcript)")
        try workshop.write("new/policy.yaml", policy(2048, 2048))
        let both = try workshop.run("diff", "old", "new", "--at", "2026-11-23")
        #expect(both.output.contains("every other host\n"), "\(both.transcript)")
        let json = try JSONDocument(
            text: workshop.run(
                "diff", "old", "new", "--at", "2026-11-23", "--format", "json"
            ).output)
        let hosts = json["comparisons"]?.items.first?["changes"]?.items.first?["hosts"]?.items ?? []
        #expect(hosts.map { $0["pattern"]?.text } == ["default", nil], "\(both.transcript)")
    }

    @Test("the machine's store is counted where it is asked for, and named by its digest")
    func store() throws {
        func policy(_ anchors: String) -> String {
            let only = "only: { r: { spki: \(Workshop.root.certificate.pin) } }"
            return """
                hawser: 1
                default: deny
                anchors:
                  a: { files: [anchors/root.pem] }
                  some: { include: [system], \(only) }
                rules:
                  r: { hosts: ["x.example"], anchors: [\(anchors)] }

                """
        }
        let workshop = try Workshop(old: policy("some"), new: policy("system"))
        try workshop.write("store.pem", Workshop.root.pem + Workshop.otherRoot.pem)
        let asked = [
            "diff", "old", "new", "--at", "2026-11-23", "--count-system-store", "--system-store",
            "store.pem",
        ]
        let run = try workshop.run(asked)
        #expect(run.status == 0, "\(run.transcript)")
        let lines = run.output.split(separator: "\n").map(String.init)
        let title = try #require(lines.firstIndex(of: "authorities that could vouch"))
        #expect(lines[title + 1] == "  the machine's store has 2 authorities, digest")
        #expect(lines[title + 2].hasPrefix("      sha256:"))
        #expect(
            lines[title + 3]
                == "  x.example: 1 of the machine's store -> 2 of the machine's store")
        // A listed authority counts once.
        try workshop.write("new/policy.yaml", policy("system, a"))
        let both = try workshop.run(asked)
        #expect(
            both.output.contains(" -> 1 listed and 1 of the machine's store"), "\(both.transcript)")
        let plain = try workshop.run("diff", "old", "new", "--at", "2026-11-23")
        #expect(!plain.output.contains("of the machine's store"), "\(plain.transcript)")
        #expect(!plain.output.contains("the machine's store has"))
        for format in ["json", "markdown"] {
            let text = try workshop.run(asked + ["--format", format]).output
            let digest = text.components(separatedBy: "sha256:").count
            let without = try workshop.run(
                "diff", "old", "new", "--at", "2026-11-23", "--format", format
            ).output.components(separatedBy: "sha256:").count
            #expect(digest == without + 1, "\(text)")
        }
        let json = try workshop.run(asked + ["--format", "json"]).output
        let schema = CommandRun.repository.appending(path: "grammar/diff.schema.json")
        #expect(
            try JSONSchema(text: String(contentsOf: schema, encoding: .utf8))
                .violations(of: JSONDocument(text: json)) == [])
        try workshop.write("empty.pem", "")
        let empty = try workshop.run(asked.dropLast() + ["empty.pem"])
        #expect(empty.status == 2 && empty.output.hasPrefix("not compared: "))
    }

    @Test("what is no regular file is written into, never replaced")
    func devices() throws {
        let same = Self.policy(Self.anchors)
        let workshop = try Workshop(old: same, new: same)
        try workshop.write("real.json", "old")
        try FileManager.default.createSymbolicLink(
            at: workshop.folder.appending(path: "link.json"),
            withDestinationURL: workshop.folder.appending(path: "real.json"))
        let run = try workshop.run("diff", "old", "new", "--output", "json=link.json")
        #expect(run.status == 0)
        let link = workshop.folder.appending(path: "link.json").path
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("real.json"))
        let text = try String(
            contentsOf: workshop.folder.appending(path: "real.json"), encoding: .utf8)
        #expect(text.contains("hawser/diff/1"))
        let full = try workshop.run("diff", "old", "new", "--output", "json=/dev/full")
        #expect(full.status == 2, "\(full.transcript)")
    }
}

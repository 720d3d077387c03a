import PolicyCompiler
import Testing
import TrustEngine

/// Anchor sets and the rules that name them (LANGUAGE section 5): the errors and warnings, and
/// their places.
@Suite("anchor sets")
struct AnchorSetTests {
    static let root = SketchedCertificate()
    static let second = SketchedCertificate(subject: "Second", issuer: "Second", key: 11)
    static let one = "sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    static let two = "sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI="

    static let resources: [String: [UInt8]] = [
        "root.pem": Array(root.pem.utf8),
        "public.pem": Array(SketchedCertificate(hasKeyUsage: true).pem.utf8),
        "root.key.pem": Array(SketchedCertificate.pem("PUBLIC KEY", root.spki).utf8),
        "second.der": second.der,
        "leaf.der": SketchedCertificate(isCA: false).der,
        "server.der": SketchedCertificate(subject: "Server", isCA: false).der,
        "issued.der": SketchedCertificate(subject: "Issued").der,
        "third.pem": Array(
            SketchedCertificate(subject: "Third", issuer: "Third", key: 6).pem.utf8),
    ]

    /// A policy that trusts `corp`, with these sets.
    static func sets(_ sets: String) -> String {
        "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n"
            + sets.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    /// A policy whose default has these fields, with two pin sets.
    static func pinning(_ body: String, at position: String = "any") -> String {
        """
        hawser: 1
        default: { \(body) }
        pins:
          acme:
            keys: { now: { spki: \(one), at: \(position) } }
            backups: { next: { spki: \(two) } }

        """
    }

    static let includes: [MarkedRow] = [
        row(
            "5 system and another set",
            sets("corp: { include: [system, more] }\nmore: { files: [root.pem] }")),
        row(
            "5 a set that includes itself",
            sets("corp: { include: [«HW111:corp»], files: [root.pem] }"),
            says: ["`corp` includes itself"]),
        row(
            "5 a set that only itself includes is not used",
            "hawser: 1\ndefault: deny\nanchors:\n"
                + "  «HW106:corp»: { include: [«HW111:corp»], files: [root.pem] }\n"),
        row(
            "5 a circle of three",
            sets(
                """
                corp: { include: [«label:b»], files: [root.pem] }
                b: { include: [«label:c»] }
                c: { include: [«HW111:corp»] }
                """),
            says: ["in a circle: `corp`, `b`, `c`, `corp`"]),
        row(
            "5 a circle beside the way to it",
            sets("corp: { include: [b] }\nb: { include: [c] }\nc: { include: [«HW111:b»] }")
                .replacing(
                    "include: [c]", with: "include: [«label:c»]"),
            says: ["`b`, `c`, `b`"]),
        row(
            "5 a diamond is no circle",
            sets(
                """
                corp: { include: [b, c] }
                b: { include: [d] }
                c: { include: [d], constraints: { maximum-lifetime: 90d } }
                d: { files: [root.pem] }
                """)),
        row(
            "5 pinned-keys is included by none",
            sets("corp: { include: [«HW507:pinned-keys»], files: [root.pem] }"),
            says: ["has no members of its own"]),
        row(
            "5 include of what is not there", sets("corp: { include: [«HW105:sytem»] }"),
            says: ["did you mean `system`?"]),
        row(
            "5 nothing in it", sets("«HW108:corp»: { kind: leaf }"),
            says: ["has none of `include`, `files` and `pem`"]),
        row(
            "5 terms without own certificates",
            sets(
                "corp: { include: «label:[b]», standard: «HW507:web-pki», "
                    + "ignore-limits: «HW507:[dates]» }\nb: { files: [root.pem] }"),
            says: ["included members keep the terms of their own set"]),
        row(
            "3 a set that only another set uses is used",
            sets(
                "corp: { include: [b] }\nb: { files: [root.pem] }\n«HW106:c»: { files: [root.pem] }"
            )),
    ]

    static let filters: [MarkedRow] = [
        row(
            "5 only and exclude by file and digest",
            sets(
                """
                corp:
                  files: [root.pem, second.der, third.pem]
                  only: { a: { certificate-file: root.pem }, b: { certificate-file: second.der } }
                  exclude: { c: { spki-file: root.key.pem } }
                """)),
        row(
            "5 entries that match no member",
            sets(
                """
                corp:
                  files: [root.pem]
                  only: { a: { certificate-file: root.pem }, b: { certificate-file: «HW311:second.der» } }
                  exclude: { c: { spki: «HW311:\(one)» } }
                """),
            says: ["`only` of `corp` names `b`, which matches none of its members"]),
        row(
            "5 what only has removed matches no entry of exclude",
            sets(
                """
                corp:
                  files: [root.pem, second.der]
                  only: { a: { certificate-file: root.pem } }
                  exclude: { b: { certificate-file: «HW311:second.der» } }
                """)),
        row(
            "5 the machine's members are not known here",
            sets("corp: { include: [system], exclude: { c: { spki: \(one) } } }")),
        row(
            "5 filters reach included members",
            sets(
                "corp: { include: [b], exclude: { c: { certificate-file: root.pem } } }\n"
                    + "b: { files: [root.pem, second.der] }")),
        row(
            "5 nothing is left",
            sets(
                """
                corp:
                  files: [root.pem]
                  «HW507:exclude»: { a: { certificate-file: root.pem } }
                """),
            says: ["leave no member of `corp`"]),
        row(
            "5 nothing is left of the files that could be read",
            sets(
                """
                corp:
                  files: [root.pem, «HW301:missing.pem»]
                  exclude: { a: { certificate-file: root.pem }, b: { spki: \(one) } }
                """)),
        row(
            "6 a filter is a key match and nothing more",
            sets(
                "corp: { files: [root.pem], only: { a: { spki-file: root.key.pem, «HW004:at»: leaf } } }"
            )),
        row(
            "6 a key in two ways",
            sets(
                "corp: { files: [root.pem], only: { a: { «label:spki»: \(one), "
                    + "«HW507:spki-file»: root.pem } } }")),
    ]

    static let terms: [MarkedRow] = [
        row(
            "5 everything that a set can say",
            sets(
                """
                corp:
                  files: [public.pem]
                  intermediates: [second.der]
                  standard: web-pki
                  ignore-limits: [dates, name-constraints, key-purposes, path-length]
                  constraints:
                    permitted-names: ["**.bank.example", "bank.example", "10.0.0.0/8"]
                    excluded-names: ["*.test.bank.example"]
                    permitted-uris: ["spiffe://mesh.example/**"]
                    not-before: { from: 2026-01-01, until: 2026-12-31 }
                    key-purposes: [server-auth, 1.3.6.1.5.5.7.3.4]
                    maximum-lifetime: 90d
                """)),
        row(
            "5 an intermediate that cannot be read",
            sets("corp: { files: [root.pem], intermediates: [«HW301:missing.der»] }")),
        row(
            "5 names of certificates have no ports",
            sets(
                "corp: { files: [root.pem], constraints: { "
                    + "permitted-names: [«HW103:\"bank.example:443\"»] } }"),
            says: ["takes patterns without port", "write `\"bank.example\"`"]),
        row(
            "11.2 spelling of a name",
            sets(
                "corp: { files: [root.pem], constraints: { "
                    + "excluded-names: [«HW202:\"Bank.example.\"»] } }")),
        row(
            "11 a window that ends before it begins",
            sets(
                "corp: { files: [root.pem], constraints: { "
                    + "not-before: { from: «label:2026-02-01», until: «HW507:2026-01-31» } } }"),
            says: ["`constraints.not-before` begins after it ends"]),
        row(
            "11 a window of one day",
            sets(
                "corp: { files: [root.pem], constraints: { "
                    + "not-before: { from: 2026-02-01, until: 2026-02-01 } } }")),
        row(
            "11 a window with a key that it does not have",
            sets(
                "corp: { files: [root.pem], constraints: { "
                    + "not-before: { «HW004:form»: 2026-02-01 } } }"),
            says: ["did you mean `from`?"]),
        row(
            "5 limits by their names",
            sets("corp: { files: [root.pem], ignore-limits: [«HW103:date»] }"),
            says: ["allowed: dates name-constraints key-purposes path-length"]),
        row(
            "5 a kind that is none is told once",
            sets("corp: { files: [second.der], kind: «HW103:intermediat» }")),
        row(
            "5 a root that is not a CA",
            sets("«label:corp»: { files: [«HW304:leaf.der»] }"),
            says: ["is not a CA by its basicConstraints, so it is not a `root`"]),
        row(
            "5 an intermediate that is not a CA",
            sets("corp: { files: [«HW304:server.der»], kind: «label:intermediate» }"),
            says: ["so it is not an `intermediate`"]),
        row(
            "5 a root that another CA issued",
            sets("«label:corp»: { files: [«HW304:issued.der»] }"),
            says: ["is not self-issued, so it is an `intermediate`"]),
        row(
            "5 an intermediate that issued itself",
            sets("corp: { files: [«HW304:second.der»], kind: «label:intermediate» }"),
            says: ["is self-issued, so it is a `root` and no `intermediate`"]),
        row(
            "5 sct without a log list",
            sets(
                "corp: { files: [root.pem], constraints: { sct: «label:{ until: 2026-01-31 }» } }"
            ).replacing("anchors: [corp]", with: "anchors: [«HW507:corp»]"),
            says: ["names no log list to read timestamps by"]),
        row(
            "5 sct of an included set",
            sets(
                "corp: { include: [b] }\n"
                    + "b: { files: [root.pem], constraints: { sct: { until: 2026-01-31 } } }"
            ).replacing("anchors: [corp]", with: "anchors: [«HW507:corp»]")),
    ]

    static let pinnedKeys: [MarkedRow] = [
        row("5 pinned keys as anchors", pinning("anchors: [pinned-keys], pins: [acme]")),
        row(
            "5 pinned keys at the anchor",
            pinning("anchors: [pinned-keys], pins: [acme]", at: "anchor")),
        row(
            "5 pinned keys without pins",
            "hawser: 1\ndefault: { anchors: [«HW507:pinned-keys»] }\n",
            says: ["pins nothing"]),
        row(
            "5 pinned keys with pins that are misspelt, told once",
            "hawser: 1\ndefault: { anchors: [pinned-keys], «HW004:pin»: [acme] }\n"),
        row(
            "5 pinned keys beside a set",
            pinning("anchors: [«label:system», «HW507:pinned-keys»], pins: [acme]"),
            says: ["trusts `system` beside `pinned-keys`"]),
        row(
            "5 pinned keys between",
            pinning("anchors: [«label:pinned-keys»], pins: [acme]", at: "intermediate").replacing(
                one, with: "«HW507:\(one)»"),
            says: ["so it is never between", "write `at: ca`"]),
        row(
            "5 a backup of pinned keys between",
            pinning("anchors: [«label:pinned-keys»], pins: [acme]").replacing(
                "spki: \(two)", with: "spki: «HW507:\(two)», at: intermediate"),
            says: ["`next` of `acme` is pinned `at: intermediate`"]),
        row(
            "5 between is right where sets are the anchors",
            pinning("anchors: [system], pins: [acme]", at: "intermediate")),
    ]

    @Test("marked texts", arguments: includes + filters + terms + pinnedKeys)
    func marked(_ row: MarkedRow) {
        row.verify()
    }

    @Test("5 sets that multiply each other are refused before they fill the memory")
    func multiplied() throws {
        // Each level has two sets with demands of their own over the level below: 2^n terms.
        var text = "a0: { files: [root.pem] }\nb0: { files: [second.der] }\n"
        for level in 1...15 {
            for (name, days) in [("a", 100 + level), ("b", 200 + level)] {
                text +=
                    "\(name)\(level): { include: [a\(level - 1), b\(level - 1)], "
                    + "constraints: { maximum-lifetime: \(days)d } }\n"
            }
        }
        text += "corp: { include: [a15, b15] }\n"
        let unit = MemoryUnit.unit(
            ["policy.yaml": Array(AnchorSetTests.sets(text).utf8)],
            resources: AnchorSetTests.resources)
        let (policy, diagnostics) = MemoryUnit.check(unit)
        #expect(policy == nil)
        #expect(Set(diagnostics.map(\.code)) == [.extendsCycle])
        let wide = text.replacing("corp: { include: [a15, b15] }", with: "corp: { include: [a14] }")
        #expect(
            MemoryUnit.check(
                MemoryUnit.unit(
                    ["policy.yaml": Array(AnchorSetTests.sets(wide).utf8)],
                    resources: AnchorSetTests.resources)
            ).diagnostics.allSatisfy { $0.severity == .warning })
    }

    @Test("5 a million members are taken, and the set that passes a million is named")
    func tooManyMembers() throws {
        // The first set holds 1,000 certificates and is one group, which every other set includes.
        let certificates = (0..<1_000).map {
            SketchedCertificate(subject: "Root \($0)", issuer: "Root \($0)").pem
        }
        var resources = AnchorSetTests.resources
        resources["many.pem"] = Array(certificates.joined().utf8)
        func problems(sets count: Int) -> [Diagnostic] {
            let including = (1...count).map { "set\($0): { include: [corp] }\n" }.joined()
            let text = AnchorSetTests.sets("corp: { files: [many.pem] }\n" + including)
            return MemoryUnit.check(
                MemoryUnit.unit(["policy.yaml": Array(text.utf8)], resources: resources)
            ).diagnostics.filter { $0.code == .limits }
        }
        #expect(problems(sets: 998).isEmpty)
        let found = try #require(problems(sets: 1_000).first)
        #expect(
            found.message
                == "with `set999` the unit's anchor sets hold more than 1000000 members, counted "
                + "wherever they are included")
    }

    private static func row(_ name: String, _ text: String, says: [String] = []) -> MarkedRow {
        MarkedRow(name, text, says: says, resources: resources)
    }
}

import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// No fix makes a host weaker: not by the word that it writes, nor by the text that it deletes, nor
/// together with another fix.
@Suite("lint: fixes weaken nothing") struct FixStrengthTests {
    private static func fix(
        _ text: String, _ mode: LintFixes.Mode = .all, at time: UTCInstant = MarkedLint.time
    ) -> (text: String, outcome: LintFixes.FixedUnit) {
        let unit = MarkedLint(text).unit()
        let outcome = LintFixes.apply(
            to: unit, MarkedLint.options(at: time), mode, crypto: LibCryptoBackend())
        let bytes = outcome.changed[0] ?? unit.files[0].bytes
        return (String(decoding: bytes, as: UTF8.self), outcome)
    }

    /// The text of a unit with a private anchor set.
    private static func policy(_ rest: String, default fallback: String = "deny") -> String {
        """
        hawser: 1
        default: \(fallback)
        anchors:
          corp: { files: [corp.pem], owner: pki }

        """ + rest
    }

    private static func pinSet(_ id: String) -> String {
        """
          \(id):
            keys: { a: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= } }
            backups: { b: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
            enforce-until: 2028-01-31

        """
    }

    // MARK: Words

    @Test("a waiver is never written for a value that is not below the baseline")
    func waivers() {
        for waiver in [
            "tls: { minimum-version: tls1.2,", "tls: { minimum-version: tls1.3,",
            "tls: { minimum-version: tls1,", "tls: { minimum-version: TLSv1.2,",
            "keys: { rsa-minimum: 2048,", "signatures: { minimum-hash: sha256,",
            "signatures: { minimum-hash: sha2,", "tsl: { minimum-version: tls1.0,",
            "pinz: {",
        ] {
            let text = Self.policy(
                """
                profiles:
                  strict: { tls: { minimum-version: tls1.3 } }
                rules:
                  api:
                    hosts: ["api.example"]
                    anchors: [corp]
                    profile: strict
                    owner: web
                    waivers: { \(waiver) reason: partner, owner: web, until: 2026-09-01 } }

                """)
            let (mended, outcome) = Self.fix(text)
            #expect(mended == text, "\(waiver)")
            #expect(outcome.result.compilation.policy == nil, "\(waiver)")
        }
    }

    @Test("a name that nothing defines is asked about and not replaced")
    func references() {
        let text = Self.policy(
            "pins:\n" + Self.pinSet("api-2026")
                + """
                rules:
                  api: { hosts: ["api.example"], anchors: [corb], pins: [api-2027], owner: web }
                  www: { hosts: ["www.example"], anchors: [sytem], profile: at, owner: web }

                """)
        let (mended, outcome) = Self.fix(text)
        #expect(mended == text)
        let messages = outcome.result.findings.map(\.message).joined(separator: "\n")
        for name in ["corp", "api-2026", "system", "ats"] {
            #expect(messages.contains("did you mean `\(name)`?"), "\(messages)")
        }
    }

    /// Of each field the value that a profile holds it to, and the words that a rule may misspell.
    static let held: [(field: String, strictest: String, words: ClosedWords)] = [
        ("tls.minimum-version", "tls1.3", PolicyWords.tlsVersion),
        ("tls.forward-secrecy", "required", PolicyWords.demand),
        ("signatures.minimum-hash", "sha512", PolicyWords.signatureHash),
        ("path.explicit-policy", "required", PolicyWords.demand),
        ("path.policy-mapping", "inhibited", PolicyWords.permission),
        ("path.any-policy", "inhibited", PolicyWords.permission),
        ("revocation.preset", "require", PolicyWords.revocationPreset),
        ("revocation.scope", "chain", PolicyWords.revocationScope),
        ("revocation.causes.unreachable", "fail", PolicyWords.action),
        ("revocation.causes.no-endpoint", "fail", PolicyWords.action),
        ("keys.types", "[p256]", PolicyWords.keyType),
        ("signatures.schemes", "[ecdsa]", PolicyWords.signatureScheme),
        ("path.key-purposes", "[client-auth]", PolicyWords.keyPurposeWord),
        ("tls.groups", "[x25519]", PolicyWords.tlsGroup),
    ]

    @Test("no slip in a rule is mended into less than its profile demands", arguments: held.indices)
    func slips(_ index: Int) {
        let (field, strictest, words) = Self.held[index]
        func written(_ value: String) -> String {
            field.split(separator: ".").reversed().reduce(value) { "{ \($1): \($0) }" }
        }
        let isList = strictest.hasPrefix("[")
        var compiled = 0
        for word in words.words.prefix(3) {
            let letters = Array(word)
            var slips = letters.indices.map { place in
                String(letters[..<place] + letters[(place + 1)...])
            }
            slips += letters.indices.map { place in
                String(letters[..<place] + ["q"] + letters[(place + 1)...])
            }
            slips.append(word.uppercased())
            // Another spelling of a word is that word, not a slip.
            for slip in slips
            where !words.words.contains(slip) && !slip.isEmpty
                && WordSpelling.word(for: slip, in: words) == nil
            {
                let text = Self.policy(
                    """
                    profiles:
                      strict: \(written(strictest))
                    rules:
                      api:
                        hosts: ["api.example"]
                        anchors: [corp]
                        profile: strict
                        owner: web
                        \(written(isList ? "[\(slip)]" : slip).dropFirst(2).dropLast(2))

                    """)
                let outcome = Self.fix(text).outcome
                guard outcome.result.compilation.policy != nil else { continue }
                compiled += 1
                let parts = CompilerPipeline.read(
                    PolicyUnit(
                        files: outcome.result.compilation.files,
                        resources: MarkedLint(text).unit().resources,
                        isDirectory: true), crypto: LibCryptoBackend()
                ).parts
                let rule = parts.lowered(parts.bound.rules[0].body).requirements
                let weaker = Weakening.demands(
                    of: rule, against: parts.layers.requirements(of: "strict"))
                #expect(weaker.isEmpty, "`\(slip)`: \(weaker.map(\.comparison))")
            }
        }
        // Of lists no word demands the most, so nothing is written.
        #expect((compiled > 0) == !isList, "\(field): \(compiled)")
    }

    @Test("of no list of words a weaker one is proposed, whatever was misspelt")
    func proposals() {
        var asked = 0
        for (name, words) in PolicyWords.all.sorted(by: { $0.key < $1.key }) {
            for word in Sample.of(words.words, atMost: 8, name) {
                let letters = Array(word)
                var slips = [word.uppercased(), word + "s", "-" + word, word + word]
                for place in letters.indices {
                    slips.append(String(letters[..<place] + letters[(place + 1)...]))
                    slips.append(String(letters[..<place] + ["q"] + letters[(place + 1)...]))
                }
                for slip in slips where !words.words.contains(slip) {
                    guard let proposal = words.proposal(for: slip) else { continue }
                    asked += 1
                    #expect(!words.weaker.contains(proposal.word), "`\(slip)`")
                    // A fix writes it only where no word demands as much.
                    #expect(!proposal.isStrictest || words.words.count - words.weaker.count == 1)
                }
            }
        }
        #expect(asked > 100)
    }

    @Test(
        "TLS 1.2 under a floor of 1.3 leads to `report-only.tls` with its day, and no fix to less")
    func exception() {
        for version in ["tls1.2", "TLSv1.2", "1.2", "tls12"] {
            let text = Self.policy(
                """
                profiles:
                  modern: { tls: { minimum-version: tls1.3 } }
                rules:
                  box:
                    hosts: ["box.example"]
                    anchors: [corp]
                    profile: modern
                    owner: web
                    waivers:
                      tls: { minimum-version: \(version), reason: old, owner: web, until: 2026-09-01 }

                """)
            let (mended, outcome) = Self.fix(text)
            #expect(mended == text, "\(version)")
            let finding = outcome.result.findings.first { $0.code == .unknownValue }
            #expect(
                finding?.help.first?.contains("`report-only: { tls: { until: 2026-09-01 } }`")
                    == true,
                "\(version): \(finding?.help ?? [])")
        }
        // The line that the message gives does it, and lets no other version in.
        let (mended, outcome) = Self.fix(
            Self.policy(
                """
                profiles:
                  modern: { tls: { minimum-version: tls1.3 } }
                rules:
                  box:
                    hosts: ["box.example"]
                    anchors: [corp]
                    profile: modern
                    owner: web
                    report-only: { tls: { until: 2026-09-01 } }

                """))
        #expect(outcome.result.compilation.policy != nil && mended.contains("tls1.3"))
    }

    // MARK: Who answers for it

    @Test("a redundant rule is deleted only where nobody else answers for its hosts then")
    func ownership() {
        func text(_ own: String, _ around: String = "owner: web") -> String {
            Self.policy(
                """
                rules:
                  all: { hosts: ["**.acme.example"], anchors: [corp], \(around) }
                  api: { hosts: ["api.acme.example"], anchors: [corp], \(own) }

                """)
        }
        func waiver(_ reason: String, _ more: String = "") -> String {
            "waivers: { identity: { reason: \(reason), owner: web, until: 2026-09-01\(more) } }"
        }
        for (own, around, loss) in [
            (
                "owner: pay", "owner: web",
                "`pay` answers for its hosts, and `web` for the hosts of `all`"
            ),
            ("note: x", "note: x, owner: web", "nobody answers for its hosts, and `web`"),
            ("owner: web, note: for the shop", "owner: web", "its note, `for the shop`"),
            (
                "owner: web, \(waiver("one"))", "owner: web, \(waiver("two"))",
                "another reason, owner or ticket"
            ),
            (
                "owner: web, \(waiver("one", ", ticket: A-1"))", "owner: web, \(waiver("one"))",
                "another reason, owner or ticket"
            ),
        ] {
            let (mended, outcome) = Self.fix(text(own, around))
            #expect(mended == text(own, around), "\(own)")
            let finding = outcome.result.findings.first { $0.code == .redundantRule }
            #expect(
                finding?.help.first?.contains(loss) == true, "\(own): \(finding?.help ?? [])")
        }
        for (own, around) in [
            ("owner: web", "owner: web, note: all of it"),
            ("owner: web, note: same", "owner: web, note: same"),
            ("owner: web, \(waiver("one"))", "owner: web, \(waiver("one"))"),
        ] {
            let (mended, outcome) = Self.fix(text(own, around))
            #expect(!mended.contains("  api:"), "\(own)")
            #expect(
                outcome.applied.contains {
                    $0.title
                        == "delete the rule; `all` demands the same of its hosts, for the same owner"
                })
        }
    }

    @Test("a fix that makes a host weaker without naming it is told by the comparison of tables")
    func weakened() throws {
        func table(_ rules: String) throws -> PolicyTable {
            try #require(FixPromise.table(MarkedLint(Self.policy("rules:\n" + rules)).unit()))
        }
        let strict = try table(
            "  a: { hosts: [\"a.example\"], anchors: [corp], tls: { minimum-version: tls1.3 } }\n")
        let weak = try table("  a: { hosts: [\"a.example\"], anchors: [corp] }\n")
        let wide = try table(
            "  a: { hosts: [\"a.example\", \"**.b.example\"], anchors: [corp], "
                + "tls: { minimum-version: tls1.3 } }\n")
        func weakened(_ moves: [String], _ before: PolicyTable, _ after: PolicyTable) -> [String] {
            let fix = FixIt(title: "x", safety: .needsReview, edits: [], moves: moves)
            return LintFixes.weakened(by: [fix], before, after, since: MarkedLint.time)
        }
        #expect(weakened([], strict, weak) == ["a.example"])
        #expect(weakened([], weak, strict) == [])
        #expect(weakened(["b.example"], strict, weak) == ["a.example"])
        #expect(weakened([], strict, wide) == ["**.b.example"])
        #expect(weakened(["**.b.example"], strict, wide) == [])
    }

    @Test("an exception that lasts too long is ended earlier, never later")
    func tooLong() {
        func text(_ until: String) -> String {
            Self.policy(
                """
                rules:
                  api:
                    hosts: ["api.example"]
                    anchors: [corp]
                    owner: web
                    tls: { minimum-version: tls1.3 }
                    report-only:
                      tls:
                        until: \(until)   # agreed

                """)
        }
        #expect(Self.fix(text("2029-01-31"), .safe).text == text("2029-01-31"))
        #expect(Self.fix(text("2029-01-31")).text == text("2026-11-27"))
        #expect(Self.fix(text("2026-11-27")).text == text("2026-11-27"))
    }

    // MARK: Deletions

    /// A unit in which a part that cannot be read uses what seems to be unused.
    static let unreadable = [
        "an unknown key":
            "  api: { hosts: [\"api.example\"], anchors: [system], owner: web, bindings: [api] }",
        "an unknown section":
            "regulations:\n  api: { hosts: [\"api.example\"], anchors: [system], pins: [api] }",
        "a second document":
            "---\nhawser: 1\nrules:\n  api: { hosts: [\"api.example\"], anchors: [system], pins: [api] }",
        "a list that is not closed":
            "  api:\n    hosts: [\"api.example\"]\n    anchors: [system]\n    pins: [api",
        "a key that stands twice":
            "  api: { hosts: [\"api.example\"], anchors: [system], pins: [other], pins: [api], owner: web }",
        "a profile that says who": "profiles:\n  wrong: { pins: [api] }",
        "an alias":
            "  api: { hosts: [\"api.example\"], anchors: [system], pins: *api, owner: web }",
    ]

    @Test(
        "nothing is deleted as unused while a part of the unit cannot be read",
        arguments: unreadable.keys.sorted())
    func unused(_ name: String) {
        let text =
            Self.policy(
                "pins:\n" + Self.pinSet("api") + Self.pinSet("other")
                    + """
                    rules:
                      www: { hosts: ["www.example"], anchors: [corp], pins: [other], owner: web }

                    """) + (Self.unreadable[name] ?? "") + "\n"
        let (mended, outcome) = Self.fix(text)
        #expect(mended == text)
        #expect(!outcome.result.findings.contains { $0.code == .unusedDefinition })
    }

    @Test("a name in a definition that nothing uses is no use, nor is a rule of the same name")
    func unusedTogether() {
        let text = Self.policy(
            """
              roots: { files: [other.pem], owner: pki }
              all-roots: { include: [roots], owner: pki }
            pins:
            \(Self.pinSet("www"))\(Self.pinSet("used"))
            rules:
              www: { hosts: ["www.example"], anchors: [corp], pins: [used], owner: web }

            """)
        let unit = MarkedLint(text).unit()
        let promise = FixPromise(unit, .all, MarkedLint.options())
        #expect(
            promise.outcome.applied.map(\.title)
                == Array(repeating: "remove what nothing uses", count: 3))
        #expect(promise.breaches(against: []) == [])
        let (mended, _) = Self.fix(text)
        #expect(!mended.contains("roots") && mended.contains("  used:"))
    }

    @Test("another spelling of a weak word is mended, with blanks too")
    func spellings() {
        for spelling in ["TLSv1.0", "TLS 1.0", "tls 1 .0"] {
            let text = Self.policy(
                """
                rules:
                  www:
                    hosts: ["www.example"]
                    anchors: [corp]
                    owner: web
                    waivers:
                      tls: { minimum-version: \(spelling), reason: old, owner: web, until: 2026-10-31 }

                """)
            let promise = FixPromise(MarkedLint(text).unit(), .safe, MarkedLint.options())
            #expect(promise.outcome.applied.map(\.title) == ["write `tls1.0`"])
            #expect(promise.breaches(against: []) == [], "\(spelling)")
        }
    }

    @Test("a time without a zone is UTC only under the condition that the title states")
    func conditions() throws {
        func unit(_ date: String) -> PolicyUnit {
            let pins = Self.pinSet("web").replacing(
                "2028-01-31", with: "\(date)\n    on-expiry: report")
            return MarkedLint(
                Self.policy(
                    "pins:\n\(pins)rules:\n"
                        + "  web: { hosts: [\"www.example\"], anchors: [corp], pins: [web], owner: web }\n"
                )
            ).unit()
        }
        func table(_ date: String) throws -> PolicyTable {
            try #require(FixPromise.table(unit(date)), "\(date)")
        }
        let promise = FixPromise(unit("2028-01-31T12:00:00"), .all, MarkedLint.options())
        let titles = promise.outcome.applied.map(\.title)
        #expect(titles.contains("write `2028-01-31T12:00:00Z` if it is UTC"), "\(titles)")
        // The text with a time is half a day weaker than the text with the whole day.
        let day = [try table("2028-01-31")]
        #expect(promise.breaches(against: day) == ["weaker without a word: www.example"])
        func breaches(_ words: String, _ date: String) throws -> [String] {
            let condition = FixPromise.Condition(words: words, table: try table(date))
            return promise.breaches(against: day, under: condition)
        }
        #expect(try breaches("if it is UTC", "2028-01-31T12:00:00Z") == [])
        #expect(try breaches("if it is a day", "2028-01-31T12:00:00Z") != [])
        #expect(try breaches("if it is UTC", "2028-01-31T12:00:01Z") != [])
    }

    @Test("of two patterns on one line each stays, until the wider one decides its hosts alike")
    func twoOnALine() throws {
        func unit(_ hosts: String) -> PolicyUnit {
            MarkedLint(
                Self.policy(
                    """
                    rules:
                      control:
                        hosts:
                    \(hosts)
                        anchors: [corp]
                        owner: web
                      other: { hosts: ["**.grid.example"], anchors: [system], owner: web }

                    """)
            ).unit()
        }
        for (items, left) in [
            (["\"**.x.grid.example\"", "\"*.x.grid.example\""], 1),
            (["\"x.grid.example\"", "\"*.x.grid.example\""], 2),
            (["\"x.grid.example:443\"", "\"x.grid.example\""], 1),
        ] {
            let lines = items.map { "      - \($0)" }
            let meant = try #require(FixPromise.table(unit(lines.joined(separator: "\n"))))
            let promise = FixPromise(
                unit("      - " + items.joined(separator: ", ")), .all, MarkedLint.options())
            #expect(promise.breaches(against: [meant]) == [], "\(items)")
            #expect(FixPromise.table(promise.fixed) != nil, "\(items)")
            let text = String(decoding: promise.fixed.files[0].bytes, as: UTF8.self)
            #expect(items.count { text.contains("      - \($0)\n") } == left, "\(text)")
        }
    }

    @Test("in a unit with errors no fix rests on the rest of the unit")
    func errors() {
        let text = Self.policy(
            """
              idle: { files: [other.pem], owner: pki }
            rules:
              all: { hosts: ["**.acme.example", "a.acme.example"], anchors: [corp], owner: web }
              api:
                # hawser:ignore HW211 -- an old device
                hosts: ["api.acme.example"]
                anchors: [corp]
                owner: web
                tls: { minimum-version: tls14 }
                report-only: { tls: { until: 2026-01-31 }, keys: { until: 2026-01-31 } }

            """)
        let (mended, outcome) = Self.fix(text)
        #expect(mended == text)
        let codes = Set(outcome.result.findings.map(\.code))
        #expect(
            codes.isSuperset(of: [
                .unusedDefinition, .coveredPattern, .unusedSuppression, .exceptionEnded,
            ]))
        #expect(outcome.result.findings.allSatisfy { $0.fix == nil })
        let help = outcome.result.findings.first { $0.code == .unusedSuppression }?.help
        #expect(help?.first?.hasPrefix("mend the errors first") == true)
        // With the error mended they are there.
        let whole = Self.fix(text.replacing("tls14", with: "tls1.3"))
        #expect(!whole.text.contains("idle"))
        #expect(!whole.text.contains("hawser:ignore"))
        #expect(!whole.text.contains("\"a.acme.example\""))
    }

    @Test("two rules of which each is idle because of the other: one stays")
    func together() {
        let rules = """
            rules:
              one: { hosts: ["192.0.2.0/24"], anchors: [corp], owner: web }
              mid: { hosts: ["mid.example"], anchors: [corp], owner: web }
              two: { hosts: ["192.0.2.0/25", "192.0.2.128/25"], anchors: [corp], owner: web }

            """
        let (text, outcome) = Self.fix(
            Self.policy(rules, default: "{ anchors: [system], owner: web }"))
        #expect(outcome.result.findings.isEmpty)
        #expect(text.contains("192.0.2.128/25") || text.contains("192.0.2.0/24"))
        let patterns = """
            rules:
              one:
                hosts: ["192.0.2.0/24", "a.example", "192.0.2.0/25", "b.example", "192.0.2.128/25"]
                anchors: [corp]
                owner: web

            """
        let (list, rest) = Self.fix(
            Self.policy(patterns, default: "{ anchors: [system], owner: web }"))
        #expect(rest.result.findings.isEmpty)
        #expect(
            list.contains("192.0.2.0/24")
                || (list.contains("192.0.2.0/25") && list.contains("192.0.2.128/25")), "\(list)")
    }

    @Test("an ended report-only entry in front of one in force stays, and says so")
    func covered() {
        func text(_ until: String) -> String {
            Self.policy(
                """
                profiles:
                  far: { report-only: { tls: { until: \(until) } }, tls: { minimum-version: tls1.3 } }
                  near: { extends: far, keys: { rsa-minimum: 3072 } }
                rules:
                  api:
                    hosts: ["api.example"]
                    anchors: [corp]
                    profile: near
                    owner: web
                    report-only:
                      tls: { until: 2026-01-31 }
                      keys: { until: 2026-08-31 }

                """)
        }
        let (mended, outcome) = Self.fix(text("2026-08-31"))
        #expect(mended == text("2026-08-31"))
        let finding = outcome.result.findings.first { $0.code == .exceptionEnded }
        #expect(
            finding?.help.first?.hasPrefix("where it is deleted, what a profile reports") == true)
        #expect(finding?.labels.map(\.text) == ["this would hold instead"])
        // The farther one has ended, too: then it may go.
        #expect(!Self.fix(text("2026-02-28")).text.contains("tls: { until: 2026-01-31 }"))
    }

    // MARK: Additions

    @Test("a name is added to a rule only where the rule demands as much of it as what decides it")
    func apex() {
        let rules = "rules:\n  all: { hosts: [\"**.acme.example\"], anchors: [corp], owner: web }\n"
        let weaker = Self.policy(rules, default: "{ anchors: [system], owner: web }")
        #expect(Self.fix(weaker).text.contains("[\"acme.example\", \"**.acme.example\"]"))
        for demand in [
            "keys: { rsa-minimum: 4096 }", "keys: { types: [p384, ed25519] }",
            "tls: { alpn: [h2] }",
        ] {
            let text = Self.policy(
                rules, default: "{ anchors: [system], owner: web, \(demand) }")
            let (mended, outcome) = Self.fix(text)
            #expect(mended == text, "\(demand)")
            let finding = outcome.result.findings.first { $0.code == .apexUncovered }
            #expect(
                finding?.help == ["give it a rule of its own that demands what both demand"],
                "\(demand)")
        }
        let waived = Self.policy(
            rules.replacing(
                "owner: web",
                with:
                    "owner: web, waivers: { identity: { reason: x, owner: qa, until: 2026-09-01 } }"
            ),
            default: "{ anchors: [system], owner: web }")
        #expect(Self.fix(waived).text == waived)
    }

    @Test("a name is added with the port of its wildcard, and where no other port suffers")
    func apexWithPort() {
        let (text, _) = Self.fix(
            Self.policy(
                "rules:\n  all: { hosts: [\"**.acme.example:8443\"], anchors: [corp], owner: web }\n",
                default: "{ anchors: [system], owner: web }"))
        #expect(text.contains("[\"acme.example:8443\", \"**.acme.example:8443\"]"))
        let strict = Self.policy(
            """
            rules:
              all: { hosts: ["**.acme.example"], anchors: [corp], owner: web }
              odd: { hosts: ["**.example:8443"], anchors: [corp], owner: web, keys: { rsa-minimum: 4096 } }

            """, default: "{ anchors: [system], owner: web }")
        #expect(Self.fix(strict).text == strict)
    }

    @Test(
        "a wildcard is widened only where the rule demands as much as what decides the deeper hosts"
    )
    func depth() {
        let rules = """
            rules:
              all: { hosts: ["acme.example", "*.acme.example", "db.eu.acme.example"], anchors: [corp], owner: web }

            """
        #expect(
            Self.fix(Self.policy(rules, default: "{ anchors: [system], owner: web }")).text
                .contains("\"**.acme.example\""))
        let strict = Self.policy(
            rules, default: "{ anchors: [system], owner: web, keys: { rsa-minimum: 4096 } }")
        let (mended, outcome) = Self.fix(strict)
        #expect(mended == strict)
        #expect(outcome.result.findings.contains { $0.code == .depthSurprise })
        // The same wildcard without port would take the hosts of one label from the wider one.
        let ported = Self.policy(
            """
            rules:
              all: { hosts: ["*.acme.example:8443", "db.eu.acme.example"], anchors: [corp], owner: web }
              any: { hosts: ["*.acme.example"], anchors: [system, corp], owner: web }

            """, default: "{ anchors: [system], owner: web }")
        #expect(!Self.fix(ported).text.contains("\"**."))
        // The neighbours are decided by a rule that the wider pattern would not come before.
        let taken = Self.policy(
            rules
                + "  eu: { hosts: [\"*.eu.acme.example\"], anchors: [system, corp], owner: web }\n",
            default: "{ anchors: [system], owner: web }")
        #expect(Self.fix(taken).text == taken)
    }

    @Test("a URL without port becomes no pattern for every port")
    func urls() {
        for (url, host) in [
            ("https://url.example/x", nil), ("http://url.example", nil),
            ("https://user@url.example:8443", nil),
            ("https://url.example:8443/x", "url.example:8443"),
            ("url.example/x", "url.example"), ("ldaps://url.example", nil),
            ("tcp://url.example", nil), ("tcp://url.example:7/x", "url.example:7"),
            ("spiffe://url.example/ns/pay", nil), ("SPIFFE://url.example", nil),
            ("https://[2001:db8::1]/", nil),
        ] as [(String, String?)] {
            let text = Self.policy(
                "rules:\n  a: { hosts: [\"\(url)\"], anchors: [corp], owner: web }\n")
            let expected = host.map { text.replacing(url, with: $0) } ?? text
            #expect(Self.fix(text).text == expected, "\(url)")
        }
    }

    // MARK: Quotes

    @Test("a comma or a colon between typographic quotes does not hide them")
    func splitQuotes() {
        func text(_ rule: String) -> String {
            Self.policy("rules:\n" + rule)
        }
        for (written, mended) in [
            (
                "  api: { hosts: [\"a.example\"], anchors: [corp], note: “x, y”, owner: web }\n",
                "  api: { hosts: [\"a.example\"], anchors: [corp], note: \"x, y\", owner: web }\n"
            ),
            (
                "  api:\n    hosts: [\"a.example\"]\n    anchors: [corp]\n    owner: web\n"
                    + "    note: „x: y“\n",
                "  api:\n    hosts: [\"a.example\"]\n    anchors: [corp]\n    owner: web\n"
                    + "    note: \"x: y\"\n"
            ),
        ] {
            let (mendedText, outcome) = Self.fix(text(written))
            #expect(mendedText == text(mended))
            #expect(outcome.result.findings.isEmpty)
            #expect(outcome.applied.first?.safety == .needsReview)
        }
        // The other quote stands in a comment, or there is none.
        for note in ["“x   # ”", "“x"] {
            let whole = text(
                "  api:\n    hosts: [\"a.example\"]\n    anchors: [corp]\n    owner: web\n"
                    + "    note: \(note)\n")
            #expect(Self.fix(whole).text == whole)
            #expect(Self.fix(whole).outcome.result.findings.isEmpty, "\(note)")
        }
    }

    @Test("typographic quotes around a value become straight ones, and no host is made of them")
    func quotes() {
        let text = Self.policy(
            """
            rules:
              api:
                hosts: [“api.acme.example”, „b.acme.example“, ‘*.acme.example’]
                anchors: [“corp”]
                owner: ”web”
                note: “a” and “b”

            """)
        let (mended, outcome) = Self.fix(text, .safe)
        #expect(
            mended
                == Self.policy(
                    """
                    rules:
                      api:
                        hosts: ["api.acme.example", "b.acme.example", "*.acme.example"]
                        anchors: ["corp"]
                        owner: "web"
                        note: “a” and “b”

                    """))
        #expect(outcome.result.compilation.policy != nil)
        #expect(!outcome.result.findings.contains { $0.code == .typographicQuotes })
        for host in [
            "“api.acme.example", "api.acme.example”", "\"“api.acme.example”\"",
            "\"xn--api-2o0a.xn--example-b46c\"", "“a.example” “b.example”",
        ] {
            let text = Self.policy(
                "rules:\n  api:\n    hosts:\n      - \(host)\n    anchors: [corp]\n    owner: web\n"
            )
            let (kept, outcome) = Self.fix(text)
            #expect(kept == text, "\(host)")
            #expect(outcome.result.findings.map(\.code) == [.badHost], "\(host)")
        }
    }
}

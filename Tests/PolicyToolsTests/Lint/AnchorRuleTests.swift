import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// The rules on anchors, each by marked text.
@Suite("lint: anchors") struct AnchorRuleTests {
    private static let pki = MarkedLint.pki

    /// A rule that trusts one set: what the set holds, what else the set says, and what the rule
    /// says.
    private static func policy(
        _ files: String, _ set: String = "", hosts: String = "\"api.acme.example\"",
        anchors: String = "[acme]", rule: String = "", rest: String = ""
    ) -> MarkedLint {
        func lines(_ text: String) -> String { text.isEmpty ? "" : "    \(text)\n" }
        return MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [\(files)]
            \(lines(set))\(rest.isEmpty ? "" : rest + "\n")rules:
              api:
                hosts: [\(hosts)]
                anchors: \(anchors)
                owner: web
            \(lines(rule))
            """)
    }

    /// A root in PEM.
    private static func root(
        _ name: String = "Acme Old Root", key: TestKey = .p256("anchor rules"),
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        Array(pki.root(TestName(name), key: key, change).pem.utf8)
    }

    private static let waiver = "reason: the partner is late, owner: web, until: 2026-08-31"

    // MARK: HW302, HW303

    @Test("HW302: an anchor that ended, or has not begun")
    func expired() {
        let ended = Self.root { $0.notAfter = .at("2026-03-31T23:59:59Z") }
        Self.policy("«HW302:old.pem»").expect(
            files: ["old.pem": ended],
            says: [
                "no path can end at `CN=Acme Old Root` any more: the certificate of `old.pem` ended on "
                    + "2026-03-31", "its subject is `CN=Acme Old Root`",
            ])
        let future = Self.root { $0.notBefore = .at("2026-07-01") }
        Self.policy("«HW302:old.pem»").expect(
            files: ["old.pem": future],
            says: ["no path can end at `CN=Acme Old Root` yet", "begins on 2026-07-01"])
    }

    @Test("HW302 and HW303 meet at the last second of the certificate")
    func lastSecond() {
        let end = MarkedLint.time
        let files = ["old.pem": Self.root { $0.notAfter = end }]
        Self.policy("«HW303:old.pem»").expect(files: files, says: ["less than a day from now"])
        Self.policy("«HW302:old.pem»")
            .expect(MarkedLint.options(at: end.advanced(bySeconds: 1)), files: files)
    }

    @Test("HW302: quiet where the dates do not bind, or every rule lets the end through")
    func expiredAllowed() {
        let files = ["old.pem": Self.root { $0.notAfter = .at("2026-05-31T23:59:59Z") }]
        Self.policy("old.pem", "ignore-limits: [dates]").expect(files: files)
        Self.policy("old.pem", rule: "validity: { clock-skew: 24h }").expect(files: files)
        Self.policy(
            "old.pem", rule: "waivers: { expired: { tolerance: 7d, \(Self.waiver) } }"
        ).expect(files: files)
        // Too short, and of one rule of two.
        Self.policy(
            "«HW302:old.pem»", rule: "waivers: { expired: { tolerance: 1h, \(Self.waiver) } }"
        ).expect(files: files)
        Self.policy(
            "«HW302:old.pem»",
            rule: "waivers: { expired: { tolerance: 7d, \(Self.waiver) } }\n"
                + "  www: { hosts: [\"www.acme.example\"], anchors: [acme], owner: web }"
        ).expect(files: files)
    }

    @Test("HW302: one finding for each file, and none for what is filtered out")
    func expiredOfBundle() {
        let names = ["Acme A", "Acme B", "Acme C"]
        let roots = names.enumerated().map { index, name in
            Self.root(name, key: .p256("bundle \(index)")) {
                $0.notAfter = .at("2026-0\(5 - index)-01")
            }
        }
        Self.policy("«HW302:old.pem», corp.pem").expect(
            files: ["old.pem": roots.flatMap { $0 }],
            says: [
                "`CN=Acme C` any more: certificate 3 of `old.pem` ended on 2026-03-01",
                "likewise: `CN=Acme A`, `CN=Acme B`",
            ])
        let pin = Self.pki.root("Acme A", key: .p256("bundle 0")).certificate.pin
        Self.policy("old.pem, corp.pem", "exclude: { gone: { spki: \(pin) } }")
            .expect(files: ["old.pem": roots[0]])
    }

    @Test("HW302: of an included set it is told where the file is named")
    func expiredIncluded() {
        let files = ["old.pem": Self.root { $0.notAfter = .at("2026-03-31") }]
        Self.policy(
            "«HW302:old.pem»", anchors: "[all]",
            rest: "  all: { include: [acme], files: [corp.pem] }"
        ).expect(files: files)
    }

    @Test("HW303: an end within the horizon")
    func expiring() {
        let files = ["old.pem": Self.root { $0.notAfter = .at("2026-08-30T12:00:00Z") }]
        Self.policy("«HW303:old.pem»").expect(
            files: files,
            says: ["ends on 2026-08-30, 90 days from now", "`acme` holds nothing else"])
        Self.policy("old.pem", "ignore-limits: [dates]").expect(files: files)
        var near = MarkedLint.options()
        near.horizon = 89 * 86_400
        Self.policy("old.pem").expect(near, files: files)
    }

    @Test("HW303: a certificate that vouches for itself is told in its last third")
    func expiringLeaf() {
        func leaf(_ last: String) -> [String: [UInt8]] {
            let leaf = Self.pki.selfSignedLeaf(dns: ["api.acme.example"]) {
                ($0.notBefore, $0.notAfter) = (.at("2026-05-02T12:00:00Z"), .at(last))
            }
            return ["old.pem": Array(leaf.pem.utf8)]
        }
        Self.policy("old.pem", "kind: leaf").expect(files: leaf("2026-07-31T12:00:00Z"))
        Self.policy("«HW303:old.pem»", "kind: leaf").expect(files: leaf("2026-06-15T12:00:00Z"))
    }

    // MARK: HW305

    @Test("HW305: a key below the baseline")
    func weakKey() {
        let files = ["old.pem": Self.root(key: .rsa1024("weak anchor"))]
        Self.policy("«HW305:old.pem»").expect(
            files: files,
            says: ["no path can end at `CN=Acme Old Root`", "RSA of 1024 bits, at least 2048"])
        Self.policy(
            "old.pem", rule: "waivers: { keys: { rsa-minimum: 1024, \(Self.waiver) } }"
        ).expect(files: files)
        Self.policy(
            "«HW305:old.pem»", rule: "waivers: { keys: { rsa-minimum: 1536, \(Self.waiver) } }"
        ).expect(files: files)
    }

    @Test("HW305: issued with a hash that proves nothing, and not issued by another")
    func weakSignature() {
        let key = TestKey.rsa2048("weak signer")
        let issuing = Self.pki.root("Acme Root", key: key).issueCA(
            "Acme Issuing", key: .p256("issuing anchor")
        ) { $0.signature = .rsaPKCS1(.sha1) }
        Self.policy("«HW305:old.pem»", "kind: intermediate").expect(
            files: ["old.pem": Array(issuing.pem.utf8)],
            says: ["nothing proves who issued `CN=Acme Issuing`", "signed with `sha1`"])
        let selfSigned = Self.root(key: key) { $0.signature = .rsaPKCS1(.sha1) }
        Self.policy("old.pem").expect(files: ["old.pem": selfSigned])
    }

    @Test("HW305: no anchor of a rule has a key that the rule allows")
    func weakForRule() {
        let files = ["old.pem": Self.root(key: .rsa2048("rule anchor"))]
        Self.policy("old.pem", anchors: "[«HW305:acme»]", rule: "keys: { rsa-minimum: 3072 }")
            .expect(
                files: files,
                says: ["`api` can accept no path", "RSA of 2048 bits, at least 3072", "asked here"])
        Self.policy("old.pem", anchors: "[«HW305:acme»]", rule: "keys: { types: [p256, p384] }")
            .expect(files: files, says: ["is of the type `rsa`, allowed: `p256`, `p384`"])
        // Another anchor has one.
        Self.policy("old.pem, corp.pem", rule: "keys: { rsa-minimum: 3072 }").expect(files: files)
        Self.policy("old.pem").expect(files: files)
    }

    // MARK: HW306

    @Test("HW306: the same file twice, whose second item can go")
    func duplicate() {
        let result = Self.policy("corp.pem, other.pem, «HW306:corp.pem»").expect(
            says: ["`CN=Acme Root` is twice in `acme`", "named here"])
        #expect(result.findings.first?.fix?.safety == .safe)
    }

    @Test("HW306: a bundle that holds what a file holds makes the file needless")
    func duplicateOfBundle() {
        let both = ["all.pem": MarkedLint.files["corp.pem"]! + MarkedLint.files["other.pem"]!]
        let first = Self.policy("«HW306:corp.pem», all.pem").expect(files: both)
        #expect(first.findings.first?.fix?.safety == .safe)
        let overlapping = [
            "all.pem": both["all.pem"]!, "more.pem": MarkedLint.files["other.pem"]! + Self.root(),
        ]
        let second = Self.policy("all.pem, «HW306:more.pem»").expect(files: overlapping)
        #expect(second.findings.first?.fix == nil)
    }

    @Test("HW306: `pem` repeats a file; a file repeats itself")
    func duplicateWritten() {
        let corp = String(decoding: MarkedLint.files["corp.pem"]!, as: UTF8.self)
            .split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
        let written = Self.policy("corp.pem", "«HW306:pem»: |\n\(corp)").expect()
        #expect(written.findings.first?.fix?.safety == .safe)
        let twice = ["twice.pem": MarkedLint.files["corp.pem"]! + MarkedLint.files["corp.pem"]!]
        let file = Self.policy("«HW306:twice.pem»").expect(
            files: twice, says: ["certificate 2 of `twice.pem` is certificate 1"])
        #expect(file.findings.first?.fix == nil)
    }

    @Test("HW306: another certificate of the same anchor, which a person has to choose")
    func renewed() {
        let files = [
            "a.pem": Self.root { $0.notAfter = .at("2028-12-31") }, "b.pem": Self.root(),
        ]
        let result = Self.policy("a.pem, «HW306:b.pem»").expect(
            files: files, says: ["the wider dates and limits of the two count", "to 2028-12-31"])
        #expect(result.findings.first?.fix == nil)
        // The same key under another name is another anchor.
        Self.policy("a.pem, b.pem").expect(
            files: files.merging(["a.pem": Self.root("Acme")]) { $1 })
    }

    @Test("HW306: the fix takes the item out and leaves the policy as it was")
    func duplicateFixed() {
        let policy = Self.policy("corp.pem, other.pem, corp.pem")
        let outcome = LintFixes.apply(
            to: policy.unit(), MarkedLint.options(), .safe, crypto: LibCryptoBackend())
        let fixed = outcome.changed[0].map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(fixed.contains("    files: [corp.pem, other.pem]\n"), "\(fixed)")
        #expect(outcome.refused.isEmpty)
        #expect(outcome.result.findings.isEmpty)
    }

    // MARK: HW310

    @Test("HW310: the only anchor ends before pins, waivers and report modes do")
    func lone() {
        let files = ["old.pem": Self.root { $0.notAfter = .at("2027-06-30T23:59:59Z") }]
        let pins = """
            pins:
              keys:
                keys: { a: { spki-file: corp.pem } }
                backups: { b: { spki-file: other.pem } }
                enforce-until: 2028-01-31
            """
        let pinned = Self.policy(
            "old.pem", anchors: "[«HW310:acme»]", rule: "pins: [keys]", rest: pins)
        pinned.expectAlone(
            "HW310", files: files,
            says: ["ends on 2027-06-30, before the end of the pins `keys`, 2028-01-31"])
        Self.policy("old.pem, corp.pem", rule: "pins: [keys]", rest: pins)
            .expectAlone("HW310", files: files)
        let waiver = "reason: late, owner: web, until: 2027-09-30"
        Self.policy(
            "old.pem", anchors: "[«HW310:acme»]", rule: "waivers: { identity: { \(waiver) } }"
        ).expectAlone("HW310", files: files, says: ["the end of the waiver `identity`"])
        let report = "revocation: { preset: require, sources: [crl] }\n    report-only: "
        Self.policy(
            "old.pem", anchors: "[«HW310:acme»]",
            rule: report + "{ revocation: { until: 2027-09-30 } }"
        ).expectAlone("HW310", files: files, says: ["`report-only` for `revocation`"])
        Self.policy("old.pem", rule: report + "{ revocation: { until: 2027-06-30 } }")
            .expectAlone("HW310", files: files)
    }

    // MARK: HW312, HW313, HW314

    @Test("HW313: of a set at none of whose anchors a path can end the linter speaks once")
    func setOfDeadEnds() {
        let dead = Self.root { $0.set(.keyUsage([.cRLSign])) }
        let weak = Self.root("Acme Weak Root", key: .rsa1024("weak anchor"))
        let files = ["old.pem": dead, "weak.pem": weak]
        Self.policy("«HW312:old.pem», «HW305:weak.pem»").expect(files: files)
        let including =
            "  «HW313:all»: { include: [acme], only: { a: { certificate-file: old.pem } } }"
        Self.policy(
            "«HW312:old.pem», corp.pem", anchors: "[all]", rest: including
        ).expect(
            files: files, says: ["no path can end at any anchor of `all`", "included from here"])
    }

    @Test("HW314: a root of version 1 is taken")
    func version1() {
        let files = [
            "old.pem": Self.root {
                $0.version = 1
                $0.extensions = []
            }
        ]
        Self.policy("«HW314:old.pem»").expect(
            files: files, says: ["is of version 1", "if it is a server's own certificate"])
        // It names no host, and so no path to a host ends at it (HW309).
        Self.policy("old.pem", "kind: leaf").expect(
            files: files, without: [.nameConstraintsExclude])
        Self.policy("«HW304:old.pem»", "kind: intermediate").expect(files: files)
    }

    @Test("HW312: a CA at which no path can end")
    func deadEnd() {
        let cases: [(phrase: String, change: (inout CertificateRecipe) -> Void)] = [
            ("may not sign certificates", { $0.set(.keyUsage([.cRLSign])) }),
            ("has the critical extension", { $0.extensions.append(.unknown(critical: true)) }),
            (
                "is only for `codeSigning`, wanted: `serverAuth`",
                { $0.extensions.append(.extendedKeyUsage([OID.codeSigning])) }
            ),
            (
                "which `rfc5280` does not allow",
                { $0.set(.subjectKeyIdentifier([1, 2, 3]).critical(true)) }
            ),
        ]
        for (phrase, change) in cases {
            Self.policy("«HW312:old.pem»").expect(
                files: ["old.pem": Self.root("Acme Old Root", change)],
                says: ["no path can end at `CN=Acme Old Root`", phrase])
        }
    }

    @Test("HW312: what is wrong in another way has a note of its own")
    func deadEndsOfBundle() {
        let bundle =
            Self.root("Acme A", key: .p256("dead 0")) { $0.set(.keyUsage([.cRLSign])) }
            + Self.root("Acme B", key: .p256("dead 1")) { $0.set(.keyUsage([.cRLSign])) }
            + Self.root("Acme C", key: .p256("dead 2")) {
                $0.extensions.append(.unknown(critical: true))
            }
        Self.policy("«HW312:old.pem»").expect(
            files: ["old.pem": bundle],
            says: [
                "no path can end at `CN=Acme A`", "likewise: `CN=Acme B`\n",
                "no path can end at `CN=Acme C`: certificate 3 of `old.pem` has the critical",
            ])
    }

    @Test("HW312: quiet where purposes do not bind, or a rule wants them")
    func deadEndAllowed() {
        let files = [
            "old.pem": Self.root { $0.extensions.append(.extendedKeyUsage([OID.clientAuth])) }
        ]
        Self.policy("«HW312:old.pem»").expect(files: files)
        Self.policy("old.pem", "ignore-limits: [key-purposes]").expect(files: files)
        Self.policy("old.pem", rule: "path: { key-purposes: [client-auth] }").expect(files: files)
    }

    @Test("HW312: a certificate that is trusted as itself is judged as an end entity")
    func deadEndLeaf() {
        func leaf(_ change: (inout CertificateRecipe) -> Void) -> [String: [UInt8]] {
            let leaf = Self.pki.selfSignedLeaf(dns: ["api.acme.example"]) {
                $0.notAfter = .at("2030-12-31")
                change(&$0)
            }
            return ["old.pem": Array(leaf.pem.utf8)]
        }
        Self.policy("old.pem", "kind: leaf").expect(files: leaf { _ in })
        Self.policy("«HW312:old.pem»", "kind: leaf").expect(
            files: leaf { $0.set(.keyUsage([.cRLSign])) },
            says: ["has a key usage that suits no rule"])
        Self.policy("«HW312:old.pem»", "kind: leaf").expect(
            files: leaf { $0.set(.extendedKeyUsage([OID.codeSigning])) })
    }

    // MARK: HW315

    /// A root that was excluded, and the same CA under the root of `corp.pem`.
    private static let retired: [String: [UInt8]] = {
        let key = TestKey.p256("retired root")
        return [
            "old.pem": root("Acme Old Root", key: key),
            "cross.pem": Array(
                MarkedLint.root.issueCA("Acme Old Root", key: key).pem.utf8),
            "sub.pem": Array(MarkedLint.root.issueCA("Acme Sub", key: .p256("sub")).pem.utf8),
        ]
    }()

    @Test("HW315: an excluded root that another anchor has cross-certified")
    func excludedCross() {
        let exclude = "exclude: { «HW315:old»: { certificate-file: old.pem } }"
        Self.policy("corp.pem, old.pem", "intermediates: [cross.pem]\n    " + exclude).expect(
            files: Self.retired,
            says: [
                "`acme` excludes `old`, but in `api` a path may still go on through "
                    + "`CN=Acme Old Root`, which `CN=Acme Root` vouches for",
                "forbidden-keys",
            ])
        // The cross-certificate is not evidence where its issuer is not an anchor of the rule.
        let quiet = "exclude: { old: { certificate-file: old.pem } }"
        Self.policy("other.pem, old.pem", "intermediates: [cross.pem]\n    " + quiet)
            .expect(files: Self.retired)
        Self.policy("corp.pem, old.pem", quiet).expect(files: Self.retired)
    }

    @Test("HW315: an excluded intermediate whose root is an anchor too")
    func excludedIntermediate() {
        let text = """
              issuing:
                files: [sub.pem]
                kind: intermediate
              all:
                include: [acme, issuing]
                exclude: { «HW315:sub»: { spki-file: sub.pem } }
            """
        Self.policy("corp.pem", anchors: "[all]", rest: text).expect(files: Self.retired)
        Self.policy(
            "corp.pem", anchors: "[all]",
            rest: text.replacing("«HW315:sub»", with: "sub").replacing("[acme,", with: "[more,")
                + "\n  more: { files: [other.pem] }\n  spare: { include: [acme] }"
        ).expectAlone("HW315", files: Self.retired)
    }

    @Test("HW315: quiet where the key is forbidden, or trusted on terms of its own")
    func excludedAndForbidden() {
        let exclude = "intermediates: [cross.pem]\n    exclude: { old: { spki-file: old.pem } }"
        Self.policy(
            "corp.pem, old.pem", exclude,
            rule: "forbidden-keys: { old: { spki-file: old.pem } }"
        ).expect(files: Self.retired)
        Self.policy(
            "corp.pem, old.pem", exclude, anchors: "[acme, late]",
            rest: "  late: { files: [old.pem], constraints: { maximum-lifetime: 30d } }"
        ).expect(files: Self.retired)
    }
}

extension MarkedLint {
    /// Holds one rule to the marks at the level of remarks, where others speak too.
    func expectAlone(
        _ code: String, files: [String: [UInt8]], says phrases: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var options = MarkedLint.options(.audit)
        options.selected = [DiagnosticCode(rawValue: code)!]
        expect(options, files: files, says: phrases, sourceLocation: sourceLocation)
    }
}

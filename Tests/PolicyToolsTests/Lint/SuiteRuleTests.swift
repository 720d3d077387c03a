import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// HW522, by marked text: lists of suites without a suite of a version that is accepted; and lists
/// in the words of other programs.
@Suite("lint: suites by version") struct SuiteRuleTests {
    private static func policy(_ fields: String, _ before: String = "") -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            \(before)rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                \(fields)

            """)
    }

    private static func fixed(_ marked: MarkedLint, _ mode: LintFixes.Mode = .all) -> String {
        let unit = marked.unit()
        let outcome = LintFixes.apply(
            to: unit, MarkedLint.options(), mode, crypto: LibCryptoBackend())
        return String(decoding: outcome.changed[0] ?? unit.files[0].bytes, as: UTF8.self)
    }

    @Test(
        "suites of TLS 1.2 alone, and the suites to add are as strong as those",
        arguments: [
            (
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "`TLS_AES_128_GCM_SHA256` to the list",
                "[TLS_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]"
            ),
            (
                "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                "add `TLS_AES_256_GCM_SHA384`, `TLS_CHACHA20_POLY1305_SHA256` to the list",
                "[TLS_AES_256_GCM_SHA384, TLS_CHACHA20_POLY1305_SHA256, "
                    + "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, "
                    + "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256]"
            ),
        ])
    func older(_ suites: String, _ help: String, _ list: String) {
        let marked = Self.policy("tls: { cipher-suites: «HW522:[\(suites)]» }")
        let result = marked.expect(says: [
            "`tls.cipher-suites` lists no suite of TLS 1.3, so every connection over TLS 1.3 is "
                + "rejected", help,
        ])
        #expect(result.compilation.policy == nil)
        let text = Self.fixed(marked)
        #expect(text.contains("cipher-suites: \(list)"), "\(text)")
        #expect(!text.contains("maximum-version"))
        Self.policy("tls: { cipher-suites: \(list) }").expect()
        // A safe fix lets nothing through.
        #expect(Self.fixed(marked, .safe) == String(decoding: marked.bytes, as: UTF8.self))
    }

    @Test("suites of TLS 1.3 alone under a floor of TLS 1.2")
    func newer() {
        let suites = "[TLS_AES_128_GCM_SHA256]"
        Self.policy("tls: { cipher-suites: «HW522:\(suites)» }").expect(says: [
            "lists no suite of TLS 1.2",
            "to accept TLS 1.3 and nothing older, write `minimum-version: tls1.3`",
            "add `TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256`, "
                + "`TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` to the list",
        ])
        let written = Self.policy(
            "tls: { minimum-version: tls1.2, cipher-suites: «HW522:\(suites)» }")
        written.expect()
        #expect(Self.fixed(written).contains("minimum-version: tls1.3"))
        Self.policy("keys: { leaf-types: [p256] }, tls: { cipher-suites: «HW522:\(suites)» }".lines)
            .expect(says: ["add `TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256` to the list"])
        Self.policy("tls: { maximum-version: tls1.2, cipher-suites: «HW522:\(suites)» }").expect(
            says: ["to the list, or leave `tls.maximum-version` out"])
        Self.policy("tls: { minimum-version: tls1.3, cipher-suites: \(suites) }").expect()
    }

    @Test("a list in block form keeps its form")
    func block() {
        let marked = Self.policy(
            "tls:\n      cipher-suites:\n        «HW522:- TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\n"
                + "        - TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384»")
        let text = Self.fixed(marked)
        #expect(
            text.contains(
                """
                      cipher-suites:
                        - TLS_AES_128_GCM_SHA256
                        - TLS_AES_256_GCM_SHA384
                        - TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
                        - TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384
                """), "\(text)")
    }

    @Test("it stands at the layer that makes it, once, and where a rule is judged by it")
    func layers() {
        let old = "[TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]"
        let rules =
            "profile: org\n  www: { hosts: [\"www.acme.example\"], anchors: [system], "
            + "profile: org, owner: web, path: { maximum-intermediates: 2 } }"
        Self.policy(rules, "profiles:\n  org: { tls: { cipher-suites: «HW522:\(old)» } }\n")
            .expect()
        // A profile whose rules accept TLS 1.2 alone rejects nothing that they accept.
        Self.policy(
            "profile: org\n    tls: { maximum-version: tls1.2 }",
            "profiles:\n  org: { tls: { cipher-suites: \(old) } }\n"
        ).expect()
        Self.policy(
            "profile: near",
            "profiles:\n  org: { tls: { cipher-suites: \(old) } }\n"
                + "  near: { extends: org, tls: { maximum-version: tls1.2 } }\n"
        ).expect()
        // The rule opens what the profile closed.
        Self.policy(
            "profile: org\n    tls: { «HW510:maximum-version»: «HW522:tls1.3» }",
            "profiles:\n  org: { tls: { maximum-version: tls1.2, cipher-suites: \(old) } }\n"
        ).expect(says: ["`tls.cipher-suites` is written here"])
        MarkedLint(
            "hawser: 1\ndefault: { anchors: [system], owner: web, tls: { cipher-suites: "
                + "«HW522:\(old)» } }\n"
        ).expect()
        // What cannot be read may be the version.
        Self.policy("tls: { cipher-suites: \(old), maximum-version: «HW103:none» }").expect()
    }

    @Test(
        "names and lists of OpenSSL, nginx, Go and Envoy, and the safe fix",
        arguments: [
            (
                "[TLS_AES_128_GCM_SHA256, «HW103:ECDHE-RSA-AES128-GCM-SHA256»]",
                "[TLS_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]"
            ),
            (
                "«HW102:\"TLS_AES_128_GCM_SHA256:ECDHE-ECDSA-AES128-GCM-SHA256\"»",
                "[TLS_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]"
            ),
            (
                "«HW102:\"[ECDHE-ECDSA-AES128-GCM-SHA256|ECDHE-ECDSA-CHACHA20-POLY1305]:TLS_AES_128_GCM_SHA256\"»",
                "[TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, "
                    + "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, TLS_AES_128_GCM_SHA256]"
            ),
        ])
    func elsewhere(_ written: String, _ list: String) {
        let marked = Self.policy("tls: { cipher-suites: \(written) }")
        marked.expect()
        let text = Self.fixed(marked, .safe)
        #expect(text.contains("cipher-suites: \(list) }"), "\(text)")
    }

    @Test("keywords of OpenSSL select suites that no list here can name; a command prints them")
    func keywords() {
        for written in ["«HW102:\"HIGH:!aNULL\"»", "[«HW103:\"HIGH:!aNULL\"»]"] {
            let marked = Self.policy("tls: { cipher-suites: \(written) }")
            marked.expect(says: ["`openssl ciphers -stdname 'HIGH:!aNULL'` prints the suites"])
            #expect(Self.fixed(marked) == String(decoding: marked.bytes, as: UTF8.self))
        }
        Self.policy("tls: { cipher-suites: «HW102:\"ECDHE-RSA-AES128-GCM-SHA256:!MD5\"» }").expect(
            says: [
                "the suites that it names are `cipher-suites: "
                    + "[TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]`"
            ])
        Self.policy("tls: { cipher-suites: [«HW103:ADH-AES128-SHA»] }").expect(
            says: ["leave it out"])
    }

    @Test(
        "versions in the words of other programs: help, and a safe fix, never a lower version",
        arguments: [
            "1.2", "TLSv1.2", "tls12", "\"TLS 1.2\"", "VersionTLS12", "771", "TLS_1_2",
        ])
    func versions(_ text: String) {
        for (digit, written) in [("2", text), ("3", Self.newest(text))] {
            for key in ["minimum-version", "maximum-version"] {
                let marked = Self.policy("tls: { \(key): «HW103:\(written)» }")
                marked.expect(says: ["write `tls1.\(digit)`"])
                let mended = Self.fixed(marked, .safe)
                let isQuoted = written.hasPrefix("\"")
                let word = isQuoted ? "\"tls1.\(digit)\"" : "tls1.\(digit)"
                #expect(mended.contains("\(key): \(word) }"), "\(mended)")
            }
        }
        // Under a profile that demands more, too: the rule said so.
        let strict = Self.policy(
            "profile: strict\n    tls: { minimum-version: «HW103:\(text)» }",
            "profiles:\n  strict: { tls: { minimum-version: tls1.3 } }\n")
        let words = strict.expect().findings.flatMap(\.help).joined(separator: "\n")
        #expect(words == "write `tls1.2`")
    }

    private static func newest(_ text: String) -> String {
        text == "771" ? "772" : text.replacing("2", with: "3")
    }

    @Test("lists of versions, and versions below the baseline")
    func otherVersions() {
        for written in ["«HW102:\"TLSv1.2 TLSv1.3\"»", "«HW102:[TLSv1.2, TLSv1.3]»"] {
            Self.policy("tls: { minimum-version: \(written) }").expect(says: [
                "for these versions write `minimum-version: tls1.2` and `maximum-version: tls1.3`"
            ])
        }
        Self.policy("tls: { minimum-version: «HW102:[TLSv1.2]» }").expect(
            says: ["write `minimum-version: tls1.2`"])
        Self.policy("tls: { minimum-version: «HW102:\"TLSv1 TLSv1.1 TLSv1.2\"» }").expect(
            says: ["waivers: { tls: { minimum-version: tls1.0,"])
        for written in ["TLSv1", "TLSv1.0", "VersionTLS10", "769", "\"1.0\""] {
            Self.policy("tls: { minimum-version: «HW103:\(written)» }").expect(says: [
                "is below the baseline", "waivers: { tls: { minimum-version: tls1.0,",
            ])
        }
    }
}

extension String {
    /// `a: b, c: d` as two lines of a rule.
    fileprivate var lines: String {
        replacing("}, tls", with: "}\n    tls")
    }
}

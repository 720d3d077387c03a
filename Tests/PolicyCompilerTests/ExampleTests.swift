import PolicyCompiler
import Testing

/// The policies on which the language was designed, as far as the compiler has their features, and
/// their wrong versions with the diagnostics that they must produce.
@Suite("policies by example")
struct ExampleTests {
    static let startup = """
        hawser: 1
        default:
          anchors: [system]
        pins:
          acme-api:
            keys:
              issuing-2026: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=, at: ca }
            backups:
              offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk=, note: "safe, sealed bag 7" }
            warn-from: 2027-04-30
            enforce-until: 2027-06-30
        rules:
          api:
            hosts: ["api.acme.example", "**.api.acme.example"]
            anchors: [system]
            pins: [acme-api]

        """

    static let rows: [MarkedRow] = [
        MarkedRow("a. small startup", startup),
        MarkedRow(
            "a. the backup is the key in service",
            """
            hawser: 1
            default:
              anchors: [system]
            pins:
              acme-api:
                keys:
                  issuing-2026: { spki: «label:sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=», at: ca }
                backups:
                  offline: { spki: «HW402:sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=» }
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                pins: [acme-api]
            """,
            says: [
                "`acme-api` has no real backup: `offline` is the key of `issuing-2026`",
                "make a spare key and pin it: `hawser pin --backup next.pem`",
            ]),
        MarkedRow(
            "c. a path waived and the identity checked",
            """
            hawser: 1
            default: { anchors: [system] }
            rules:
              developer-machines:
                hosts: ["localhost", "*.dev.shop.example"]
                anchors: [system]
                waivers:
                  «HW508:path»: { reason: "self-signed on laptops", owner: mobile, until: 2027-03-31 }
            """,
            says: [
                "`developer-machines` checks the name on certificates that anyone can make, which "
                    + "proves nothing",
                "pin the key and use `anchors: [pinned-keys]`, or waive `identity` as well and say so",
            ]),
        MarkedRow(
            "d. a star in a label",
            """
            hawser: 1
            default: deny
            rules:
              pin-public-keys: { hosts: [«HW204:"*d.example"»], anchors: [system] }
            """,
            says: [
                "`*d.example` is not a pattern: `*` stands for a whole label",
                "`*.d.example` (one label) or `**.d.example` (one or more); neither includes "
                    + "`d.example`",
            ]),
        MarkedRow(
            "f. names listed without a word on what they do",
            """
            hawser: 1
            default: deny
            rules:
              ledger:
                hosts: ["ledger.svc.internal:8443"]
                anchors: [system]
                identity: { «HW509:uri»: ["spiffe://mesh.example/ns/pay/sa/ledger"] }
            """,
            says: [
                "`identity.uri` is listed but `reference` is `host`: unclear whether the list adds to "
                    + "the host name or replaces it",
                "`reference: listed` (instead of the host) or `reference: host-and-listed` (both)",
            ]),
        MarkedRow(
            "h. host bits",
            """
            hawser: 1
            default: deny
            rules:
              sensors:
                hosts: [«HW201:"10.40.0.9/16"», "fd00:40::9:8883"]
                anchors: [system]
            """,
            says: [
                "`10.40.0.9/16` has host bits set",
                "`10.40.0.0/16` for the network, `10.40.0.9` for the one address",
            ]),
        MarkedRow(
            "i. one pattern in two rules",
            """
            hawser: 1
            default: { anchors: [system] }
            rules:
              edge:
                hosts: [«label:"*.cdn.shop.example"», "**.assets.shop.example"]
                anchors: [system]
              origin:
                hosts: ["origin.cdn.shop.example", «HW208:"*.cdn.shop.example"»]
                anchors: [system]
            """,
            says: [
                "`*.cdn.shop.example` belongs to two rules, so neither decides",
                "keep it in one; a carve-out names the narrower host only",
            ]),
        MarkedRow(
            "j. words and numbers outside what a field takes",
            """
            hawser: 1
            default: { anchors: [system], profile: suite-b }
            profiles:
              suite-b:
                keys: { leaf-types: [«HW103:P-384»], rsa-minimum: «HW103:1024» }
            """,
            says: [
                "`P-384` is not a key type; did you mean `p384`? allowed: rsa p256 p384 p521 ed25519 "
                    + "ed448 mldsa44 mldsa65 mldsa87",
                "`keys.rsa-minimum` takes 2048 to 16384; found 1024",
                "for a dated exception write `waivers: { keys: { rsa-minimum: 1024, reason, owner, "
                    + "until } }` in the rule",
            ]),
        MarkedRow(
            "k. a certificate's digest where a key's is wanted",
            """
            hawser: 1
            default: { anchors: [system], pins: [ca] }
            pins:
              ca:
                keys:
                  stolen: { spki: «HW401:sha256:fa7fefd7a81d3ec86789f04b80ae86127f07e5edeecc3a8c87ae532e8fd501a7» }
                backups:
                  spare: { spki: sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI= }
            """,
            says: ["this is a certificate digest (`sha256:` and hex)"]),
        MarkedRow(
            "l. default in a team's file",
            files: [
                "policy.yaml": """
                # policy.yaml: owned by security; the only file with `default`
                hawser: 1
                «label:default»: deny
                """,
                "teams/search/search.policy.yaml": """
                # teams/search/search.policy.yaml: one of forty; owned by the team
                hawser: 1
                «HW104:default»: { anchors: [system] }
                """,
            ],
            says: [
                "`default` is set twice; one file of the unit decides what unmatched hosts get",
                "set in policy.yaml:3:1, `deny`",
                "give your hosts a rule; the default is changed in policy.yaml",
            ]),
    ]

    @Test("diagnostics stand at their places", arguments: rows)
    func diagnostics(_ row: MarkedRow) {
        row.verify()
    }

    /// One run over one file shows every mistake once: a duplicate key, an unknown key, a tie, a
    /// bad pin, a tab, and a line separator in a comment that would hide a second `default` in the
    /// file.
    @Test("six mistakes are six diagnostics")
    func sixMistakes() {
        let text = """
            hawser: 1
            default: deny # the end\u{2028}default: { anchors: [system] }
            pins:
              acme:
                keys: { one: { spki: sha256/short= } }
                backups: { two: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                pins: [acme]
                owner: web
                owner: web
              shop:
                hosts: ["shop.acme.example"]
                anchors: [system]
                onwer: web
              mirror:
                hosts: ["shop.acme.example"]
            \t  anchors: [system]

            """
        let (_, diagnostics) = MemoryUnit.check(
            MemoryUnit.unit(["policy.yaml": Array(text.utf8)]))
        #expect(
            diagnostics.map(\.code) == [
                .hiddenText, .malformedPin, .duplicateKey, .unknownKey, .samePatternTwice,
                .tabIndent,
            ])
    }
}

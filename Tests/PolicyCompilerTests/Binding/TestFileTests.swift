import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// Test files: the parts that are read, and the message about each mistake, at its token.
@Suite("test files")
struct TestFileTests {
    private static func read(
        _ text: String, files: [String: String] = [:]
    ) -> TestSuite {
        TestFile.read(
            SourceFile(path: "policy.test.yaml", bytes: Array(text.utf8)),
            resources: TestTree(files: files.mapValues { Array($0.utf8) }),
            crypto: LibCryptoBackend())
    }

    /// A file with one case of these lines.
    private static func file(_ lines: String...) -> String {
        "hawser-test: 1\nat: 2027-01-15\ncases:\n  one:\n"
            + lines.map { "    \($0)\n" }.joined()
    }

    /// `CODE text` of each error, where the text is what the span covers.
    private static func told(_ suite: TestSuite) -> [String] {
        suite.diagnostics.filter { $0.severity == .error }.map { diagnostic in
            let span = diagnostic.primary.span
            let bytes = suite.files[Int(span.file)].bytes[Int(span.start)..<Int(span.end)]
            return "\(diagnostic.code.rawValue) \(String(decoding: bytes, as: UTF8.self))"
        }
    }

    // MARK: Reading

    @Test func everyKeyOfACase() throws {
        let suite = Self.read(
            Self.file(
                "host: \"API.pay.example:8443\"", "at: 2027-02-01T10:00:00Z",
                "chain: fixtures/pay.pem", "system: store.pem", "tls: tls1.2",
                "cipher-suite: TLS_AES_128_GCM_SHA256", "group: x25519",
                "signature-scheme: ecdsa_secp256r1_sha256", "alpn: h2", "staple: a.ocsp",
                "ocsp: [b.ocsp]", "crls: [c.crl, d.crl]", "sct-list: e.scts",
                "evidence: fixtures/evidence", "assume: { attested: pass }",
                "expect: { rule: pay, pattern: \"**.PAY.example\", anchors: [corp], pins: none, "
                    + "verdict: accept, reported: none, notices: [pin-ageing], "
                    + "revocation.preset: require, waivers.expired: { until: 2027-03-01 } }"))
        #expect(suite.diagnostics.map(\.message) == [])
        let one = try #require(suite.cases.first)
        #expect(one.name == "one" && one.host?.value.text == "api.pay.example" && one.port == 8443)
        #expect(one.at?.value.description == "2027-02-01T10:00:00Z")
        guard case .chain(let chain) = one.subject else {
            Issue.record("no chain")
            return
        }
        #expect(chain.value == "fixtures/pay.pem" && one.system?.value == "store.pem")
        #expect(one.tls.version == .tls12 && one.tls.alpn == "h2" && one.tls.group == "x25519")
        #expect(one.crls.map(\.value) == ["c.crl", "d.crl"])
        #expect(one.assumed.map(\.answer) == [.pass])
        #expect(one.expected.pattern?.value.canonicalText == "**.pay.example")
        #expect(one.expected.pins?.items.isEmpty == true)
        #expect(one.expected.fields.map(\.name.value) == ["revocation.preset", "waivers.expired"])
        #expect(suite.at?.value.description == "2027-01-15T00:00:00Z")
    }

    @Test func foldersOfCases() throws {
        let request =
            "host: a.example\nchain: chain.pem\nsystem: store.pem\nexpect: { verdict: accept }\n"
        let suite = Self.read(
            "hawser-test: 1\nat: 2027-01-15\nsystem: store.pem\nfolders: [cases]\n",
            files: [
                "cases/good/request.yaml": request, "cases/bad/deep/request.yaml": request,
                "cases/.hidden/request.yaml": request, "cases/good/chain.pem": "",
            ])
        #expect(suite.diagnostics.map(\.message) == [])
        #expect(suite.cases.map(\.name) == ["deep", "good"])
        #expect(
            suite.files.map(\.path) == [
                "policy.test.yaml", "cases/bad/deep/request.yaml", "cases/good/request.yaml",
            ])
        guard case .chain(let chain) = suite.cases[1].subject else {
            Issue.record("no chain")
            return
        }
        // A path counts from the folder of the case, `system` from the folder of the test file.
        #expect(chain.value == "cases/good/chain.pem")
        #expect(suite.cases[1].system?.value == "store.pem")
    }

    @Test func receipts() throws {
        let suite = Self.read(
            Self.file("receipt: fixtures/receipts.ndjson:3", "expect: { verdict: accept }"))
        #expect(suite.diagnostics.map(\.message) == [])
        guard case .receipt(let receipt)? = suite.cases.first?.subject else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt.value.path == "fixtures/receipts.ndjson" && receipt.value.line == 3)
    }

    // MARK: Typing mistakes

    /// A file with one key of one map misspelt, and the misspelt key.
    static let typos: [(text: String, key: String)] =
        TestFields.file.keys.map { shape in
            let typo = shape.name + "x"
            let lines = [
                "hawser-test: 1", "at: 2027-01-15",
                "cases: { one: { host: a.example, expect: { rule: a } } }",
            ]
            .filter { !$0.hasPrefix(shape.name + ":") }
            return (
                (lines + [typo + shape.example.dropFirst(shape.name.count)])
                    .joined(separator: "\n") + "\n", typo
            )
        }
        + TestFields.testCase.keys.map { shape in
            let typo = shape.name + "x"
            let lines =
                ["host: a.example", "expect: { rule: a }"]
                .filter { !$0.hasPrefix(shape.name + ":") }
                + [typo + shape.example.dropFirst(shape.name.count)]
            return (
                "hawser-test: 1\nat: 2027-01-15\ncases:\n  one:\n"
                    + lines.map { "    \($0)\n" }.joined(), typo
            )
        }
        + TestFields.expectation.keys.map { shape in
            let typo = shape.name + "x"
            return (
                "hawser-test: 1\nat: 2027-01-15\ncases:\n  one:\n    host: a.example\n    expect:\n"
                    + "      \(typo)\(shape.example.dropFirst(shape.name.count))\n", typo
            )
        }
        + ProfileField.allCases.filter { $0 != .forbiddenKeys }.map { field in
            (
                "hawser-test: 1\nat: 2027-01-15\ncases:\n  one:\n    host: a.example\n    expect:\n"
                    + "      \(field.rawValue)x: require\n", field.rawValue + "x"
            )
        }

    @Test("a typing mistake in each key is told at the key", arguments: typos)
    func typo(_ text: String, _ key: String) {
        let suite = Self.read(text)
        #expect(suite.hasErrors)
        let found = Self.told(suite)
        #expect(found.contains("HW004 \(key)"), "\(found) of\n\(text)")
        #expect(
            suite.diagnostics.first { $0.code.rawValue == "HW004" }?.message.contains(
                "did you mean") == true)
    }

    // MARK: Wrong values

    @Test(
        "a wrong value is told at the value",
        arguments: [
            ("at: soon", "HW103 soon"), ("at: 2027-13-01", "HW103"),
            ("tls: tls1.4", "HW103 tls1.4"),
            ("cipher-suite: TLS_AES_128", "HW103 TLS_AES_128"), ("group: x25591", "HW103 x25591"),
            ("signature-scheme: rsa", "HW103 rsa"), ("alpn: [h2]", "HW102 [h2]"),
            ("staple: ../../a", "HW012"), ("ocsp: a.ocsp", "HW102 a.ocsp"),
            ("crls: []", "HW014 []"), ("sct-list: /etc/passwd", "HW012"),
            ("evidence: { a: b }", "HW102"), ("assume: { attested: yes }", "HW005 yes"),
            ("assume: [attested]", "HW102"), ("assume: {}", "HW014 {}"), ("port: 0", "HW103 0"),
            ("port: https", "HW103 https"), ("system: store/", "HW103"),
        ])
    func wrongValue(_ line: String, _ expected: String) {
        let suite = Self.read(
            Self.file("host: a.example", "chain: a.pem", line, "expect: { verdict: accept }"))
        let found = Self.told(suite)
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found) of `\(line)`")
    }

    @Test(
        "a wrong host is told at the host",
        arguments: [
            ("\"*.a.example\"", "HW204"), ("https://a.example/", "HW203"), ("10.0.0.0/8", "HW201"),
            ("a..example", "HW201"), ("\"a.example:0\"", "HW201"), ("[a.example]", "HW102"),
            ("\"\"", "HW014"),
        ])
    func wrongHost(_ host: String, _ code: String) {
        let found = Self.told(
            Self.read(Self.file("host: \(host)", "expect: { rule: a }")))
        #expect(found.contains { $0.hasPrefix(code) }, "\(found)")
    }

    @Test(
        "a wrong expectation is told at its value",
        arguments: [
            ("verdict: accepted", "HW103 accepted"),
            ("violations: [pin-missmatch]", "HW103 pin-missmatch"),
            ("violations: pin-mismatch", "HW102"), ("violations: []", "HW014 []"),
            ("verdict: accept, reported: [expird]", "HW103 expird"),
            ("verdict: accept, notices: [pin-agein]", "HW103 pin-agein"),
            ("verdict: accept, violations: [expired]", "HW802 violations"),
            ("verdict: reject, reported: [expired]", "HW802 reported"),
            ("verdict: reject, notices: none", "HW802 notices"),
            ("violations: [expired], reported: none", "HW802 reported"),
            ("rule: Payments", "HW110"), ("rule: [payments]", "HW102"),
            ("pattern: \"a..example\"", "HW201"), ("anchors: []", "HW014 []"),
            ("anchors: corp", "HW102"), ("pins: pay", "HW102"),
            ("revocation: { preset: require }", "HW004 revocation"),
            ("revocation.presets: require", "HW004 revocation.presets"),
            ("waivers.expried: none", "HW004 waivers.expried"),
            ("forbidden-keys: none", "HW004 forbidden-keys"),
            ("path.serial: yes", "HW004"),
        ])
    func wrongExpectation(_ expectation: String, _ expected: String) {
        let found = Self.told(
            Self.read(
                Self.file("host: a.example", "chain: a.pem", "expect: { \(expectation) }")))
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found) of `\(expectation)`")
    }

    // MARK: Cases that test nothing

    @Test(
        "what nothing would look at is told",
        arguments: [
            (["host: a.example", "expect: {}"], "HW014 {}"),
            (["host: a.example"], "HW108 one"),
            (["expect: { rule: a }"], "HW108 one"),
            (["host: a.example", "expect: { verdict: accept }"], "HW802 verdict"),
            (["host: a.example", "crls: [a.crl]", "expect: { rule: a }"], "HW802 crls"),
            (["host: a.example", "tls: tls1.2", "expect: { rule: a }"], "HW802 tls"),
            (["host: a.example", "system: s.pem", "expect: { rule: a }"], "HW802 system"),
            (
                ["host: \"a.example:443\"", "port: 443", "expect: { rule: a }"], "HW802 port"
            ),
            (
                ["host: a.example", "tls: none", "chain: a.pem", "expect: { verdict: accept }"],
                "HW802 chain"
            ),
            (
                ["host: a.example", "tls: none", "alpn: h2", "expect: { verdict: accept }"],
                "HW802 alpn"
            ),
            (
                ["receipt: \"r.ndjson:1\"", "chain: a.pem", "expect: { verdict: accept }"],
                "HW802 chain"
            ),
            (
                ["receipt: \"r.ndjson:1\"", "host: a.example", "expect: { verdict: accept }"],
                "HW802 host"
            ),
        ] as [([String], String)])
    func idle(_ lines: [String], _ expected: String) {
        let text =
            "hawser-test: 1\nat: 2027-01-15\ncases:\n  one:\n"
            + lines.map { "    \($0)\n" }.joined()
        let found = Self.told(Self.read(text))
        #expect(found.contains(expected), "\(found) of\n\(text)")
    }

    @Test(
        "a file without a case is told",
        arguments: [
            ("", "HW10"), ("hawser-test: 1\n", "HW802 hawser-test"),
            ("hawser-test: 1\ncases: {}\n", "HW014 {}"),
            ("hawser-test: 1\nfolders: []\n", "HW014 []"),
            ("hawser-test: 1\nfolders: [cases]\n", "HW802 cases"),
            ("hawser-test: 1\nfolders: [empty]\n", "HW802 empty"),
            ("hawser-test: 1\nfolders: [..]\n", "HW012"),
            ("hawser-test: 2\ncases: { a: { host: a.example, expect: { rule: a } } }\n", "HW10"),
            ("cases: { a: { host: a.example, expect: { rule: a } } }\n", "HW10"),
            ("- a\n", "HW102"),
        ])
    func withoutCases(_ text: String, _ expected: String) {
        let suite = Self.read(text, files: ["empty/one/note.txt": ""])
        let found = Self.told(suite)
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found) of\n\(text)")
        #expect(suite.hasErrors)
    }

    @Test func namesAreUnique() {
        let request = "host: a.example\nexpect: { rule: a }\n"
        let found = Self.told(
            Self.read(
                "hawser-test: 1\nat: 2027-01-15\nfolders: [one, two]\n",
                files: ["one/a/request.yaml": request, "two/a/request.yaml": request]))
        #expect(found == ["HW111 host"] || found.first?.hasPrefix("HW1") == true, "\(found)")
    }
}

/// Files and folders by their paths.
struct TestTree: UnitResources {
    let files: [String: [UInt8]]

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        guard let bytes = files[path] else {
            throw ResourceError(code: .notFound, context: "there is no file `\(path)`")
        }
        return bytes
    }

    func list(_ folder: String) throws(ResourceError) -> [String] {
        files.keys.filter { $0.split(separator: "/").dropLast().joined(separator: "/") == folder }
            .compactMap { $0.split(separator: "/").last.map(String.init) }.sorted()
    }

    func folders(_ folder: String) throws(ResourceError) -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        let below = files.keys.filter { $0.hasPrefix(prefix) }
        guard !below.isEmpty else {
            throw ResourceError(code: .notFound, context: "there is no folder `\(folder)`")
        }
        return Set(
            below.compactMap { path -> String? in
                let parts = path.dropFirst(prefix.count).split(separator: "/")
                return parts.count > 1 ? String(parts[0]) : nil
            }
        ).sorted()
    }
}

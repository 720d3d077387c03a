import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// curl: how commands and configuration files are read, each rule of the model, and what the
/// findings say.
@Suite struct CurlImportTests {
    private static let (one, two) = (PinImports.one, PinImports.two)
    private static let url = "https://a.example/"

    private static func codes(_ text: String, _ version: String = "8") throws -> [String] {
        ForeignImports.codes(try PinImports.curl(text, version)).sorted()
    }

    private static func pins(_ text: String, _ version: String = "8") throws -> Set<String>? {
        let imported = try PinImports.curl(text, version)
        _ = try ForeignImports.table(imported)
        return PinImports.demanded("a.example", imported)
    }

    // MARK: Reading

    @Test("commands and configuration files that mean the same")
    func forms() throws {
        let pair = "sha256//\(Self.one);sha256//\(Self.two)"
        for text in [
            "curl --pinnedpubkey '\(pair)' \(Self.url)",
            "curl --pinnedpubkey \"\(pair)\" \(Self.url)\n",
            "#!/bin/sh\nset -e\n# curl https://x.example/\nX=1 /usr/bin/curl -fsS \\\n  --pinnedpubkey '\(pair)' -o out \(Self.url) > log 2>&1 | jq .\n",
            "curl -so/dev/null --pinnedpubkey='\(pair)' --url \(Self.url) && echo done",
            "url = \"\(Self.url)\"\npinnedpubkey = \"\(pair)\"\n",
            "# a comment\n  url:\(Self.url)\n--pinnedpubkey \(pair)\n-s\n",
        ] {
            let imported = try PinImports.curl(text)
            #expect(imported.policy.rules.map(\.hosts) == [["a.example"]], "\(text)")
            #expect(imported.policy.defaultBody == nil, "\(text)")
            #expect(try Self.pins(text) == [Self.one, Self.two], "\(text)")
            #expect(imported.findings.isEmpty, "\(text)")
            #expect(imported.policy.pinSets[0].pins.allSatisfy { $0.at == "leaf" })
        }
    }

    @Test(
        "what curl refuses, and what cannot be read, is refused at its place",
        arguments: [
            ("curl --pinnedpubkye x https://a.example/", "HX102", 5),
            ("curl https://a.example/ --cacert", "HX102", 24),
            ("curl -@ https://a.example/", "HX102", 5), ("pinnedpubkey\n", "HX102", 0),
            ("insecure = yes\n", "HX102", 11), ("curl https:///", "HX102", 5),
            ("curl 'https://a.example/", "HX101", 5),
            ("curl https://a.example/\ncurl https://b.example/", "HX402", 24),
            ("curl https://a.example/ --next https://b.example/", "HX402", 24),
            ("curl --pinnedpubkey sha256//ce118b51897f4452dc https://a.example/", "HX103", 20),
        ])
    func refused(_ text: String, _ code: String, _ at: Int) {
        let refusal = ForeignImports.refusal { try PinImports.curl(text) }
        #expect(refusal?.code == code, "\(text)")
        #expect(refusal?.at == at, "\(text)")
    }

    @Test("words that the shell replaces are findings")
    func notLiteral() throws {
        for text in [
            "curl \"https://$HOST/\"", "curl https://{a,b}.example/",
            "curl --cacert $CA \(Self.url)",
            "curl $OPTIONS \(Self.url)", "curl -K other \(Self.url)",
            "curl --pinnedpubkey \"$(pin)\" \(Self.url)",
        ] {
            #expect(try Self.codes(text).contains("HX401"), "\(text)")
            #expect(try Self.pins(text) == nil, "\(text)")
        }
    }

    // MARK: Pins

    @Test("hashes are compared as text")
    func hashes() throws {
        let bare = String(Self.one.dropLast())
        for (argument, version) in [
            ("sha256//\(bare)", "8"), ("sha256//\(Self.one) ", "8"),
            ("sha256//\(Self.one);", "7.88.1"),
        ] {
            let text = "curl --pinnedpubkey '\(argument)' \(Self.url)"
            #expect(try Self.pins(text, version) == [], "\(argument)")
            #expect(try Self.codes(text, version).contains("HX405"), "\(argument)")
            let model = try PinImports.curlModel(text, version)
            #expect(model.behaviour(of: "a.example")?.accepts(key: Self.one) == false)
        }
        let semicolon = "curl --pinnedpubkey 'sha256//\(Self.one);' \(Self.url)"
        #expect(try Self.pins(semicolon, "8.18")?.contains(Self.one) == true)
        #expect(try Self.codes(semicolon, "8.18") == ["HX203", "HX309"])
        let bareSecond = "curl --pinnedpubkey 'sha256//\(Self.one);\(Self.two)' \(Self.url)"
        #expect(try Self.pins(bareSecond, "8")?.contains(Self.one) == true)
        #expect(try Self.pins(bareSecond, "8")?.contains(Self.two) == false)
    }

    @Test("other texts are names of files, and the last option counts")
    func files() throws {
        for argument in ["sha256/\(Self.one)", "SHA256//\(Self.one)", "key.pem"] {
            let text = "curl --pinnedpubkey \(argument) \(Self.url)"
            #expect(try PinImports.curlModel(text).pinnedKeyFile == argument)
            #expect(ForeignImports.codes(try PinImports.curl(text)) == ["HX104"])
            let found = try PinImports.curl(
                text, "8", CurlImport.Resources(pinnedKey: Self.one))
            #expect(PinImports.demanded("a.example", found)?.contains(Self.one) == true)
        }
        let twice =
            "curl --pinnedpubkey sha256//\(Self.one) --pinnedpubkey sha256//\(Self.two) \(Self.url)"
        #expect(try Self.pins(twice)?.contains(Self.one) == false)
        #expect(try Self.codes(twice) == ["HX201", "HX309"])
    }

    @Test("`-k` leaves the pin in force")
    func insecure() throws {
        let text = "curl -k --pinnedpubkey 'sha256//\(Self.one);sha256//\(Self.two)' \(Self.url)"
        let behaviour = try #require(try PinImports.curlModel(text).behaviour(of: "a.example"))
        #expect(!behaviour.verifies)
        #expect(behaviour.accepts(key: Self.one) == true)
        #expect(behaviour.accepts(key: PinImports.three) == false)
        #expect(try Self.codes(text) == ["HX407"])
        #expect(try Self.pins(text) == [Self.one, Self.two])
        #expect(try Self.codes("curl -k --no-insecure \(Self.url)") == [])
    }

    // MARK: TLS, anchors and hosts

    @Test("floors of TLS, and options that the policy does not have")
    func tls() throws {
        let three = try PinImports.curl("curl --tlsv1.2 --tlsv1.3 \(Self.url)")
        #expect(three.policy.rules[0].body.needsTLS13)
        #expect(ForeignImports.codes(three) == ["HX201"])
        let old = try PinImports.curl("curl -1 \(Self.url)")
        #expect(old.policy.rules[0].body.waivedTLS == "tls1.0")
        #expect(ForeignImports.codes(old) == ["HX305"])
        _ = try ForeignImports.table(old)
        for (option, direction) in [
            ("--tls-max 1.2", "weaker"), ("--ciphers ECDHE-RSA-AES128-GCM-SHA256", "weaker"),
            ("--crlfile x.pem", "weaker"), ("--capath /etc/ca", "stricter"),
            ("--cert-status", "weaker"),
        ] {
            let imported = try PinImports.curl("curl \(option) \(Self.url)")
            #expect(ForeignImports.codes(imported) == ["HX408"], "\(option)")
            #expect(imported.findings[0].notes.contains { $0.contains(direction) }, "\(option)")
        }
        #expect(try Self.codes("curl --connect-to ::127.0.0.1: \(Self.url)") == ["HX411"])
    }

    @Test("own CAs take the place of the system's")
    func anchors() throws {
        let text = "curl --cacert acme.pem \(Self.url)"
        #expect(ForeignImports.codes(try PinImports.curl(text)) == ["HX104"])
        let root = try Certificate(
            der: Scenario().root("Acme Root", key: .p256("curl root")).der)
        let imported = try PinImports.curl(text, "8", CurlImport.Resources(anchors: [root]))
        #expect(imported.policy.rules[0].body.anchors == ["acme-pem"])
        #expect(ForeignImports.codes(imported) == ["HX408"])
        #expect(imported.files.map(\.name) == ["anchors/acme-pem.pem"])
        let without = try PinImports.curl(
            "curl --capath /dev/null --cacert acme.pem \(Self.url)", "8",
            CurlImport.Resources(anchors: [root]))
        #expect(without.findings.isEmpty)
    }

    @Test("hosts, ports, cleartext, redirects, and files without a URL")
    func hosts() throws {
        let text =
            "curl https://A.example:8443/ http://b.example https://[::1]:444/x https://u:p@c.example c.example?https://d.example"
        let imported = try PinImports.curl(text)
        #expect(
            imported.policy.rules.map(\.hosts) == [
                ["b.example", "c.example"], ["a.example:8443", "[::1]:444"],
            ])
        #expect(imported.policy.rules[0].body.cleartextReason != nil)
        #expect(imported.policy.rules[1].body.cleartextReason == nil)
        #expect(imported.policy.defaultBody == nil)
        _ = try ForeignImports.table(imported)
        let model = try PinImports.curlModel(text)
        #expect(model.behaviour(of: "a.example", port: 8443) != nil)
        #expect(model.behaviour(of: "a.example") == nil)

        let follows = try PinImports.curl("curl -L --tlsv1.3 \(Self.url)")
        #expect(follows.policy.defaultBody?.needsTLS13 == true)
        #expect(ForeignImports.codes(follows) == ["HX408"])
        let file = try PinImports.curl("tlsv1.3\n")
        #expect(file.policy.rules.isEmpty)
        #expect(file.policy.defaultBody?.needsTLS13 == true)
        #expect(file.findings.isEmpty)
    }
}

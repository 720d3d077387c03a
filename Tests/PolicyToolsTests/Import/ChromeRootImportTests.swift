import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// How a Chrome Root Store becomes anchor sets.
@Suite struct ChromeRootImportTests {
    static let pki = Scenario()
    static let oak = pki.root("Oak Root", key: .p256("import oak"))
    static let elm = pki.root("Elm Root", key: .p256("import elm"))
    static let issuing = oak.issueCA("Oak Issuing", key: .p256("import issuing"))
    static let crypto = LibCryptoBackend()

    static func digest(_ der: [UInt8]) -> String {
        Hexadecimal.encode(crypto.digest(.sha256, of: der.span).bytes)
    }

    /// One anchor with these fields.
    static func anchor(
        _ authority: Authority, _ fields: String = "", in list: String = "trust_anchors"
    ) -> String {
        "\(list) {\nsha256_hex: \"\(digest(authority.der))\"\n\(fields)\n}\n"
    }

    static func read(
        _ text: String, version: String? = nil, certificates: [[UInt8]] = [oak.der, elm.der]
    ) throws -> ChromeRootImport {
        try ChromeRootImport(
            SourceFile(path: "roots.textproto", bytes: Array(text.utf8)),
            certificates: certificates, version: version.flatMap { ChromeVersion($0) },
            crypto: crypto)
    }

    /// The `constraints` of every set of a policy, and whether it compiles.
    static func constraints(_ imported: ChromeRootImport) -> [String] {
        let text = ChromeRootPolicy.text(imported, source: "roots.textproto")
        var files = Dictionary(
            uniqueKeysWithValues: Set(imported.sets.map(\.file)).map { file in
                (file, imported.sets.first { $0.file == file }?.der ?? [])
            })
        files["log_list.json"] = Array(TestLogList.json([]).utf8)
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(text.utf8))],
            resources: FilesInMemory(files: files), isDirectory: true)
        let compiled = CompilerPipeline.compile(unit, crypto: crypto)
        #expect(compiled.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
        var found: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("    standard:") { found.append("") }
            if line.hasPrefix("      "), !found.isEmpty {
                found[found.count - 1] += line.drop { $0 == " " } + "|"
            }
        }
        return found
    }

    @Test(
        "a set of constraints in the words of the language; limits are exact or stricter",
        arguments: [
            ("", ""),
            // Milliseconds of a timestamp are dropped before they are compared.
            ("sct_not_after_sec: 1790812799", "sct: { until: 2026-09-30T23:59:58Z }|"),
            ("sct_all_after_sec: 1790812799", "sct: { from: 2026-10-01T00:00:00Z }|"),
            (
                "sct_all_after_sec: 1759276799 sct_not_after_sec: 1790812799",
                "sct: { from: 2025-10-01T00:00:00Z, until: 2026-09-30T23:59:58Z }|"
            ),
            // notBefore has no fraction.
            (
                "validity_starts_not_after_sec: 1790812799",
                "not-before: { until: 2026-09-30T23:59:59Z }|"
            ),
            (
                "validity_starts_after_sec: 1790812799",
                "not-before: { from: 2026-10-01T00:00:00Z }|"
            ),
            (
                "permitted_dns_names: ['Acme.example', \".below.example\"]",
                "permitted-names:|- \"acme.example\"|- \"**.acme.example\"|- \"**.below.example\"|"
            ),
            ("permitted_dns_names: 'fr'", "permitted-names:|- \"fr\"|- \"**.fr\"|"),
            ("min_version: '153'", ""),
        ])
    func terms(_ fields: String, _ expected: String) throws {
        let imported = try Self.read(Self.anchor(Self.oak, "constraints { \(fields) }"))
        #expect(imported.remarks == [])
        #expect(Self.constraints(imported) == [expected])
        #expect(imported.sets.map(\.isConstrained) == [!expected.isEmpty])
    }

    @Test(
        "without a word: the anchor is left out, the constraint never",
        arguments: [
            ("index_not_after: 7", "Merkle"), ("index_after: 7", "Merkle"),
            ("permitted_dns_names: ''", "no name of hosts"),
            ("permitted_dns_names: '.'", "no name of hosts"),
            ("permitted_dns_names: '10.0.0.1'", "no name of hosts"),
            ("permitted_dns_names: 'bücher.example'", "no name of hosts"),
            ("permitted_dns_names: 'a.example.'", "no name of hosts"),
            ("permitted_dns_names: '*.a.example'", "no name of hosts"),
            ("permitted_dns_names: 'a.example:443'", "no name of hosts"),
            ("sct_not_after_sec: 0", "a date before 1970"),
            ("sct_not_after_sec: -9223372036854775807", "a date before 1970"),
            ("sct_all_after_sec: 9223372036854775807", "after the year 9999"),
            ("validity_starts_not_after_sec: 253402300800", "after the year 9999"),
            ("serial_not_after: 7", "does not know the field"), ("future {}", "does not know"),
            ("future: []", "does not know the field"),
            // Unknown, so what the set means is unknown too, whatever its versions.
            ("future: 1 max_version_exclusive: '1'", "does not know the field"),
        ])
    func withoutWord(_ fields: String, _ words: String) throws {
        for others in ["", "constraints { sct_not_after_sec: 1790812799 }"] {
            let imported = try Self.read(
                Self.anchor(Self.oak, others + " constraints { \(fields) }") + Self.anchor(Self.elm)
            )
            #expect(imported.sets.map(\.der) == [Self.elm.der], "\(fields)")
            #expect(imported.remarks.map(\.isLoss) == [true])
            #expect(imported.remarks.first?.text.contains(words) == true, "\(imported.remarks)")
            #expect(imported.taken == 1 && imported.anchors == 2)
        }
    }

    @Test("a field of an anchor that is not known costs the anchor; one of the store is told")
    func unknown() throws {
        let imported = try Self.read(
            Self.anchor(Self.oak, "limited_to: 'x'") + Self.anchor(Self.elm) + "signature: 'x'")
        #expect(imported.sets.map(\.der) == [Self.elm.der])
        #expect(imported.remarks.map(\.isLoss) == [true, true])
        #expect(imported.remarks.map { $0.text.contains("left out") } == [true, false])
    }

    @Test("alternatives are sets over one file; what is alike stands once")
    func alternatives() throws {
        let imported = try Self.read(
            Self.anchor(
                Self.oak,
                """
                constraints { sct_not_after_sec: 1790812799 }
                constraints { sct_not_after_sec: 1790812799 min_version: '1' }
                constraints { permitted_dns_names: 'acme.example' }
                """))
        let digits = Self.digest(Self.oak.der).prefix(8)
        #expect(
            imported.sets.map(\.id)
                == ["chrome-oak-root-\(digits)", "chrome-oak-root-\(digits)-2"])
        #expect(Set(imported.sets.map(\.file)) == ["anchors/chrome-oak-root-\(digits).pem"])
        #expect(Self.constraints(imported).count == 2)
    }

    @Test(
        "versions: the newest by default; what does not hold falls away",
        arguments: [
            (nil, "sct: { until: 2026-09-30T23:59:58Z }|"),
            ("153", "sct: { until: 2026-09-30T23:59:58Z }|"),
            ("153.0.0.0", "sct: { until: 2026-09-30T23:59:58Z }|"), ("152.9.9999.999", ""),
            ("1", ""),
        ])
    func versions(_ version: String?, _ expected: String) throws {
        let imported = try Self.read(
            Self.anchor(
                Self.oak,
                """
                constraints { sct_not_after_sec: 1790812799 min_version: "153.0" }
                constraints { max_version_exclusive: "153.0" }
                """), version: version)
        #expect(Self.constraints(imported) == [expected])
        #expect(imported.remarks.count == 1 && imported.remarks.allSatisfy { !$0.isLoss })
        #expect(imported.remarks.first?.text.hasPrefix("falls away") == true)
    }

    @Test("no set holds: Chrome does not trust the anchor, and neither does the policy")
    func noneHolds() throws {
        for fields in [
            "max_version_exclusive: '153'",
            "sct_all_after_sec: 1790812799 sct_not_after_sec: 1790812799",
        ] {
            let imported = try Self.read(
                Self.anchor(Self.oak, "constraints { \(fields) }") + Self.anchor(Self.elm))
            #expect(imported.sets.map(\.der) == [Self.elm.der])
            #expect(imported.remarks.count == 2 && imported.remarks.allSatisfy { !$0.isLoss })
        }
    }

    @Test("versions are compared by numbers, a partial one as with zeros")
    func order() throws {
        func version(_ text: String) throws -> ChromeVersion {
            try #require(ChromeVersion(text))
        }
        #expect(try version("131") == version("131.0.0.0"))
        #expect(try version("131.0.1") > version("131"))
        #expect(try version("99.9") < version("100"))
        for text in ["", ".", "1.", ".1", "1..2", "+1", "1a", "4294967296", "-1", " 1"] {
            #expect(ChromeVersion(text) == nil, "\(text)")
        }
    }

    @Test("only TLS anchors: additional certificates with `tls_trust_anchor: true`")
    func additional() throws {
        let list = "additional_certs"
        let imported = try Self.read(
            Self.anchor(Self.oak, in: list)
                + Self.anchor(Self.elm, "tls_trust_anchor: false", in: list)
                + Self.anchor(
                    Self.issuing, "tls_trust_anchor: true enforce_anchor_expiry: true eutl: true",
                    in: list) + "mtc_anchors { log_id: 'x' }",
            certificates: [Self.oak.der, Self.elm.der, Self.issuing.der])
        #expect(imported.sets.map(\.der) == [Self.issuing.der])
        #expect(imported.anchors == 1 && imported.remarks.count == 3)
        #expect(imported.remarks.allSatisfy { !$0.isLoss })
        #expect(Self.constraints(imported) == [""])
        let text = ChromeRootPolicy.text(imported, source: "x")
        #expect(text.contains("    kind: intermediate\n"))
        let denied = try Self.read(
            Self.anchor(Self.oak, "tls_trust_anchor: false") + Self.anchor(Self.elm))
        #expect(denied.sets.map(\.der) == [Self.elm.der] && denied.remarks.map(\.isLoss) == [true])
    }

    @Test("an anchor without its certificate, or whose certificate is no CA, is listed")
    func certificates() throws {
        let leaf = Self.issuing.issueLeaf(dns: ["www.acme.example"])
        let imported = try Self.read(
            Self.anchor(Self.oak) + Self.anchor(Self.elm)
                + "trust_anchors { sha256_hex: '\(Self.digest(leaf.der))' }\n"
                + "trust_anchors { sha256_hex: '\(Self.digest([1, 2]))' }\n",
            certificates: [Self.elm.der, leaf.der, [1, 2], Self.issuing.der])
        #expect(imported.sets.map(\.der) == [Self.elm.der])
        #expect(imported.remarks.map(\.isLoss) == [true, true, true])
        for (remark, words) in zip(imported.remarks, ["no certificate", "not a CA", "be read"]) {
            #expect(remark.text.contains(words), "\(remark.text)")
        }
    }

    @Test("a certificate in the text itself, as `der`")
    func inline() throws {
        let octets = Self.oak.der.map { "\\" + String($0, radix: 8) + "" }
        let padded = octets.map {
            "\\" + String(repeating: "0", count: 4 - $0.count) + $0.dropFirst()
        }
        let text = "trust_anchors { der: \"\(padded.joined())\" }"
        #expect(try Self.read(text, certificates: []).sets.map(\.der) == [Self.oak.der])
    }

    @Test("hostile: sets, names and lines are bounded")
    func hostile() throws {
        let set = "constraints { max_version_exclusive: '1' }\n"
        let most = ChromeRootStore.mostSets
        let elm = Self.anchor(Self.elm)
        let sets = { Self.anchor(Self.oak, String(repeating: set, count: $0)) + elm }
        #expect(try Self.read(sets(most)).taken == 1)
        let names = { (count: Int) in
            let all = (0..<count).map { "permitted_dns_names: 'n\($0).example'\n" }.joined()
            return Self.anchor(Self.oak, "constraints {\n\(all)}")
        }
        #expect(try Self.read(names(ChromeRootStore.mostNames)).taken == 1)
        let line = { "#" + String(repeating: "x", count: $0 - 2) + "\n" + elm }
        #expect(try Self.read(line(ChromeRootImport.longestLine)).taken == 1)
        for (text, words) in [
            (sets(most + 1), "at most 64 sets"),
            (names(ChromeRootStore.mostNames + 1), "at most 1000 names"),
            (line(ChromeRootImport.longestLine + 1), "a line has at most"),
        ] {
            let error = #expect(throws: TextFormatError.self) { try Self.read(text) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test(
        "refused as a whole, at a line",
        arguments: [
            ("", 1, "no `trust_anchors`"), ("version_major: 39", 1, "no `trust_anchors`"),
            ("\ntrust_anchors { }", 2, "no `sha256_hex`"),
            ("trust_anchors {\nsha256_hex: 'ab' }", 2, "64 hexadecimal digits"),
            ("trust_anchors: 7", 1, "takes a message"),
            ("OAK\nversion_major: 1\nversion_major: 2", 6, "stands twice"),
            ("OAK\nOAK", 6, "line 2 names this certificate already"),
            ("OAK(constraints: 1)", 3, "takes a message"),
            ("OAK(constraints { sct_not_after_sec: '1' })", 3, "a whole number"),
            ("OAK(constraints { sct_not_after_sec: 9223372036854775808 })", 3, "64 bits"),
            ("OAK(constraints { sct_not_after_sec: 1 sct_not_after_sec: 2 })", 3, "stands twice"),
            ("OAK(constraints { sct_not_after_sec: [1, 2] })", 3, "stands twice"),
            ("OAK(constraints { min_version: 'new' })", 3, "a version of Chrome"),
            ("OAK(constraints { min_version: 153 })", 3, "a string"),
            ("OAK(constraints { permitted_dns_names: 1 })", 3, "a string"),
            ("OAK(constraints { permitted_dns_names: '\\xff' })", 3, "UTF-8"),
            ("OAK(constraints { index_after: -1 })", 3, "not negative"),
            ("OAK(tls_trust_anchor: yes)", 3, "`true` or `false`"),
            ("OAK(der: 'x')", 3, "not both"),
        ])
    func refused(_ pattern: String, _ line: Int, _ words: String) {
        var text = pattern
        if let open = text.firstRange(of: "OAK("), text.hasSuffix(")") {
            let fields = text[open.upperBound...].dropLast()
            text = Self.anchor(Self.oak, String(fields))
        }
        text = text.split(separator: "OAK", omittingEmptySubsequences: false).map(String.init)
            .joined(separator: String(Self.anchor(Self.oak).dropLast(1)))
        let error = #expect(throws: TextFormatError.self) { try Self.read(text) }
        #expect(error?.message.contains(words) == true, "\(pattern): \(error?.message ?? "")")
        let source = SourceFile(path: "x", bytes: Array(text.utf8))
        #expect(error.map { source.position(of: $0.offset).line } == line, "\(pattern)")
    }
}

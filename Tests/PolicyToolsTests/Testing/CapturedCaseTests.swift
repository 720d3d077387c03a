import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// What `capture` writes, read back.
@Suite("captured cases") struct CapturedCaseTests {
    /// Characters that YAML obeys, and others.
    private static let plain = Array("ab1-_.:#'\"\\ ,[]{}&*!|>%@`?~=<>\u{E9}".unicodeScalars)
    /// Characters that terminals and editors obey or hide.
    private static let hidden: [Unicode.Scalar] =
        Array("\t\n\r".unicodeScalars)
        + [
            "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{A0}", "\u{200B}", "\u{202E}",
            "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFD}", "\u{1F600}", "\u{E0001}",
        ]

    private static func text(_ random: inout SplitMix) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let from = Int.random(in: 0..<20, using: &random) == 0 ? hidden : plain
            text.unicodeScalars.append(from.randomElement(using: &random) ?? "a")
        }
        return text
    }

    @Test("a scalar is read back as the same text, or refused", arguments: [UInt64(0xCA5E)])
    func scalars(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var same = 0
        let words = ["yes", "no", "on", "null", "1e3", "0x10", "2026-01-01", "~", "-", "", "a b"]
        for round in 0..<3000 {
            let text = round < words.count ? words[round] : Self.text(&random)
            let line = "host: \(YAMLText.scalar(text))\n"
            #expect(line.unicodeScalars.dropLast().allSatisfy { " "..."~" ~= $0 })
            let tree = SyntaxParser.parse(
                SourceFile(path: "request.yaml", bytes: Array(line.utf8)), fileIndex: 0)
            guard tree.diagnostics.isEmpty, let root = tree.root else {
                // Only what no text of a policy may hold.
                #expect(
                    text.isEmpty || text.unicodeScalars.contains { !(" "..."~" ~= $0) },
                    "seed \(seed), round \(round): \(line) \(tree.diagnostics.map(\.message))")
                continue
            }
            #expect(root.entries.count == 1)
            #expect(root.entries.first?.value.text == text, "seed \(seed), round \(round)")
            same += 1
        }
        #expect(same > 1500)
    }

    @Test("every key of a case is read back", arguments: [UInt64(0xCA5F)])
    func cases(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for round in 0..<300 {
            func one<Value>(_ values: [Value]) -> Value {
                values[Int.random(in: values.indices, using: &random)]
            }
            let tls = TLSParameters(
                version: one([.tls12, .tls13]), cipherSuite: one([nil, "TLS_AES_128_GCM_SHA256"]),
                group: one([nil, "x25519"]),
                signatureScheme: one([nil, "ecdsa_secp256r1_sha256"]),
                alpn: one([nil, "h2", "http/1.1", "no", "- a: b #", "\"x\""]))
            let host = try CanonicalHost(
                text: one(["api.example", "10.0.0.1", "2001:db8::1", "xn--bcher-kva.example", "1a"])
            )
            let port: UInt16 = one([443, 8443, 1])
            let violations = one([[], ["pin-mismatch"]])
            let verdict = Verdict(
                outcome: violations.isEmpty
                    ? .accept(Acceptance(path: [], reported: [], notices: []))
                    : .reject([Violation(.nothingPresented)]),
                policyDigest: LibCryptoBackend().digest(.sha256, of: Array("policy".utf8).span),
                systemStoreDigest: nil)
            var captured = CapturedCase(
                host: host, port: port, time: .day(Int64(round)),
                tls: one([tls, tls, nil]), verdict: verdict, rule: one(["api", "default", "deny"]),
                pattern: one([nil, "**.example", "10.0.0.0/8:443"]),
                assumed: one([[], [("attested", true), ("short", false)]]))
            if captured.tls != nil {
                captured.hasStaple = one([true, false])
                captured.hasTimestamps = one([true, false])
                captured.hasEvidence = one([true, false])
            }
            captured.storePath = one([nil, "cases/seen/system.pem", "a b/#1/system.pem"])
            captured.storeRemark = "two of three"
            captured.remarks = [Self.text(&random), Self.text(&random) + Self.text(&random)]
            let note: Comment = "seed \(seed), round \(round): \(captured.text())"
            let (read, diagnostics) = TestFile.readRequest(
                SourceFile(path: "cases/seen/request.yaml", bytes: Array(captured.text().utf8)),
                of: "all.test.yaml", crypto: LibCryptoBackend())
            #expect(diagnostics.isEmpty, note)
            let found = try #require(read, note)
            #expect(found.host?.value == host, note)
            #expect(found.port == port, note)
            #expect(found.at?.value == captured.time, note)
            #expect(found.tls == captured.tls ?? TLSParameters(version: nil), note)
            #expect((found.staple != nil) == captured.hasStaple, note)
            #expect((found.timestamps != nil) == captured.hasTimestamps, note)
            #expect((found.evidence != nil) == captured.hasEvidence, note)
            #expect(found.system?.value == captured.storePath, note)
            #expect(found.assumed.map { $0.name.value } == captured.assumed.map { $0.name }, note)
            #expect(found.expected.rule?.value == captured.rule, note)
            #expect(found.expected.pattern?.value.canonicalText == captured.pattern, note)
            #expect(found.expected.verdict?.value == (verdict.isAccept ? .accept : .reject), note)
            if case .chain(let path) = found.subject {
                #expect(path.value == "cases/seen/chain.pem", note)
            } else {
                #expect(captured.tls == nil, note)
            }
        }
    }

    @Test("of a store, only what could be on a path of the chain is kept")
    func excerpt() throws {
        let pki = Scenario()
        let old = pki.root(TestName("Old Root"), key: .p256("excerpt old"))
        let new = pki.root(TestName("New Root"), key: .p256("excerpt new"))
        let cross = old.issueCA(TestName("New Root"), key: .p256("excerpt new"))
        let issuing = new.issueCA(TestName("Issuing"), key: .p256("excerpt issuing"))
        let leaf = issuing.issueLeaf(dns: ["a.example"])
        let other = pki.root(TestName("Other"), key: .p256("excerpt other"))
        let store = [other.der, old.der, new.der]
        func kept(_ presented: [[UInt8]], offered: [[UInt8]] = []) -> [[UInt8]] {
            StoreExcerpt.certificates(of: store, for: presented, offered: offered)
        }
        #expect(kept([leaf.der, issuing.der]) == [new.der])
        #expect(kept([leaf.der, issuing.der, cross.der]) == [old.der, new.der])
        #expect(kept([leaf.der]) == [other.der])
        #expect(kept([leaf.der], offered: [issuing.der]) == [new.der])
        #expect(kept([]) == [other.der])
        #expect(kept([[1, 2, 3]]) == [other.der])
    }
}

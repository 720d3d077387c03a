import CHawser
import CHawserABI
import Hawser
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// What a rule demands of a connection, as C asks for it.
@Suite struct DemandTests {
    private let policy: String

    init() {
        let root = Scenario().root("C Root", key: .p256("c demands root"))
        let pem = root.pem.split(separator: "\n").map { "      \($0)\n" }.joined()
        policy = """
            hawser: 1
            default: deny
            anchors:
              root:
                pem: |
            \(pem)
            rules:
              strict:
                hosts: [strict.example, 192.0.2.7]
                anchors: [root]
                tls: { minimum-version: tls1.3, groups: [X25519MLKEM768, x25519], alpn: [h2] }
                revocation: { scope: leaf, preset: require, sources: [stapled] }
              loose:
                hosts: [loose.example]
                anchors: [root]
                tls:
                  maximum-version: tls1.2
                  forward-secrecy: required
                  cipher-suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]
                  signature-schemes: [ecdsa_secp256r1_sha256]
                revocation: { preset: require, sources: [crl], network: wait }

            """
    }

    private struct Asked {
        var result: Int32
        var numbers = hawser_demanded()
        var demands = hawser_demands()
        var error = hawser_error.ready
    }

    private func ask(
        _ store: hawser_store, _ host: String, port: UInt32 = 443, time: Int64 = 1_780_315_200
    ) -> Asked {
        var asked = Asked(result: 0)
        asked.numbers.size = MemoryLayout<hawser_demanded>.size
        let octets = Array(host.utf8)
        asked.result = hawser_store_demands(
            store, octets, octets.count, port, time, &asked.numbers, &asked.demands,
            &asked.error)
        return asked
    }

    private func list(_ demands: hawser_demands, _ which: Int) -> [String] {
        var items: [String] = []
        while let item = CalledAsC.text(ofDemands: demands, which, items.count) {
            items.append(item)
        }
        return items
    }

    @Test func theDemandsAreTheRules() throws {
        let table = try PolicyWorld.compile(policy)
        let store = CalledAsC.open(table)
        defer { _ = hawser_store_close(store) }
        let strict = ask(store, "Strict.example.")
        #expect(strict.result == Int32(HAWSER_OK))
        #expect(strict.numbers.epoch == 1)
        #expect(strict.numbers.tls_version_minimum == 0x0304)
        #expect(strict.numbers.tls_version_maximum == 0x0304)
        #expect(strict.numbers.group_count == 2)
        #expect(strict.numbers.alpn_count == 1)
        #expect(strict.numbers.cipher_suite_count == 0)
        #expect(strict.numbers.staple == UInt32(HAWSER_STAPLE_REQUIRED))
        #expect(strict.numbers.rejects_without_evidence == 1)
        #expect(strict.numbers.has_server_name == 1)
        #expect(list(strict.demands, HAWSER_TEXT_DEMANDED_RULE) == ["strict"])
        #expect(list(strict.demands, HAWSER_TEXT_DEMANDED_GROUP) == ["X25519MLKEM768", "x25519"])
        #expect(list(strict.demands, HAWSER_TEXT_DEMANDED_ALPN) == ["h2"])
        #expect(list(strict.demands, HAWSER_TEXT_DEMANDED_REVOCATION_SOURCE) == ["stapled"])
        #expect(list(strict.demands, HAWSER_TEXT_DEMANDED_SERVER_NAME) == ["strict.example"])
        #expect(list(strict.demands, HAWSER_TEXT_DEMANDED_CIPHER_SUITE) == [])

        let loose = ask(store, "loose.example")
        #expect(loose.numbers.tls_version_minimum == 0x0303)
        #expect(loose.numbers.tls_version_maximum == 0x0303)
        #expect(loose.numbers.forward_secrecy == 1)
        #expect(loose.numbers.staple == UInt32(HAWSER_STAPLE_UNUSED))
        #expect(loose.numbers.may_fetch == 1)
        #expect(
            list(loose.demands, HAWSER_TEXT_DEMANDED_CIPHER_SUITE)
                == ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"])
        #expect(
            list(loose.demands, HAWSER_TEXT_DEMANDED_SIGNATURE_SCHEME)
                == ["ecdsa_secp256r1_sha256"])

        let address = ask(store, "192.0.2.7")
        #expect(address.numbers.has_server_name == 0)
        #expect(list(address.demands, HAWSER_TEXT_DEMANDED_SERVER_NAME) == [])
        for asked in [strict, loose, address] {
            #expect(hawser_demands_free(asked.demands) == Int32(HAWSER_OK))
            #expect(hawser_demands_free(asked.demands) == Int32(HAWSER_E_MISUSE))
        }
        #expect(hawser_demands_free(hawser_demands()) == Int32(HAWSER_OK))
    }

    @Test func aHostWithoutARuleIsARejection() throws {
        let store = CalledAsC.open(try PolicyWorld.compile(policy))
        defer { _ = hawser_store_close(store) }
        for host in ["nobody.example", "no host", "*.example"] {
            let asked = ask(store, host)
            #expect(asked.result == Int32(HAWSER_REJECT), "\(host)")
            #expect(asked.demands.number == 0)
            #expect(asked.numbers.epoch == 1)
            #expect(asked.numbers.tls_version_maximum == 0)
            let digest = withUnsafeBytes(of: asked.numbers.policy_digest) { Array($0) }
            #expect(digest.contains { $0 != 0 })
        }
    }

    /// A host whose port nobody knows has a rule only where no pattern of its names a port.
    @Test func whetherThePortDecides() throws {
        let ported =
            policy + """
                  ported: { hosts: ["ported.example:8443", "192.0.2.9:8443"], anchors: [root] }
                  below: { hosts: ["*.below.example:8443"], anchors: [root] }
                  beside: { hosts: ["beside.below.example"], anchors: [root] }
                  plain: { hosts: ["**.plain.example", "198.51.100.0/24"], anchors: [root] }
                  one: { hosts: ["one.plain.example:8443", "198.51.100.7:8443"], anchors: [root] }
                  both: { hosts: ["both.plain.example", "203.0.113.0/24"], anchors: [root] }
                  ninth: { hosts: ["198.51.100.9", "198.51.0.0/16:8443"], anchors: [root] }
                  ports:
                    hosts: ["both.plain.example:8443", "203.0.113.0/24:1", "[2001:db8::/48]:8443"]
                    anchors: [root]

                """
        let store = CalledAsC.open(try PolicyWorld.compile(ported))
        defer { _ = hawser_store_close(store) }
        let expected: [(host: String, port: UInt32, decides: UInt32, result: Int)] = [
            ("ported.example", 8443, 1, HAWSER_OK), ("PORTED.example.", 443, 1, HAWSER_REJECT),
            ("192.0.2.9", 8443, 1, HAWSER_OK), ("192.0.2.9", 1, 1, HAWSER_REJECT),
            ("a.below.example", 8443, 1, HAWSER_OK),
            // The exact name is decided by its own pattern, whatever the wildcard's port.
            ("beside.below.example", 8443, 0, HAWSER_OK),
            // And the other way round; both are known at one host.
            ("one.plain.example", 443, 1, HAWSER_OK), ("both.plain.example", 443, 1, HAWSER_OK),
            ("198.51.100.7", 443, 1, HAWSER_OK), ("198.51.100.9", 443, 0, HAWSER_OK),
            ("203.0.113.4", 443, 1, HAWSER_OK), ("2001:db8::1", 443, 1, HAWSER_REJECT),
            ("2001:db8:1::1", 443, 0, HAWSER_REJECT),
            ("below.example", 8443, 0, HAWSER_REJECT),
            ("a.b.below.example", 8443, 0, HAWSER_REJECT),
            ("a.plain.example", 8443, 0, HAWSER_OK), ("198.51.100.3", 8443, 0, HAWSER_OK),
            ("strict.example", 8443, 0, HAWSER_OK), ("no host", 8443, 0, HAWSER_REJECT),
        ]
        for (host, port, decides, result) in expected {
            let asked = ask(store, host, port: port)
            defer { _ = hawser_demands_free(asked.demands) }
            #expect(asked.result == Int32(result), "\(host)")
            #expect(asked.numbers.depends_on_port == decides, "\(host)")
            #expect(asked.numbers.reserved == 0)
        }
    }

    /// What C is told is enough for `HAWSER_TLS_ENFORCED`, and worth nothing under another table.
    @Test func theClaimOfAnEnforcedRuleIsTaken() throws {
        let world = try PolicyWorld()
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let asked = ask(store, world.host)
        defer { _ = hawser_demands_free(asked.demands) }
        let rule = try #require(
            CalledAsC.text(ofDemands: asked.demands, HAWSER_TEXT_DEMANDED_RULE))
        var digest = withUnsafeBytes(of: asked.numbers.policy_digest) { Array($0) }
        func judge() throws -> Int32 {
            try world.withRequest("good") { request in
                rule.withCString { rule in
                    digest.withUnsafeBytes { digest in
                        request.tls = UInt32(HAWSER_TLS_ENFORCED)
                        request.tls_version = 0
                        request.enforced_rule = rule
                        request.enforced_policy = hawser_bytes(
                            data: digest.baseAddress, length: digest.count)
                        return hawser_evaluate(store, &request, nil, nil, nil)
                    }
                }
            }
        }
        #expect(try judge() == Int32(HAWSER_OK))
        digest[0] ^= 1
        #expect(try judge() == Int32(HAWSER_REJECT))
    }

    @Test func argumentsThatCannotBe() throws {
        let store = CalledAsC.open(try PolicyWorld.compile(policy))
        defer { _ = hawser_store_close(store) }
        #expect(ask(hawser_store(), "strict.example").error.word == "no-object")
        #expect(ask(store, "strict.example", port: 65_536).error.word == "value-not-allowed")
        #expect(ask(store, "strict.example", time: .max).error.word == "value-not-allowed")
        #expect(ask(store, String(repeating: "a", count: 257)).error.word == "too-large")
        var error = hawser_error.ready
        #expect(
            hawser_store_demands(store, nil, 0, 443, 0, nil, nil, &error)
                == Int32(HAWSER_E_ARGUMENT))
        #expect(error.word == "null-pointer")
        // Numbers of another kind.
        let asked = ask(store, "strict.example")
        let (demands, number) = (asked.demands.number, store.number)
        let misuse = Int32(HAWSER_E_MISUSE)
        #expect(hawser_store_close(hawser_store(number: demands)) == misuse)
        #expect(hawser_verdict_free(hawser_verdict(number: demands)) == misuse)
        #expect(hawser_demands_free(hawser_demands(number: number)) == misuse)
        #expect(
            hawser_demands_text(asked.demands, UInt32(HAWSER_TEXT_NAME), 0, nil, 0, nil)
                == Int32(HAWSER_E_ARGUMENT))
        // The demands outlive the store.
        #expect(hawser_store_close(store) == Int32(HAWSER_OK))
        #expect(list(asked.demands, HAWSER_TEXT_DEMANDED_RULE) == ["strict"])
        _ = hawser_demands_free(asked.demands)
    }
}

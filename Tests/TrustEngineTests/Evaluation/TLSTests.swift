import TestPKI
import Testing
import TrustEngine

/// TLS demands and the states of knowledge (LANGUAGE sections 8 and 12.3).
@Suite("TLS parameters") struct TLSTests {
    private static let acme = Acme()

    /// A row of the table: demands, known parameters, outcome.
    private static func row(
        _ name: String, _ expected: [String], _ parameters: TLSParameters,
        _ demand: (inout TLSRequirement) -> Void
    ) -> Row {
        Row(
            name, expected,
            acme.world.with {
                demand(&$0.requirements.tls)
                $0.tls = .observed(parameters)
            })
    }

    private static let suite = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"

    private static let rows: [Row] = [
        row("TLS 1.3 is forward secret", ["accept"], TLSParameters(version: .tls13)) {
            $0.requiresForwardSecrecy = true
        },
        row("ECDHE", ["accept"], TLSParameters(version: .tls12, cipherSuite: suite)) {
            $0.requiresForwardSecrecy = true
        },
        row(
            "DHE", ["accept"],
            TLSParameters(
                version: .tls12, cipherSuite: "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256")
        ) {
            $0.requiresForwardSecrecy = true
        },
        row(
            "RSA key exchange", ["tls-forward-secrecy"],
            TLSParameters(version: .tls12, cipherSuite: "TLS_RSA_WITH_AES_128_GCM_SHA256")
        ) {
            $0.requiresForwardSecrecy = true
        },
        row(
            "RSA key exchange where forward secrecy is not demanded", ["accept"],
            TLSParameters(version: .tls12, cipherSuite: "TLS_RSA_WITH_AES_128_GCM_SHA256")
        ) { _ in },
        row(
            "static ECDH", ["tls-forward-secrecy"],
            TLSParameters(
                version: .tls12, cipherSuite: "TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256")
        ) {
            $0.requiresForwardSecrecy = true
        },
        row(
            "a suite of TLS 1.3 under another version", ["tls-forward-secrecy"],
            TLSParameters(version: .tls12, cipherSuite: "TLS_AES_128_GCM_SHA256")
        ) {
            $0.requiresForwardSecrecy = true
        },
        row("no suite", ["tls-not-supplied"], TLSParameters(version: .tls12)) {
            $0.requiresForwardSecrecy = true
        },
        row("no suite, wanted twice", ["tls-not-supplied"], TLSParameters(version: .tls12)) {
            $0.requiresForwardSecrecy = true
            $0.cipherSuites = [suite]
        },
        row("a suite of the list", ["accept"], TLSParameters(version: .tls12, cipherSuite: suite)) {
            $0.cipherSuites = ["TLS_AES_128_GCM_SHA256", suite]
        },
        row("another suite", ["tls-parameter"], TLSParameters(version: .tls12, cipherSuite: suite))
        {
            $0.cipherSuites = ["TLS_AES_128_GCM_SHA256"]
        },
        row("a group", ["accept"], TLSParameters(version: .tls13, group: "x25519")) {
            $0.groups = ["x25519"]
        },
        row("another group", ["tls-parameter"], TLSParameters(version: .tls13, group: "x25519")) {
            $0.groups = ["secp256r1"]
        },
        row(
            "another signature scheme", ["tls-parameter"],
            TLSParameters(version: .tls13, signatureScheme: "rsa_pkcs1_sha256")
        ) {
            $0.signatureSchemes = ["ed25519"]
        },
        row("another protocol", ["tls-parameter"], TLSParameters(version: .tls13, alpn: "h3")) {
            $0.alpn = ["h2", "http/1.1"]
        },
        row(
            "each one missing is named", Array(repeating: "tls-not-supplied", count: 5),
            TLSParameters()
        ) {
            $0.cipherSuites = [suite]
            $0.groups = ["x25519"]
            $0.signatureSchemes = ["ed25519"]
            $0.alpn = ["h2"]
        },
    ]

    @Test("observed", arguments: rows) func observed(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    /// A rule that demands everything.
    private static let demanding = acme.world.with {
        $0.requirements.tls.requiresForwardSecrecy = true
        $0.requirements.tls.cipherSuites = [suite]
        $0.requirements.tls.alpn = ["h2"]
    }

    @Test("12.3 enforced by a configuration of this very rule, which answers for the rest")
    func enforced() throws {
        let digest = try TLSTests.demanding.engine().table.policyDigest
        let otherPolicy = try TLSTests.acme.world.engine().table.policyDigest
        func judge(
            _ rule: String, _ digest: Digest, _ parameters: TLSParameters = TLSParameters()
        ) throws -> Judged {
            try TLSTests.demanding.with {
                $0.tls = .enforced(parameters, ruleID: rule, policyDigest: digest)
            }.judge()
        }
        #expect(try judge("api", digest).outcome == ["accept"])
        #expect(try judge("api", digest).notices == [])
        let missing = Array(repeating: "tls-not-supplied", count: 3)
        #expect(try judge("another", digest).outcome == missing)
        #expect(try judge("api", otherPolicy).outcome == missing)
        let contradicted = TLSParameters(
            version: .tls13, cipherSuite: TLSTests.suite, alpn: "h3")
        #expect(try judge("api", digest, contradicted).outcome == ["tls-parameter"])
    }

    @Test("12.3 assumed: believed, listed, and held to what it says") func assumed() throws {
        let judged = try TLSTests.demanding.with { $0.tls = .assumed(TLSParameters()) }.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.notices == ["tls-assumed"])
        let old = try TLSTests.demanding.with {
            $0.tls = .assumed(TLSParameters(version: .tls11))
        }.judge()
        #expect(old.outcome == ["tls-version"])
    }

    @Test("12.3 nothing known: each demanded parameter is a violation, named") func notSupplied()
        throws
    {
        let judged = try TLSTests.demanding.with { $0.tls = .notSupplied }.judge()
        let named = judged.verdict.violations.compactMap { violation -> String? in
            if case .tlsNotSupplied(let parameter) = violation.reason { return parameter }
            return nil
        }
        #expect(named == ["version", "cipher-suite", "alpn"])
    }

    @Test("a check that passes names both sides") func sides() throws {
        let world = TLSTests.demanding.with {
            $0.tls = .observed(
                TLSParameters(version: .tls12, cipherSuite: TLSTests.suite, alpn: "h2"))
        }
        let steps = try world.judge().trace.steps
        let passed = steps.compactMap { step -> [String]? in
            guard case .check(let check) = step, check.check == .tls,
                case .passed(.tls(.tls12, .tls12, .tls13, let parameters)?) = check.outcome
            else { return nil }
            return parameters.map(\.parameter)
        }
        #expect(passed == [["forward-secrecy", "cipher-suite", "alpn"]])
    }
}

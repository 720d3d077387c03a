import PolicyCompiler
import Testing

/// Values as other programs spell them: each is refused, and the help and a safe fix are the value
/// that was meant.
@Suite("spellings of other programs") struct WordSpellingTests {
    private static func word(_ text: String, _ words: ClosedWords) -> String? {
        WordSpelling.word(for: text, in: words)
    }

    @Test(
        "versions of TLS",
        arguments: [
            ("1.2", "tls1.2"), ("TLSv1.2", "tls1.2"), ("tls12", "tls1.2"), ("TLS 1.2", "tls1.2"),
            ("VersionTLS12", "tls1.2"), ("771", "tls1.2"), ("0x0303", "tls1.2"),
            ("TLS_1_2", "tls1.2"), ("TLSv1_2", "tls1.2"), ("TLS1_2_VERSION", "tls1.2"),
            ("Tls12", "tls1.2"), ("tls.VersionTLS12", "tls1.2"), ("kTLSProtocol12", "tls1.2"),
            ("tls_protocol_version_TLSv12", "tls1.2"), ("TLS1.2", "tls1.2"),
            ("1.3", "tls1.3"), ("TLSv1.3", "tls1.3"), ("tls13", "tls1.3"), ("772", "tls1.3"),
            ("VersionTLS13", "tls1.3"), ("0x304", "tls1.3"), ("TLS_1_3", "tls1.3"),
            ("1", nil), ("tls1", nil), ("1.4", nil), ("DTLSv1.2", nil), ("TLSv1.2+", nil),
            (">=1.2", nil), ("tls1.q2", nil), ("12.1", nil), ("TLSv1.2 TLSv1.3", nil), ("", nil),
            ("tls1.2", nil), ("modern", nil), ("ssl3", nil),
        ] as [(String, String?)])
    func versions(_ text: String, _ word: String?) {
        #expect(Self.word(text, PolicyWords.tlsVersion) == word)
        // A waiver is not written for a version that is not below the baseline.
        #expect(Self.word(text, PolicyWords.oldTlsVersion) == nil)
    }

    @Test("versions below the baseline are named in a waiver alone")
    func oldVersions() {
        for (text, word) in [
            ("1.0", "tls1.0"), ("TLSv1.1", "tls1.1"), ("VersionTLS10", "tls1.0"), ("770", "tls1.1"),
        ] {
            #expect(Self.word(text, PolicyWords.oldTlsVersion) == word)
            #expect(Self.word(text, PolicyWords.tlsVersion) == nil)
        }
        #expect(Self.word("tls1", PolicyWords.oldTlsVersion) == nil)
    }

    @Test(
        "other words",
        arguments: [
            (PolicyWords.keyType, "P-256", "p256"), (PolicyWords.keyType, "secp384r1", "p384"),
            (PolicyWords.keyType, "prime256v1", "p256"),
            (PolicyWords.keyType, "ECDSA P-256", "p256"),
            (PolicyWords.keyType, "RSA", "rsa"), (PolicyWords.keyType, "ML-DSA-65", "mldsa65"),
            (PolicyWords.keyType, "ec", nil), (PolicyWords.keyType, "secp256k1", nil),
            (PolicyWords.keyType, "rsa2048", nil),
            (PolicyWords.signatureHash, "SHA-256", "sha256"),
            (PolicyWords.signatureHash, "SHA2-384", "sha384"),
            (PolicyWords.signatureHash, "sha2", nil), (PolicyWords.signatureHash, "SHA3-256", nil),
            (PolicyWords.signatureScheme, "RSASSA-PSS", "rsa-pss"),
            (PolicyWords.signatureScheme, "sha256WithRSAEncryption", nil),
            (PolicyWords.tlsGroup, "P-256", "secp256r1"),
            (PolicyWords.tlsGroup, "CurveP384", "secp384r1"),
            (PolicyWords.tlsGroup, "X25519", "x25519"),
            (PolicyWords.tlsGroup, "x25519mlkem768", "X25519MLKEM768"),
            (PolicyWords.tlsGroup, "X25519Kyber768Draft00", nil),
            (PolicyWords.tlsSignatureScheme, "ECDSAWithP256AndSHA256", "ecdsa_secp256r1_sha256"),
            (PolicyWords.tlsSignatureScheme, "PSSWithSHA256", "rsa_pss_rsae_sha256"),
            (PolicyWords.tlsSignatureScheme, "RSA+SHA256", "rsa_pkcs1_sha256"),
            (PolicyWords.tlsSignatureScheme, "RSA+SHA1", nil),
            (PolicyWords.keyPurposeWord, "serverAuth", "server-auth"),
            (PolicyWords.keyPurposeWord, "TLS Web Client Authentication", "client-auth"),
            (PolicyWords.revocationSource, "OCSP-stapling", "stapled"),
            (PolicyWords.revocationPreset, "Best-Effort", "best-effort"),
            (PolicyWords.revocationPreset, "soft-fail", nil),
            (PolicyWords.action, "Report", "report"), (PolicyWords.action, "warn", nil),
            (PolicyWords.pinPosition, "end-entity", "leaf"), (PolicyWords.pinPosition, "root", nil),
        ] as [(ClosedWords, String, String?)])
    func others(_ words: ClosedWords, _ text: String, _ word: String?) {
        #expect(Self.word(text, words) == word)
    }

    @Test("a word of the field is no spelling of another one, and no spelling means two words")
    func words() {
        for (name, words) in PolicyWords.all {
            for word in words.words {
                #expect(Self.word(word, words) == nil, "\(name)")
                let upper = word.uppercased()
                #expect([nil, word].contains(Self.word(upper, words)), "\(name): \(upper)")
            }
        }
    }

    /// What `openssl ciphers -stdname 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'` of OpenSSL 3.0 prints of
    /// suites of TLS 1.2 that prove the server by a certificate and encrypt.
    private static let openSSL = """
        TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 ECDHE-ECDSA-AES256-GCM-SHA384
        TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 ECDHE-RSA-AES256-GCM-SHA384
        TLS_DHE_RSA_WITH_AES_256_GCM_SHA384 DHE-RSA-AES256-GCM-SHA384
        TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 ECDHE-ECDSA-CHACHA20-POLY1305
        TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 ECDHE-RSA-CHACHA20-POLY1305
        TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256 DHE-RSA-CHACHA20-POLY1305
        TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8 ECDHE-ECDSA-AES256-CCM8
        TLS_ECDHE_ECDSA_WITH_AES_256_CCM ECDHE-ECDSA-AES256-CCM
        TLS_DHE_RSA_WITH_AES_256_CCM_8 DHE-RSA-AES256-CCM8
        TLS_DHE_RSA_WITH_AES_256_CCM DHE-RSA-AES256-CCM
        TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384 ECDHE-ECDSA-ARIA256-GCM-SHA384
        TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384 ECDHE-ARIA256-GCM-SHA384
        TLS_DHE_RSA_WITH_ARIA_256_GCM_SHA384 DHE-RSA-ARIA256-GCM-SHA384
        TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 ECDHE-ECDSA-AES128-GCM-SHA256
        TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 ECDHE-RSA-AES128-GCM-SHA256
        TLS_DHE_RSA_WITH_AES_128_GCM_SHA256 DHE-RSA-AES128-GCM-SHA256
        TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384 ECDHE-ECDSA-AES256-SHA384
        TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384 ECDHE-RSA-AES256-SHA384
        TLS_DHE_RSA_WITH_AES_256_CBC_SHA256 DHE-RSA-AES256-SHA256
        TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384 ECDHE-ECDSA-CAMELLIA256-SHA384
        TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384 ECDHE-RSA-CAMELLIA256-SHA384
        TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256 DHE-RSA-CAMELLIA256-SHA256
        TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256 ECDHE-ECDSA-AES128-SHA256
        TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256 ECDHE-RSA-AES128-SHA256
        TLS_DHE_RSA_WITH_AES_128_CBC_SHA256 DHE-RSA-AES128-SHA256
        TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA ECDHE-ECDSA-AES256-SHA
        TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA ECDHE-RSA-AES256-SHA
        TLS_DHE_RSA_WITH_AES_256_CBC_SHA DHE-RSA-AES256-SHA
        TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA DHE-RSA-CAMELLIA256-SHA
        TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA ECDHE-ECDSA-AES128-SHA
        TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA ECDHE-RSA-AES128-SHA
        TLS_DHE_RSA_WITH_AES_128_CBC_SHA DHE-RSA-AES128-SHA
        TLS_RSA_WITH_AES_256_GCM_SHA384 AES256-GCM-SHA384
        TLS_RSA_WITH_AES_256_CCM_8 AES256-CCM8
        TLS_RSA_WITH_AES_256_CCM AES256-CCM
        TLS_RSA_WITH_ARIA_256_GCM_SHA384 ARIA256-GCM-SHA384
        TLS_RSA_WITH_AES_128_GCM_SHA256 AES128-GCM-SHA256
        TLS_RSA_WITH_AES_256_CBC_SHA256 AES256-SHA256
        TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256 CAMELLIA256-SHA256
        TLS_RSA_WITH_AES_128_CBC_SHA256 AES128-SHA256
        TLS_RSA_WITH_AES_256_CBC_SHA AES256-SHA
        TLS_RSA_WITH_CAMELLIA_256_CBC_SHA CAMELLIA256-SHA
        TLS_RSA_WITH_AES_128_CBC_SHA AES128-SHA
        TLS_RSA_WITH_CAMELLIA_128_CBC_SHA CAMELLIA128-SHA
        """

    @Test("every name of OpenSSL is IANA's name of the same suite")
    func suites() {
        let words = PolicyWords.tlsCipherSuite
        for line in Self.openSSL.split(separator: "\n") {
            let names = line.split(separator: " ").map(String.init)
            #expect(Self.word(names[1], words) == names[0])
        }
        for (text, name) in [
            ("TLS13-AES-128-GCM-SHA256", "TLS_AES_128_GCM_SHA256"),
            ("TLS13-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256"),
            (
                "tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
                "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
            ),
            ("TLS_ECDHE_RSA_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
            ("tls_aes_128_gcm_sha256", "TLS_AES_128_GCM_SHA256"),
            ("EDH-RSA-AES128-SHA", "TLS_DHE_RSA_WITH_AES_128_CBC_SHA"),
        ] {
            #expect(Self.word(text, words) == name)
        }
        for text in [
            "HIGH", "!aNULL", "ADH-AES128-SHA", "NULL-SHA256", "ECDHE-RSA-AES128-GCM-SHA257",
            "AES_128_GCM_SHA256", "TLS_RSA_WITH_NULL_SHA256", "PSK-AES128-CBC-SHA",
        ] {
            #expect(Self.word(text, words) == nil, "\(text)")
        }
    }

    @Test(
        "durations that are exact",
        arguments: [
            ("1w", "7d"), ("2 weeks", "14d"), ("P90D", "90d"), ("PT24H", "24h"), ("P1W", "7d"),
            ("PT1H30M", "90min"), ("P1DT12H", "36h"), ("1h30m", "90min"), ("24h0m0s", "24h"),
            ("1.5h", "90min"), ("1d12h", "36h"), ("30D", "30d"), ("30 days", "30d"),
            ("12hours", "12h"),
            ("6m", nil), ("P1M", nil), ("P1Y", nil), ("1y6m", nil), ("500ms", nil), ("720", nil),
            ("never", nil), ("1.23456h", nil), ("P", nil), ("PT", nil), ("0.1s", nil),
        ] as [(String, String?)])
    func durations(_ text: String, _ written: String?) {
        let found = Self.problem { () throws(ScalarProblem) in
            _ = try DurationScanner.scan(text, for: "validity.maximum-lifetime")
        }
        #expect(found?.replacement == written)
        if written != nil { #expect(found?.isSameValue == true) }
        // A help with a number has the one that was written.
        if let digits = text.first(where: \.isNumber), written == nil, !text.hasSuffix("ms") {
            let help = found?.help.joined() ?? ""
            #expect(!help.contains("`") || help.contains(digits), "\(help)")
        }
    }

    @Test(
        "dates",
        arguments: [
            ("31.12.2026", "2026-12-31"), ("12/31/2026", "2026-12-31"),
            ("31/12/2026", "2026-12-31"), ("20261231", "2026-12-31"),
            ("Dec 31 2026", "2026-12-31"), ("31 December 2026", "2026-12-31"),
            ("Dec 31 23:59:59 2026 GMT", "2026-12-31T23:59:59Z"),
            ("Thu, 31 Dec 2026 23:59:59 GMT", "2026-12-31T23:59:59Z"),
            ("261231235959Z", "2026-12-31T23:59:59Z"), ("20261231235959Z", "2026-12-31T23:59:59Z"),
            ("1798761599", "2026-12-31T23:59:59Z"), ("2026-12-31T23:59Z", "2026-12-31T23:59:00Z"),
            ("2026-12-31 23:59:59", "2026-12-31T23:59:59Z"),
            ("05/06/2026", nil), ("2026-12", nil), ("never", nil), ("+90d", nil), ("90", nil),
            ("32.12.2026", nil), ("Dec 31 23:59:59 2026", nil), ("Dec 32 2026", nil),
        ] as [(String, String?)])
    func dates(_ text: String, _ written: String?) {
        let found = Self.problem { () throws(ScalarProblem) in _ = try DateScanner.scan(text) }
        #expect(found?.replacement == written)
        if let written { #expect(found?.help.first?.contains("`\(written)`") == true) }
        if text == "05/06/2026" {
            #expect(found?.help == ["write `2026-05-06` or `2026-06-05`, as it is meant"])
        }
        if text == "2026-12" {
            #expect(found?.help == ["that month is from `2026-12-01` until `2026-12-31`"])
        }
    }

    @Test(
        "numbers",
        arguments: [
            ("2048 bits", "2048"), ("rsa2048", "2048"), ("RSA-3072", "3072"), ("2_048", "2048"),
            ("+2048", "2048"), ("2048.0", "2048"), ("2048-bit", "2048"),
            ("-2048", nil), ("0x800", nil), ("2k", nil), ("1024 bits", nil), ("many", nil),
        ] as [(String, String?)])
    func numbers(_ text: String, _ written: String?) {
        let found = Self.problem { () throws(ScalarProblem) in
            _ = try IntegerScanner.scan(text, for: "keys.rsa-minimum", in: 2048...16_384)
        }
        #expect(found != nil && found?.replacement == written)
    }

    private static func problem(
        _ scan: () throws(ScalarProblem) -> Void
    ) -> ScalarProblem? {
        do throws(ScalarProblem) {
            try scan()
            return nil
        } catch {
            return error
        }
    }
}

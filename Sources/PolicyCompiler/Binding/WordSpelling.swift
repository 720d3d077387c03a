/// The spellings that other programs and standards give to a word of the language. Each spelling
/// here means one value and no other, so a fix writes the word without a question.
package enum WordSpelling {
    /// The word of a list that a text spells in another way. Nil if the text is a word of the list,
    /// and if it spells none of them. O(words).
    package static func word(for text: String, in words: ClosedWords) -> String? {
        guard text.utf8.count <= longest, !words.words.contains(text) else { return nil }
        let wanted = folded(text)
        guard !wanted.isEmpty else { return nil }
        let same = words.words.filter { folded($0) == wanted }
        if same.count == 1 { return same[0] }
        guard same.isEmpty, let meant = elsewhere(text, wanted, in: words),
            words.words.contains(meant)
        else { return nil }
        return meant
    }

    /// The choice that a text leaves which spells no single word; nil where nothing is known of the
    /// text.
    package static func hint(for text: String, in words: ClosedWords) -> String? {
        guard text.utf8.count <= longest else { return nil }
        return hints.first { $0.words == words }?.hints[folded(text)]
    }

    /// The version of TLS that a text names, as the language spells it, whether a field takes it or
    /// not: as nginx, OpenSSL, Go, Java, .NET, Envoy and Apple spell it, or as its number in the
    /// protocol. Nil for any other text.
    package static func tlsVersion(_ text: String) -> String? {
        guard text.utf8.count <= longest,
            text.utf8.allSatisfy({ isLetterOrDigit($0) || " -_.".utf8.contains($0) })
        else { return nil }
        var rest = folded(text)[...]
        while let prefix = versionPrefixes.first(where: { rest.hasPrefix($0) }) {
            rest = rest.dropFirst(prefix.count)
        }
        if rest.hasSuffix("version") { rest = rest.dropLast("version".count) }
        return versionNumbers[String(rest)]
    }

    /// A text without what spellings differ in: letter case and the separators `-`, `_`, `.` and
    /// blank.
    static func folded(_ text: String) -> String {
        String(
            decoding: text.utf8.compactMap { octet -> UInt8? in
                if " -_.".utf8.contains(octet) { return nil }
                return (0x41...0x5A).contains(octet) ? octet | 0x20 : octet
            }, as: UTF8.self)
    }

    private static func elsewhere(
        _ text: String, _ folded: String, in words: ClosedWords
    ) -> String? {
        if words == PolicyWords.tlsVersion || words == PolicyWords.oldTlsVersion {
            return tlsVersion(text)
        }
        if words == PolicyWords.tlsCipherSuite { return CipherSuiteSpelling.name(for: text) }
        return synonyms.first { $0.words == words }?.names[folded]
    }

    private static func isLetterOrDigit(_ octet: UInt8) -> Bool {
        DecimalNumber.isDigit(octet) || (0x61...0x7A).contains(octet | 0x20)
    }

    /// Octets of the longest text that is looked at.
    private static let longest = 100

    /// The texts before the number of a version: `TLSv1.2`, `VersionTLS12`, `kTLSProtocol12`.
    private static let versionPrefixes = ["tls", "version", "protocol", "k", "v"]

    /// Version numbers as they are written without their point, and as the protocol numbers them
    /// (RFC 8446 section 4.2.1). `1` is not here: it begins every one of them.
    private static let versionNumbers = [
        "10": "tls1.0", "769": "tls1.0", "0x0301": "tls1.0", "0x301": "tls1.0",
        "11": "tls1.1", "770": "tls1.1", "0x0302": "tls1.1", "0x302": "tls1.1",
        "12": "tls1.2", "771": "tls1.2", "0x0303": "tls1.2", "0x303": "tls1.2",
        "13": "tls1.3", "772": "tls1.3", "0x0304": "tls1.3", "0x304": "tls1.3",
    ]

    /// Names that differ from the word in more than case and separators, folded.
    private static let synonyms: [(words: ClosedWords, names: [String: String])] = [
        (PolicyWords.keyType, keyTypes), (PolicyWords.tlsGroup, groups),
        (PolicyWords.tlsSignatureScheme, handshakeSchemes),
        (
            PolicyWords.signatureHash,
            ["sha2256": "sha256", "sha2384": "sha384", "sha2512": "sha512"]
        ),
        (
            PolicyWords.signatureScheme,
            [
                "rsassapss": "rsa-pss", "rsapss": "rsa-pss", "rsassapkcs1v15": "rsa-pkcs1",
                "rsapkcs1v15": "rsa-pkcs1", "pkcs1v15": "rsa-pkcs1",
            ]
        ),
        (
            PolicyWords.keyPurposeWord,
            [
                "idkpserverauth": "server-auth", "tlswebserverauthentication": "server-auth",
                "extkeyusageserverauth": "server-auth", "idkpclientauth": "client-auth",
                "tlswebclientauthentication": "client-auth",
                "extkeyusageclientauth": "client-auth",
            ]
        ),
        (
            PolicyWords.revocationSource,
            [
                "stapling": "stapled", "staple": "stapled", "ocspstapling": "stapled",
                "ocspstapled": "stapled", "stapledocsp": "stapled",
            ]
        ),
        (PolicyWords.pinPosition, ["endentity": "leaf"]),
    ]

    /// The names of the NIST curves in X9.62, SEC 2, ECDSA's names in Go, and `ssh-keygen`'s.
    private static let keyTypes = [
        "secp256r1": "p256", "prime256v1": "p256", "nistp256": "p256", "ecdsap256": "p256",
        "ecp256": "p256", "curvep256": "p256", "ec256": "p256",
        "secp384r1": "p384", "ansip384r1": "p384", "nistp384": "p384", "ecdsap384": "p384",
        "ecp384": "p384", "curvep384": "p384", "ec384": "p384",
        "secp521r1": "p521", "ansip521r1": "p521", "nistp521": "p521", "ecdsap521": "p521",
        "ecp521": "p521", "curvep521": "p521", "ec521": "p521",
        "rsaencryption": "rsa", "ided25519": "ed25519", "ided448": "ed448",
    ]

    /// The names that NIST, ANSI and Go give to groups of the registry (RFC 8422 appendix A).
    private static let groups = [
        "p256": "secp256r1", "prime256v1": "secp256r1", "nistp256": "secp256r1",
        "curvep256": "secp256r1", "p384": "secp384r1", "nistp384": "secp384r1",
        "ansip384r1": "secp384r1", "curvep384": "secp384r1", "p521": "secp521r1",
        "nistp521": "secp521r1", "ansip521r1": "secp521r1", "curvep521": "secp521r1",
        "curve25519": "x25519", "curvex25519": "x25519",
    ]

    /// Go's constants (`crypto/tls.SignatureScheme`), and the pairs of OpenSSL's `-sigalgs`, by
    /// their numbers in the protocol.
    private static let handshakeSchemes = [
        "ecdsawithp256andsha256": "ecdsa_secp256r1_sha256",
        "ecdsawithp384andsha384": "ecdsa_secp384r1_sha384",
        "ecdsawithp521andsha512": "ecdsa_secp521r1_sha512",
        "psswithsha256": "rsa_pss_rsae_sha256", "psswithsha384": "rsa_pss_rsae_sha384",
        "psswithsha512": "rsa_pss_rsae_sha512", "pkcs1withsha256": "rsa_pkcs1_sha256",
        "pkcs1withsha384": "rsa_pkcs1_sha384", "pkcs1withsha512": "rsa_pkcs1_sha512",
        "ecdsa+sha256": "ecdsa_secp256r1_sha256", "ecdsa+sha384": "ecdsa_secp384r1_sha384",
        "ecdsa+sha512": "ecdsa_secp521r1_sha512", "rsa+sha256": "rsa_pkcs1_sha256",
        "rsa+sha384": "rsa_pkcs1_sha384", "rsa+sha512": "rsa_pkcs1_sha512",
        "rsapss+sha256": "rsa_pss_rsae_sha256", "rsapss+sha384": "rsa_pss_rsae_sha384",
        "rsapss+sha512": "rsa_pss_rsae_sha512", "pss+sha256": "rsa_pss_rsae_sha256",
        "pss+sha384": "rsa_pss_rsae_sha384", "pss+sha512": "rsa_pss_rsae_sha512",
    ]

    /// Texts that leave a choice open, folded.
    private static let hints: [(words: ClosedWords, hints: [String: String])] = [
        (
            PolicyWords.keyType,
            [
                "ec": curves, "ecc": curves, "ecdsa": curves, "ecpublickey": curves,
                "idecpublickey": curves, "rsa2048": size(2048), "rsa3072": size(3072),
                "rsa4096": size(4096), "dsa": "DSA has no word here: TLS 1.3 refuses it",
                "ecdh": curves, "mldsa": "write `mldsa44`, `mldsa65` or `mldsa87`",
                "eddsa": "write `ed25519` or `ed448`",
            ]
        ),
        (
            PolicyWords.signatureHash,
            [
                "sha2": "SHA-2 is a family: write `sha256`, `sha384` or `sha512`",
                "md5": "no word and no waiver allows MD5",
            ]
        ),
        (
            PolicyWords.signatureScheme,
            [
                "rsa": "write `rsa-pkcs1` or `rsa-pss`", "eddsa": "write `ed25519` or `ed448`",
                "sha256withrsaencryption": pkcs1, "sha384withrsaencryption": pkcs1,
                "sha512withrsaencryption": pkcs1, "sha256withrsa": pkcs1, "sha384withrsa": pkcs1,
                "sha512withrsa": pkcs1, "ecdsawithsha256": ecdsa, "ecdsawithsha384": ecdsa,
                "ecdsawithsha512": ecdsa,
            ]
        ),
        (
            PolicyWords.revocationPreset,
            [
                "hardfail": "`require` rejects a certificate for which no answer is found",
                "strict": "`require` rejects a certificate for which no answer is found",
                "softfail": "`best-effort` reports a certificate for which no answer is found",
            ]
        ),
        (
            PolicyWords.action,
            [
                "reject": "write `fail` to reject", "deny": "write `fail` to reject",
                "hardfail": "write `fail` to reject",
                "softfail": "`report` accepts and prints the failure; `pass` accepts without it",
                "warn": "`report` accepts and prints the failure; `pass` accepts without it",
            ]
        ),
        (
            PolicyWords.pinPosition,
            [
                "root": "write `anchor` for the certificate at which the path ends",
                "server": "write `leaf` for the server's own certificate",
                "issuer": "write `intermediate` for a CA below the anchor, or `ca` for either",
            ]
        ),
        (
            PolicyWords.keyPurposeWord,
            ["any": "list the purposes; certificates without the extension pass either way"]
        ),
    ]

    private static let curves = "keys on curves are `p256`, `p384` and `p521`"
    private static let pkcs1 = "write `rsa-pkcs1`; the hash is `signatures.minimum-hash`"
    private static let ecdsa = "write `ecdsa`; the hash is `signatures.minimum-hash`"

    private static func size(_ bits: Int) -> String {
        "write `rsa`; the least size is `keys.rsa-minimum: \(bits)`"
    }
}

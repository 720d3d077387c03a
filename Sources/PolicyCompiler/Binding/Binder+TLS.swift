internal import TrustEngine

// Values of `tls` (LANGUAGE section 8).
extension Binder {
    func cipherSuites(_ entry: MapEntry, _ path: String) -> FieldValue? {
        registeredNames(entry, path, PolicyWords.tlsCipherSuite) { _ in
            "`openssl ciphers -stdname` prints IANA's name beside OpenSSL's"
        }
    }

    func groups(_ entry: MapEntry, _ path: String) -> FieldValue? {
        registeredNames(entry, path, PolicyWords.tlsGroup) { name in
            Binder.groupsElsewhere[name].map { "IANA calls it `\($0)`" }
                ?? "for example `x25519`, `secp256r1`, `X25519MLKEM768`"
        }
    }

    func tlsSignatureSchemes(_ entry: MapEntry, _ path: String) -> FieldValue? {
        registeredNames(entry, path, PolicyWords.tlsSignatureScheme) { _ in
            "for example `ecdsa_secp256r1_sha256`, `rsa_pss_rsae_sha256`, `ed25519`"
        }
    }

    /// A version. A version below the baseline is refused with the waiver to write.
    func tlsVersion(_ entry: MapEntry, _ path: String) -> FieldValue? {
        if entry.value.kind == .scalar, let old = Binder.oldVersions[entry.value.text] {
            let waiver = "tls: { minimum-version: \(old), reason, owner, until }"
            report(
                .unknownValue,
                "\(quoted(entry.value.text)) is below the baseline; `\(path)` takes `tls1.2` or "
                    + "`tls1.3`",
                at: entry.value.span,
                help: path == ProfileField.tlsMinimumVersion.rawValue ? [waiverHelp(waiver)] : [])
            return nil
        }
        let lowest = PolicyWords.tlsVersion.words.first
        let highest = PolicyWords.tlsVersion.words.last
        if entry.value.kind == .scalar, path == ProfileField.tlsMinimumVersion.rawValue,
            let meant = Binder.knownVersion(entry.value.text), meant == lowest,
            meant != entry.value.text, let highest
        {
            var problem = unknownWord(entry.value.text, of: PolicyWords.tlsVersion)
            problem.help = [
                "for one server that lacks `\(highest)` keep a floor of `\(highest)` and write "
                    + "`report-only: { tls: { until: YYYY-MM-DD } }` in its rule: until then demands "
                    + "on TLS, from `\(meant)` on, are reported and do not reject"
            ]
            report(problem, in: entry.value)
            return nil
        }
        return member(entry, path, of: .tlsVersion).map { .word($0) }
    }

    /// Names of an IANA registry, in order of preference.
    private func registeredNames(
        _ entry: MapEntry, _ path: String, _ words: ClosedWords, help: (String) -> String
    ) -> FieldValue? {
        let names = preferences(entry, path) { node in
            scan(node, path: path, example: entry.shape.example) { text throws(ScalarProblem) in
                if words.words.contains(text) { return text }
                // The registries are too long to be listed in a message. If several names are
                // similar, the message names these.
                let near = DidYouMean.near(text, among: words.words)
                throw ScalarProblem(
                    .unknownValue,
                    "\(self.quoted(text)) is not \(words.noun)"
                        + self.question(words.proposal(for: text)),
                    help: near.count > 1
                        ? ["names like it are \(self.listed(near.prefix(6).sorted()))"]
                        : near.isEmpty ? [help(text)] : [])
            }
        }
        return names.map { .preferences($0) }
    }

    /// ALPN protocol names, of at most 255 octets each (RFC 7301 section 3.1).
    func applicationProtocols(_ entry: MapEntry, _ path: String) -> [String]? {
        preferences(entry, path) { node in
            let style = node.style
            return scan(node, path: path, example: entry.shape.example, isText: true) {
                text throws(ScalarProblem) in
                try FreeTextScanner.scan(text, for: path, style: style, limit: 255)
            }
        }
    }

    /// Versions below the baseline: the spellings that people write, with the waiver's word for
    /// each. `tls1` is not among them, because every version begins with it.
    private static let oldVersions = [
        "tls1.0": "tls1.0", "1.0": "tls1.0", "tls1.1": "tls1.1", "1.1": "tls1.1",
    ]

    /// The names that NIST and ANSI give to groups of the registry (RFC 8422 appendix A).
    private static let groupsElsewhere = [
        "P-256": "secp256r1", "prime256v1": "secp256r1", "P-384": "secp384r1",
        "P-521": "secp521r1",
    ]
}

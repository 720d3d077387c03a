internal import TrustEngine

// Values of `tls` (LANGUAGE section 8).
extension Binder {
    func cipherSuites(_ entry: MapEntry, _ path: String) -> FieldValue? {
        if entry.value.kind == .scalar, let list = CipherList(entry.value.text) {
            reportCipherList(list, entry, path)
            return nil
        }
        return registeredNames(entry, path, PolicyWords.tlsCipherSuite) { name in
            if let list = CipherList(name) {
                return "\(list.command) prints the suites that it selects, with IANA's name of each"
            }
            if Binder.unprotected.contains(where: name.uppercased().contains) {
                return "leave it out: with it, nobody is proved or nothing is encrypted"
            }
            return "`openssl ciphers -stdname` prints IANA's name beside OpenSSL's"
        }
    }

    /// Reports a list of OpenSSL's in place of a list of names. A part of it that selects suites
    /// depends on the version of OpenSSL, so only a list of single suites has a fix.
    private func reportCipherList(_ list: CipherList, _ entry: MapEntry, _ path: String) {
        let name = entry.shape.name
        var help: [String] = []
        if !list.isWhole {
            help.append(
                "\(list.command) prints the suites that it selects, with IANA's name of each")
        }
        if let written = list.written {
            help.append(
                list.isWhole
                    ? "write `\(name): \(written)`"
                    : "the suites that it names are `\(name): \(written)`")
        }
        report(
            .wrongType, "`\(path)` takes a list of IANA's names; found \(found(entry.value))",
            at: entry.value.span, help: help,
            fix: list.isWhole
                ? list.written.map { written in
                    FixIt(
                        title: "write IANA's names", safety: .safe,
                        edits: [FixIt.Edit(entry.value.span, written)])
                } : nil)
    }

    /// Parts of the names of suites that encrypt nothing, or prove no server by a certificate.
    private static let unprotected = ["NULL", "ANON", "ADH-", "AECDH-", "PSK", "SRP", "EXP"]

    func groups(_ entry: MapEntry, _ path: String) -> FieldValue? {
        registeredNames(entry, path, PolicyWords.tlsGroup) { _ in
            "for example `x25519`, `secp256r1`, `X25519MLKEM768`"
        }
    }

    func tlsSignatureSchemes(_ entry: MapEntry, _ path: String) -> FieldValue? {
        registeredNames(entry, path, PolicyWords.tlsSignatureScheme) { _ in
            "for example `ecdsa_secp256r1_sha256`, `rsa_pss_rsae_sha256`, `ed25519`"
        }
    }

    /// A version. A version below the baseline is refused with the waiver to write.
    func tlsVersion(_ entry: MapEntry, _ path: String) -> FieldValue? {
        if reportVersionList(entry, path) { return nil }
        if entry.value.kind == .scalar, let old = Binder.oldVersion(entry.value.text) {
            let waiver = "tls: { minimum-version: \(old), reason, owner, until }"
            report(
                .unknownValue,
                "\(quoted(entry.value.text)) is below the baseline; `\(path)` takes `tls1.2` or "
                    + "`tls1.3`",
                at: entry.value.span,
                help: path == ProfileField.tlsMinimumVersion.rawValue ? [waiverHelp(waiver)] : [])
            return nil
        }
        return member(entry, path, of: .tlsVersion).map { .word($0) }
    }

    /// Reports versions that are listed one by one, as nginx and Apache list them. Here a rule has
    /// the oldest and the newest version that it accepts.
    private func reportVersionList(_ entry: MapEntry, _ path: String) -> Bool {
        let texts: [String]
        switch entry.value.kind {
        case .scalar: texts = entry.value.text.split { " ,:;|".contains($0) }.map(String.init)
        case .list:
            guard entry.value.items.allSatisfy({ $0.kind == .scalar }) else { return false }
            texts = entry.value.items.map(\.text)
        case .map, .error: return false
        }
        // `TLS 1.2` is one version with a blank in it.
        guard entry.value.kind == .list || WordSpelling.tlsVersion(entry.value.text) == nil,
            texts.count > 1 || entry.value.kind == .list
        else { return false }
        let versions = texts.compactMap { Binder.oldVersion($0) ?? WordSpelling.tlsVersion($0) }
            .sorted()
        guard versions.count == texts.count, let lowest = versions.first,
            let highest = versions.last
        else { return false }
        let oldest = PolicyWords.tlsVersion.words.contains(lowest) ? lowest : nil
        let newest = PolicyWords.tlsVersion.words.contains(highest) ? highest : nil
        var help: [String] = []
        if versions.count == 1, let oldest {
            help.append("write `\(entry.shape.name): \(oldest)`")
        } else if let newest {
            help.append(
                "for these versions write `minimum-version: \(oldest ?? "tls1.2")` and "
                    + "`maximum-version: \(newest)`")
        }
        if oldest == nil {
            help.append(waiverHelp("tls: { minimum-version: \(lowest), reason, owner, until }"))
        }
        report(
            .wrongType, "`\(path)` takes one version; found \(found(entry.value))",
            at: entry.value.span, help: help)
        return true
    }

    /// Names of an IANA registry, in order of preference.
    private func registeredNames(
        _ entry: MapEntry, _ path: String, _ words: ClosedWords, help: (String) -> String
    ) -> FieldValue? {
        let names = preferences(entry, path) { node in
            scan(node, path: path, example: entry.shape.example) { text throws(ScalarProblem) in
                if words.words.contains(text) { return text }
                if let same = WordSpelling.word(for: text, in: words) {
                    var problem = ScalarProblem(
                        .unknownValue,
                        "\(self.quoted(text)) is not \(words.noun); did you mean `\(same)`?",
                        write: same)
                    problem.isSameValue = true
                    throw problem
                }
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

    /// The version below the baseline that a text means, as the waiver spells it; nil if it means
    /// no such version. `TLSv1` is OpenSSL's name of TLS 1.0; `tls1` is nobody's, because every
    /// version begins with it.
    private static func oldVersion(_ text: String) -> String? {
        let version = text.lowercased() == "tlsv1" ? "tls1.0" : WordSpelling.tlsVersion(text)
        return version.flatMap { PolicyWords.oldTlsVersion.words.contains($0) ? $0 : nil }
    }
}

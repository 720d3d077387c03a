package import PolicyCompiler
package import TrustEngine

/// Writes what Chrome's enterprise lists of certificates mean as a policy: the anchors that Chrome
/// has anyway, which are `system` here, and for every host the added certificates, each with the
/// names that it may vouch for.
package struct ChromeEnterpriseImport {
    private let file: ChromeEnterpriseFile
    private let source: SourceFile
    private let crypto: any CryptoBackend
    private var policy = WrittenPolicy()
    private var files: [(name: String, certificates: [[UInt8]])] = []
    private var ids = WrittenIDs()
    private var findings = ForeignFindings()

    /// Imports a file.
    ///
    /// - Parameter source: the file, whose name the policy cites.
    package static func policy(
        of file: ChromeEnterpriseFile, source: SourceFile, owner: String? = nil,
        crypto: any CryptoBackend
    ) -> ForeignImport {
        var imported = ChromeEnterpriseImport(file: file, source: source, crypto: crypto)
        imported.policy.owner = owner
        imported.write()
        return ForeignImport(
            policy: imported.policy, files: imported.files,
            findings: file.findings + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(file: ChromeEnterpriseFile, source: SourceFile, crypto: any CryptoBackend) {
        self.file = file
        self.source = source
        self.crypto = crypto
    }

    private static let everyHost = ForeignFindings.Hosts(others: true)

    private mutating func write() {
        policy.heading = [
            "Written from \(source.path), enterprise policies of Chrome. `system` stands for the",
            "Chrome Root Store and the certificates of the platform.",
        ]
        var body = WrittenPolicy.Body(anchors: ["system"])
        for entry in file.plain {
            if let id = add(entry, names: []) { body.anchors.append(id) }
        }
        for entry in file.constrained {
            let names = names(of: entry)
            // A set without names would have no limit.
            guard !names.isEmpty, let id = add(entry, names: names) else { continue }
            body.anchors.append(id)
        }
        for entry in file.distrusted {
            guard let certificate = certificate(of: entry) else { continue }
            let digest = crypto.digest(.sha256, of: certificate.keyOctets.span)
            body.forbidden.append(
                WrittenPolicy.Forbidden(
                    id: ids.id(certificate.subjectText, prefix: "distrusted-"),
                    match: "spki: sha256/\(Base64.encode(digest.bytes))"))
        }
        policy.defaultBody = body
    }

    private mutating func certificate(of entry: ChromeEnterpriseFile.Entry) -> Certificate? {
        do throws(CertificateError) {
            return try Certificate(der: entry.der)
        } catch {
            findings.add(
                .ignoredByTarget, "the certificate cannot be read: \(error.context)",
                at: entry.range, .none, ForeignFindings.Hosts())
            return nil
        }
    }

    /// Adds the anchor set of an entry; nil for an entry that is left out.
    private mutating func add(
        _ entry: ChromeEnterpriseFile.Entry, names: [String]
    ) -> String? {
        guard let certificate = certificate(of: entry) else { return nil }
        let kind = AnchorKind(of: certificate)
        guard kind != .leaf else {
            findings.add(
                .ignoredByTarget,
                "the certificate is not a CA by its basicConstraints, so Chrome accepts nothing "
                    + "below it", at: entry.range, .none, ForeignFindings.Hosts())
            return nil
        }
        let subject = certificate.subjectText.split(separator: ",").first.map(String.init) ?? ""
        let id = ids.id(subject, prefix: "chrome-")
        let path = "anchors/\(id).pem"
        files.append((path, [entry.der]))
        var set = WrittenPolicy.AnchorSet(
            id: id, files: [path], note: "\(source.path), line \(source.line(of: entry.range))")
        set.kind = kind
        set.permittedNames = names
        policy.anchorSets.append(set)
        return id
    }

    // MARK: Names

    /// The patterns of an entry's constraints. Where one type has none, every name of the type is
    /// permitted: every address has patterns, every DNS name has none. The names that only close a
    /// type are left out.
    private mutating func names(of entry: ChromeEnterpriseFile.Entry) -> [String] {
        var patterns: [String] = []
        for name in entry.names where name.text != ChromeEnterpriseFile.noName {
            let found = Self.patterns(name.text)
            if found.isEmpty {
                findings.add(
                    .matchesNoHost,
                    "the subtree `\(name.text)` is not a name of hosts, and is left out",
                    at: name.range, .policyIsStricter, Self.everyHost)
            }
            patterns += found
        }
        let networks = entry.networks.filter { $0.text != ChromeEnterpriseFile.noNetwork }
            .compactMap { Self.network($0.text) }
        if entry.networks.isEmpty {
            findings.add(
                .chromeOpenType,
                "the entry has no `permitted_cidrs`, so it permits every IP address",
                at: entry.range,
                .none, ForeignFindings.Hosts(), help: [Self.closing])
            patterns += ["0.0.0.0/0", "::/0"]
        } else if entry.names.isEmpty {
            findings.add(
                .chromeOpenType,
                "the entry has no `permitted_dns_names`, so it permits every DNS name; the policy "
                    + "has no pattern for every name and permits none", at: entry.range,
                .policyIsStricter, Self.everyHost, help: [Self.closing])
        }
        var seen: Set<String> = []
        return (patterns + networks).filter { seen.insert($0).inserted }
    }

    private static let closing =
        "permit a name of the other type that no server has: "
        + "`\(ChromeEnterpriseFile.noNetwork)` or `\(ChromeEnterpriseFile.noName)`"

    /// The patterns of a permitted subtree of DNS names, as BoringSSL reads it: the name and all
    /// below it; with a dot before it only all below it.
    static func patterns(_ text: String) -> [String] {
        let isBelow = text.hasPrefix(".")
        let base = isBelow ? String(text.dropFirst()) : text
        guard !base.hasSuffix("."), let below = ForeignHosts.below(base.lowercased(), "**") else {
            return []
        }
        return isBelow ? [below] : [base.lowercased(), below]
    }

    /// The pattern of a network in CIDR form; nil for another text. Host bits are cleared, as in
    /// Chrome's comparison.
    static func network(_ text: String) -> String? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(text: String(parts[0])),
            let prefix = Int(parts[1]), String(prefix) == parts[1]
        else { return nil }
        guard (0...address.bitCount).contains(prefix) else { return nil }
        let base = address.masked(prefix: prefix)
        return prefix == address.bitCount ? base.description : "\(base.description)/\(prefix)"
    }
}

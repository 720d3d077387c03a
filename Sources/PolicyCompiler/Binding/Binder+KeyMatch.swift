internal import TrustEngine

// Key matches: the ways to name a key or a certificate. Pins, `only`, `exclude` and
// `forbidden-keys` share them (LANGUAGE section 6).
extension Binder {
    /// Reads the one key match of a map, which may have other keys beside it. Exactly one of the
    /// four ways to name a key must be there. A pin compares the octets of a key, every other match
    /// the key itself.
    func keyMatch(
        _ map: MapContents, of id: Located<String>, isPin: Bool = false
    ) -> BoundKeyMatch? {
        let ways = Binder.waysToNameAKey
        var written = ways.compactMap { map[$0] }
        if written.count > 1 { written.sort { $0.key.span.start < $1.key.span.start } }
        guard let first = written.first else {
            if !ways.contains(where: { map.mayHold($0) }) {
                report(
                    .missingKey, "`\(id.value)` names no key; it has one of \(listed(ways))",
                    at: id.span,
                    help: ["run `hawser pin FILE` for the entry of a certificate's key"])
            }
            return nil
        }
        if written.count > 1 {
            report(
                .flagConflict,
                "`\(id.value)` names its key in \(written.count) ways; an entry has one of "
                    + listed(ways),
                at: written[1].key.span, labels: [Diagnostic.Label(first.key.span, "and here")],
                help: ["make them two entries"])
            return nil
        }
        switch first.shape.name {
        case "spki":
            if reportSeveral(first, of: id, SPKIDigestScanner.scan) { return nil }
            let digest = scan(first, path: "spki", SPKIDigestScanner.scan)
            return digest.map { digestMatch(KeyMatch(kind: .spki, digest: $0.value), at: $0.span) }
        case "certificate":
            if reportSeveral(first, of: id, CertificateDigestScanner.scan) { return nil }
            let digest = scan(first, path: "certificate", CertificateDigestScanner.scan)
            return digest.map {
                digestMatch(KeyMatch(kind: .certificate, digest: $0.value), at: $0.span)
            }
        case "spki-file":
            return fileMatch(first, kind: .spki, isPin: isPin)
        default:
            return fileMatch(first, kind: .certificate, isPin: isPin)
        }
    }

    private static let waysToNameAKey = ["spki", "certificate", "spki-file", "certificate-file"]

    /// Reads `only` or `exclude`: a map from ids to key matches, with no other keys. `isWhole` is
    /// false if an entry could not be read.
    func keyMatches(
        _ entry: MapEntry
    ) -> (entries: [BoundMatchEntry], isWhole: Bool) {
        guard requireMap(entry.value, for: entry.shape.name, example: entry.shape.example) else {
            return ([], false)
        }
        var entries: [BoundMatchEntry] = []
        var isWhole = true
        for (key, value) in entry.value.entries {
            guard let id = id(key),
                let map = section(
                    value, shape: PolicyFields.keyMatch, name: id.value,
                    example: "\(id.value): { certificate-file: anchors/\(id.value).pem }"),
                let match = keyMatch(map, of: id)
            else {
                isWhole = false
                continue
            }
            entries.append(BoundMatchEntry(id: id, key: match))
        }
        return (entries, isWhole)
    }

    /// A key match with a digest that the policy writes.
    private func digestMatch(_ match: KeyMatch, at span: SourceSpan) -> BoundKeyMatch {
        BoundKeyMatch(matches: [match], keys: [[match]], certificates: [], span: span)
    }

    /// A key match with the digests of the keys or certificates in the file that the path names.
    /// The entry compares SHA-256; the other digests only tell whether two entries are the same
    /// key. A pin compares the key as the file encodes it. Any other entry compares the canonical
    /// encoding, by which the key is found in whatever encoding it is presented
    /// (`KeyMatch.names`).
    private func fileMatch(
        _ entry: MapEntry, kind: KeyMatch.Kind, isPin: Bool
    ) -> BoundKeyMatch? {
        let wanted: KeyMaterial.Wanted = kind == .spki ? .keys : .certificates
        guard
            let paths = paths(
                entry.value, field: entry.shape.name, example: entry.shape.example)
        else { return nil }
        var bound = BoundKeyMatch(
            matches: [], keys: [], certificates: [], span: entry.value.span)
        var matches: Set<KeyMatch> = []
        func add(_ spki: [UInt8], of certificate: Certificate? = nil) {
            let (canonical, other) = PublicKey.encodings(of: spki)
            let others = other.map { digests(of: $0, .spki) } ?? []
            let whole = certificate.map { digests(of: $0.der, .certificate) } ?? []
            bound.keys.append(digests(of: canonical, .spki).union(others).union(whole))
            bound.ofOtherEncodings.formUnion(others)
            switch kind {
            case .certificate: matches.formUnion(whole.filter(\.isCompared))
            case .spki:
                matches.formUnion(
                    digests(of: isPin ? spki : canonical, .spki).filter(\.isCompared))
            }
        }
        for path in paths {
            guard let material = material(path, wanted: wanted) else { return nil }
            if isPin, refusesMerkleTreeAuthority(in: material, "`\(path.value)`", at: path.span) {
                return nil
            }
            if isPin, let index = material.uses.first(where: { !$0.value.allowServers })?.key {
                report(
                    .anchorUnreadable,
                    "`\(path.value)` does not trust `\(material.certificates[index].subjectText)` for "
                        + "servers, by the uses that OpenSSL keeps beside it, and a pin would accept "
                        + "it",
                    at: path.span, help: ["pin a certificate that its file trusts for servers"])
                return nil
            }
            for certificate in material.certificates {
                add(certificate.spkiBytes, of: certificate)
            }
            for key in material.keys { add(key) }
            bound.certificates += material.certificates
        }
        bound.matches = matches.sorted { $0.precedes($1) }
        return bound
    }

    private func digests(of bytes: [UInt8], _ kind: KeyMatch.Kind) -> Set<KeyMatch> {
        Set(
            DigestAlgorithm.allCases.map {
                KeyMatch(kind: kind, digest: crypto.digest($0, of: bytes.span))
            })
    }
}

extension KeyMatch {
    /// Whether an entry that names a file compares the digest.
    fileprivate var isCompared: Bool { digest.algorithm == .sha256 }

    /// A fixed order: by kind, algorithm and octets.
    func precedes(_ other: KeyMatch) -> Bool {
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        if digest.algorithm != other.digest.algorithm {
            return digest.algorithm.rawValue < other.digest.algorithm.rawValue
        }
        return digest.bytes.lexicographicallyPrecedes(other.digest.bytes)
    }
}

internal import TrustEngine

// Key matches: the ways to name a key or a certificate. Pins, `only`, `exclude` and
// `forbidden-keys` share them (LANGUAGE section 6).
extension Binder {
    /// Reads the one key match of a map, which may have other keys beside it. Exactly one of the
    /// four ways to name a key must be there.
    func keyMatch(_ map: MapContents, of id: Located<String>) -> BoundKeyMatch? {
        let ways = Binder.waysToNameAKey
        var written = ways.compactMap { map[$0] }
        if written.count > 1 { written.sort { $0.key.span.start < $1.key.span.start } }
        guard let first = written.first else {
            if !ways.contains(where: { map.mayHold($0) }) {
                report(
                    .missingKey, "`\(id.value)` names no key; it has one of \(listed(ways))",
                    at: id.span)
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
            let digest = scan(first, path: "spki", SPKIDigestScanner.scan)
            return digest.map { digestMatch(KeyMatch(kind: .spki, digest: $0.value), at: $0.span) }
        case "certificate":
            let digest = scan(first, path: "certificate", CertificateDigestScanner.scan)
            return digest.map {
                digestMatch(KeyMatch(kind: .certificate, digest: $0.value), at: $0.span)
            }
        case "spki-file":
            return fileMatch(first, kind: .spki)
        default:
            return fileMatch(first, kind: .certificate)
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
    /// key.
    private func fileMatch(_ entry: MapEntry, kind: KeyMatch.Kind) -> BoundKeyMatch? {
        let wanted: KeyMaterial.Wanted = kind == .spki ? .keys : .certificates
        guard
            let paths = paths(
                entry.value, field: entry.shape.name, example: entry.shape.example)
        else { return nil }
        var keys: [Set<KeyMatch>] = []
        var matches: Set<KeyMatch> = []
        var certificates: [Certificate] = []
        for path in paths {
            guard let material = material(path, wanted: wanted) else { return nil }
            for certificate in material.certificates {
                keys.append(
                    digests(of: certificate.der, .certificate)
                        .union(digests(of: certificate.spkiBytes, .spki)))
            }
            keys += material.keys.map { digests(of: $0, .spki) }
            certificates += material.certificates
        }
        for key in keys {
            matches.formUnion(key.filter { $0.kind == kind && $0.digest.algorithm == .sha256 })
        }
        return BoundKeyMatch(
            matches: matches.sorted { $0.precedes($1) }, keys: keys, certificates: certificates,
            span: entry.value.span)
    }

    private func digests(of bytes: [UInt8], _ kind: KeyMatch.Kind) -> Set<KeyMatch> {
        Set(
            DigestAlgorithm.allCases.map {
                KeyMatch(kind: kind, digest: crypto.digest($0, of: bytes.span))
            })
    }
}

extension KeyMatch {
    /// A fixed order: by kind, algorithm and octets.
    func precedes(_ other: KeyMatch) -> Bool {
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        if digest.algorithm != other.digest.algorithm {
            return digest.algorithm.rawValue < other.digest.algorithm.rawValue
        }
        return digest.bytes.lexicographicallyPrecedes(other.digest.bytes)
    }
}

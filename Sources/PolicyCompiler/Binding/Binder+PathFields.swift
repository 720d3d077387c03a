internal import TrustEngine

// Values of `path`, `keys`, `signatures` and `validity` (LANGUAGE section 8).
extension Binder {
    // MARK: `path`

    /// The key purposes, each a name or an object identifier.
    func keyPurposes(_ entry: MapEntry, path: String) -> KeyPurposes? {
        let (bound, isWhole) = list(entry, path: path) { keyPurpose($0, path, entry.shape.example) }
        guard isWhole, !bound.items.isEmpty else { return nil }
        var purposes = KeyPurposes()
        var others: Set<[UInt8]> = []
        for item in bound.items {
            purposes.serverAuth = purposes.serverAuth || item.value.serverAuth
            purposes.clientAuth = purposes.clientAuth || item.value.clientAuth
            others.formUnion(item.value.others)
        }
        purposes.others = others.sorted { $0.lexicographicallyPrecedes($1) }
        return purposes
    }

    /// One key purpose. A purpose that has a name is the same value in either spelling.
    private func keyPurpose(
        _ node: SyntaxNode, _ path: String, _ example: String
    ) -> Located<KeyPurposes>? {
        scan(node, path: path, example: example) { text throws(ScalarProblem) in
            switch text {
            case "server-auth", "1.3.6.1.5.5.7.3.1": return KeyPurposes(serverAuth: true)
            case "client-auth", "1.3.6.1.5.5.7.3.2": return KeyPurposes(clientAuth: true)
            default:
                guard let first = text.utf8.first, (0x30...0x39).contains(first) else {
                    throw self.unknownWord(text, of: PolicyWords.keyPurposeWord)
                }
                return KeyPurposes(others: [try ObjectIdentifierScanner.scan(text)])
            }
        }
    }

    /// Certificate policies, sorted, each once; empty means that any certificate policy will do. A
    /// nearer layer undoes the list of a farther layer by naming anyPolicy (RFC 5280 section
    /// 6.1.1(c)).
    func certificatePolicies(_ entry: MapEntry, _ path: String) -> [[UInt8]]? {
        let (bound, isWhole) = list(entry, path: path) { node in
            scan(node, path: path, example: entry.shape.example, ObjectIdentifierScanner.scan)
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        let policies = Set(bound.items.map(\.value))
        return policies.contains(Binder.anyPolicy)
            ? [] : policies.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The object identifier of anyPolicy, 2.5.29.32.0 (RFC 5280 section 4.2.1.4).
    private static let anyPolicy: [UInt8] = [0x55, 0x1D, 0x20, 0x00]

    // MARK: `keys` and `signatures`

    /// `keys.rsa-minimum`. A value below the baseline is refused with the waiver to write.
    func rsaMinimum(_ entry: MapEntry, _ path: String) -> FieldValue? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            do throws(ScalarProblem) {
                return try IntegerScanner.scan(text, for: path, in: 2048...16_384)
            } catch {
                guard let bits = DecimalNumber.value(of: text), (1024...2047).contains(bits) else {
                    throw error
                }
                throw ScalarProblem(
                    error.code, error.message, range: error.range,
                    help: [self.waiverHelp("keys: { rsa-minimum: \(bits), reason, owner, until }")])
            }
        }.map { .integer($0.value) }
    }

    /// `signatures.minimum-hash`. SHA-1 is refused with the waiver to write.
    func minimumHash(_ entry: MapEntry, _ path: String) -> FieldValue? {
        if entry.value.kind == .scalar, entry.value.text == "sha1" {
            report(
                .unknownValue,
                "`sha1` is below the baseline; `\(path)` takes `sha256`, `sha384` or `sha512`",
                at: entry.value.span,
                help: [waiverHelp("signatures: { minimum-hash: sha1, reason, owner, until }")])
            return nil
        }
        return member(entry, path, of: .signatureHash).map { .word($0) }
    }

    // MARK: `validity`

    /// The steps, sorted by date. Two steps with one date are refused, since neither would come
    /// before the other.
    func lifetimeSteps(_ entry: MapEntry, _ path: String) -> [LifetimeStep]? {
        let (bound, isWhole) = list(entry, path: path) { step($0, path, entry.shape.example) }
        var dates: [UTCInstant: SourceSpan] = [:]
        for item in bound.items {
            guard let first = dates[item.value.issuedFrom] else {
                dates[item.value.issuedFrom] = item.span
                continue
            }
            report(
                .flagConflict,
                "two steps of `\(path)` begin at \(item.value.issuedFrom), so neither holds",
                at: item.span, labels: [Diagnostic.Label(first, "the other one")],
                help: ["keep one of the two, or give them different dates"])
        }
        guard isWhole, !bound.items.isEmpty, dates.count == bound.items.count else { return nil }
        return bound.items.map(\.value).sorted { $0.issuedFrom < $1.issuedFrom }
    }

    /// One step, with the span of its date.
    private func step(
        _ node: SyntaxNode, _ path: String, _ example: String
    ) -> Located<LifetimeStep>? {
        guard
            let map = section(
                node, shape: PolicyFields.lifetimeStep, name: path, example: example)
        else { return nil }
        requireKeys(
            ["issued-from", "maximum"], in: map, of: "a step of `\(path)`", at: node.span,
            shape: PolicyFields.lifetimeStep)
        let start = date(map["issued-from"], path: "\(path).issued-from")
        let maximum = map["maximum"].flatMap { duration($0, "\(path).maximum") }
        guard let start, let maximum else { return nil }
        return Located(
            value: LifetimeStep(issuedFrom: start.value.firstSecond, maximum: maximum),
            span: start.span)
    }
}

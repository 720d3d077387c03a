internal import TrustEngine

// `path`, `keys`, `signatures` and `validity` (LANGUAGE section 8).
extension Binder {
    func bindPath(_ map: MapContents, _ fields: inout BoundFields) {
        bind(.maximumIntermediates, in: map, &fields) {
            integer($0, $1, in: 0...32)
        } write: {
            $0.maximumIntermediates = $1
        }
        bind(.keyPurposes, in: map, &fields, read: keyPurposes(_:path:)) { $0.keyPurposes = $1 }
        bind(.certificatePolicies, in: map, &fields, read: certificatePolicies) {
            $0.certificatePolicies = $1
        }
        bind(.explicitPolicy, in: map, &fields, read: demand) { $0.requiresExplicitPolicy = $1 }
        bind(.policyMapping, in: map, &fields, read: inhibition) { $0.inhibitsPolicyMapping = $1 }
        bind(.anyPolicy, in: map, &fields, read: inhibition) { $0.inhibitsAnyPolicy = $1 }
    }

    func bindKeys(_ map: MapContents, _ fields: inout BoundFields) {
        bind(.keyTypes, in: map, &fields, read: keyTypes) { $0.keyTypes = $1 }
        bind(.leafKeyTypes, in: map, &fields, read: keyTypes) { $0.leafKeyTypes = $1 }
        bind(.rsaMinimum, in: map, &fields, read: rsaMinimum) { $0.rsaMinimum = $1 }
    }

    func bindSignatures(_ map: MapContents, _ fields: inout BoundFields) {
        bind(.minimumHash, in: map, &fields, read: minimumHash) { $0.minimumHash = $1 }
        bind(.signatureSchemes, in: map, &fields, read: schemes) { $0.signatureSchemes = $1 }
    }

    func bindValidity(_ map: MapContents, _ fields: inout BoundFields) {
        bind(.clockSkew, in: map, &fields) {
            duration($0, $1, in: 0...86_400)
        } write: {
            $0.clockSkew = $1
        }
        bind(.maximumLifetime, in: map, &fields) {
            duration($0, $1)
        } write: {
            $0.maximumLifetime = $1
            // It undoes the steps of farther layers; those of its own are written after it.
            $0.lifetimeSteps = []
        }
        bind(.lifetimeSteps, in: map, &fields, read: lifetimeSteps) { $0.lifetimeSteps = $1 }
    }

    // MARK: `path`

    /// Purposes by name, or by object identifier.
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

    /// One purpose. The two that have names are the same thing in either spelling.
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

    /// Certificate policies, sorted, each once; empty for any. The special policy anyPolicy (RFC 5280
    /// section 6.1.1(c)) among them is how a nearer layer undoes the list of a farther one.
    private func certificatePolicies(_ entry: MapEntry, _ path: String) -> [[UInt8]]? {
        let (bound, isWhole) = list(entry, path: path) { node in
            scan(node, path: path, example: entry.shape.example, ObjectIdentifierScanner.scan)
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        let policies = Set(bound.items.map(\.value))
        return policies.contains(Binder.anyPolicy)
            ? [] : policies.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// 2.5.29.32.0 (RFC 5280 section 4.2.1.4).
    private static let anyPolicy: [UInt8] = [0x55, 0x1D, 0x20, 0x00]

    // MARK: `keys` and `signatures`

    /// `keys.rsa-minimum`, with the waiver to write for less than the baseline.
    private func rsaMinimum(_ entry: MapEntry, _ path: String) -> Int? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            do throws(ScalarProblem) {
                return try IntegerScanner.scan(text, for: path, in: 2048...16_384)
            } catch {
                guard let bits = Int(text), (1024...2047).contains(bits) else { throw error }
                throw ScalarProblem(
                    error.code, error.message, range: error.range,
                    help: [self.waiverHelp("keys: { rsa-minimum: \(bits), reason, owner, until }")])
            }
        }?.value
    }

    /// `signatures.minimum-hash`, with the waiver to write for SHA-1.
    private func minimumHash(_ entry: MapEntry, _ path: String) -> SignatureHash? {
        if entry.value.kind == .scalar, entry.value.text == "sha1" {
            report(
                .unknownValue,
                "`sha1` is below the baseline; `\(path)` takes `sha256`, `sha384` or `sha512`",
                at: entry.value.span,
                help: [waiverHelp("signatures: { minimum-hash: sha1, reason, owner, until }")])
            return nil
        }
        return word(
            entry.value, path: path, example: entry.shape.example,
            of: PolicyWords.signatureHash
        ) { text in
            [SignatureHash.sha256, .sha384, .sha512].first { $0.name == text }
        }?.value
    }

    /// A set of key types, or nil when an item could not be read.
    private func keyTypes(_ entry: MapEntry, path: String) -> KeyTypeSet? {
        let (bound, isWhole) = list(entry, path: path) { node in
            word(
                node, path: path, example: entry.shape.example, of: PolicyWords.keyType
            ) { text in
                KeyType.allCases.first { $0.name == text }.map { KeyTypeSet($0) }
            }
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        return bound.items.reduce(into: KeyTypeSet(rawValue: 0)) { $0.formUnion($1.value) }
    }

    private func schemes(_ entry: MapEntry, path: String) -> SignatureSchemeSet? {
        let (bound, isWhole) = list(entry, path: path) { node in
            word(
                node, path: path, example: entry.shape.example, of: PolicyWords.signatureScheme
            ) { text in
                SignatureSchemeSet.named.first { $0.name == text }?.scheme
            }
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        return bound.items.reduce(into: SignatureSchemeSet(rawValue: 0)) { $0.formUnion($1.value) }
    }

    // MARK: `validity`

    /// The steps, sorted by date. Two of one date would leave open which of them holds.
    private func lifetimeSteps(_ entry: MapEntry, _ path: String) -> [LifetimeStep]? {
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

    /// One step, at the place of its date.
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
        let date = scan(map["issued-from"], path: "\(path).issued-from", DateScanner.scan)
        let maximum = map["maximum"].flatMap { duration($0, "\(path).maximum") }
        guard let date, let maximum else { return nil }
        return Located(
            value: LifetimeStep(issuedFrom: date.value.firstSecond, maximum: maximum),
            span: date.span)
    }
}

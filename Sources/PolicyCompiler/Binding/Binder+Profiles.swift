internal import TrustEngine

// Profiles, and the fields that profiles and rules share (LANGUAGE section 8).
extension Binder {
    /// One profile.
    func bindProfile(_ id: Located<String>, _ entry: MapEntry) {
        let isDefined = define(id, in: .profiles)
        var profile = BoundProfile(id: id)
        if let map = section(
            entry.value, shape: PolicyFields.profile, name: id.value,
            example: entry.shape.example, path: "")
        {
            if let entry = map["extends"] {
                profile.parent = self.id(
                    entry.value, field: "extends", example: entry.shape.example)
            }
            if map.mayHold("extends") || (map["extends"] != nil && profile.parent == nil) {
                policy.incompleteReferences.insert(.profiles)
            }
            profile.fields = bindLayer(map, name: id.value, inProfile: true)
        } else {
            policy.incompleteReferences.insert(.profiles)
            profile.fields.isWhole = false
        }
        if isDefined { policy.profiles.append(profile) }
    }

    /// All that a rule or a profile writes as a layer.
    func bindLayer(_ map: MapContents, name: String, inProfile: Bool) -> BoundFields {
        let before = diagnostics.count
        var fields = bindFields(map)
        fields.isWhole = diagnostics.count == before && map.isReadable
        fields.reportOnly = bindReportOnly(
            map["report-only"], of: name, inProfile: inProfile)
        return fields
    }

    /// The fields of section 8 in a rule or a profile.
    func bindFields(_ map: MapContents) -> BoundFields {
        var fields = BoundFields()
        if let path = section(map["path"]) {
            add(&fields, path["maximum-intermediates"]) {
                integer($0, $1, in: 0...32)
            } make: {
                .maximumIntermediates($0)
            }
            if let entry = path["key-purposes"],
                let purposes = keyPurposes(entry, path: ProfileField.keyPurposes.rawValue)
            {
                append(&fields, entry, .keyPurposes(purposes))
            }
        }
        if let keys = section(map["keys"]) {
            if let entry = keys["types"], let set = keyTypes(entry, path: "keys.types") {
                append(&fields, entry, .keyTypes(set))
            }
            if let entry = keys["leaf-types"], let set = keyTypes(entry, path: "keys.leaf-types") {
                append(&fields, entry, .leafKeyTypes(set))
            }
            add(&fields, keys["rsa-minimum"]) {
                rsaMinimum($0, $1)
            } make: {
                .rsaMinimum($0)
            }
        }
        if let signatures = section(map["signatures"]) {
            add(&fields, signatures["minimum-hash"]) {
                minimumHash($0, $1)
            } make: {
                .minimumHash($0)
            }
            if let entry = signatures["schemes"], let set = schemes(entry) {
                append(&fields, entry, .signatureSchemes(set))
            }
        }
        if let validity = section(map["validity"]) {
            add(&fields, validity["clock-skew"]) {
                duration($0, $1, in: 0...86_400)
            } make: {
                .clockSkew($0)
            }
            add(&fields, validity["maximum-lifetime"]) {
                duration($0, $1, in: 1...DurationScanner.longest)
            } make: {
                .maximumLifetime($0)
            }
        }
        return fields
    }

    private func append(_ fields: inout BoundFields, _ entry: MapEntry, _ value: FieldValue) {
        fields.settings.append(
            BoundSetting(value: value, key: entry.key.span, span: entry.value.span))
    }

    /// Adds a field whose value is one scalar; `path` of the reader is its dotted path.
    private func add<Value>(
        _ fields: inout BoundFields, _ entry: MapEntry?,
        read: (MapEntry, String) -> Located<Value>?, make: (Value) -> FieldValue
    ) {
        guard let entry else { return }
        guard let field = ProfileField.allCases.first(where: { isPath($0.rawValue, of: entry) }),
            let value = read(entry, field.rawValue)
        else { return }
        append(&fields, entry, make(value.value))
    }

    /// Whether a dotted path ends in an entry's key. Every key of section 8's scalars is unique.
    private func isPath(_ path: String, of entry: MapEntry) -> Bool {
        path.split(separator: ".").last.map { $0 == entry.shape.name } ?? false
    }

    private func integer(
        _ entry: MapEntry, _ path: String, in range: ClosedRange<Int>
    ) -> Located<Int>? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            try IntegerScanner.scan(text, for: path, in: range)
        }
    }

    func duration(
        _ entry: MapEntry, _ path: String, in range: ClosedRange<Int64>
    ) -> Located<Int64>? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            try DurationScanner.scan(text, for: path, in: range)
        }
    }

    /// `keys.rsa-minimum`, with the waiver to write for less than the baseline.
    private func rsaMinimum(_ entry: MapEntry, _ path: String) -> Located<Int>? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            do throws(ScalarProblem) {
                return try IntegerScanner.scan(text, for: path, in: 2048...16_384)
            } catch {
                guard let bits = Int(text), (1024...2047).contains(bits) else { throw error }
                throw ScalarProblem(
                    error.code, error.message, range: error.range,
                    help: [self.waiverHelp("keys: { rsa-minimum: \(bits), reason, owner, until }")])
            }
        }
    }

    /// `signatures.minimum-hash`, with the waiver to write for SHA-1.
    private func minimumHash(_ entry: MapEntry, _ path: String) -> Located<SignatureHash>? {
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
        }
    }

    private func waiverHelp(_ waiver: String) -> String {
        "for a dated exception write `waivers: { \(waiver) }` in the rule"
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

    private func schemes(_ entry: MapEntry) -> SignatureSchemeSet? {
        let path = ProfileField.signatureSchemes.rawValue
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
}

internal import TrustEngine

// Profiles, and the fields that profiles and rules share (LANGUAGE section 8).
extension Binder {
    /// One profile.
    func bindProfile(_ id: Located<String>, _ entry: MapEntry) {
        let isDefined = define(id, in: .profiles)
        var profile = BoundProfile(id: id)
        if let map = section(
            entry.value, shape: PolicyFields.profile, name: id.value,
            example: entry.shape.example)
        {
            profile.fields = bindLayer(map, name: id.value, inProfile: true)
            if let entry = map["extends"] {
                profile.parent = self.id(
                    entry.value, field: "extends", example: entry.shape.example)
            }
            if map.mayHold("extends") || (map["extends"] != nil && profile.parent == nil) {
                policy.incompleteReferences.insert(.profiles)
                profile.fields.unread = Set(ProfileField.allCases)
            }
        } else {
            policy.incompleteReferences.insert(.profiles)
            profile.fields.unread = Set(ProfileField.allCases)
        }
        if isDefined { policy.profiles.append(profile) }
    }

    /// All that a rule or a profile writes as a layer.
    func bindLayer(_ map: MapContents, name: String, inProfile: Bool) -> BoundFields {
        var fields = bindFields(map)
        fields.reportOnly = bindReportOnly(
            map["report-only"], of: name, inProfile: inProfile)
        return fields
    }

    /// The fields of section 8 in a rule or a profile, in their order.
    func bindFields(_ map: MapContents) -> BoundFields {
        var fields = BoundFields()
        if let path = fieldSection("path", of: map, &fields) { bindPath(path, &fields) }
        if let keys = fieldSection("keys", of: map, &fields) { bindKeys(keys, &fields) }
        if let signatures = fieldSection("signatures", of: map, &fields) {
            bindSignatures(signatures, &fields)
        }
        if let validity = fieldSection("validity", of: map, &fields) {
            bindValidity(validity, &fields)
        }
        if let revocation = fieldSection("revocation", of: map, &fields) {
            bindRevocation(revocation, &fields)
        }
        if let transparency = fieldSection("transparency", of: map, &fields) {
            bindTransparency(transparency, &fields)
        }
        if let tls = fieldSection("tls", of: map, &fields) { bindTLS(tls, &fields) }
        if let entry = map["forbidden-keys"] { fields.forbiddenKeys = forbiddenKeys(entry) }
        bind(.checks, in: map, &fields, read: checkNames) { $0.checks = $1 }
        return fields
    }

    /// The map of a section, `keys`; where it cannot be read, its fields count as unread.
    func fieldSection(
        _ path: String, of map: MapContents, _ fields: inout BoundFields
    ) -> MapContents? {
        let name = ProfileField.lastPart(of: path)
        let entry = map[name]
        if let section = section(entry) { return section }
        if entry != nil || map.mayHold(name) {
            fields.unread.formUnion(
                ProfileField.allCases.filter { $0.rawValue.hasPrefix(path + ".") })
        }
        return nil
    }

    /// Adds a field that is written.
    ///
    /// - Parameters:
    ///   - read: the value of an entry, given with the field's dotted path; nil when that was reported.
    ///   - write: puts the value over what farther layers wrote.
    func bind<Value: Sendable>(
        _ field: ProfileField, in map: MapContents, _ fields: inout BoundFields,
        read: (MapEntry, String) -> Value?,
        write: @escaping @Sendable (inout Requirements, Value) -> Void
    ) {
        guard let entry = map[field.key] else {
            if map.mayHold(field.key) { fields.unread.insert(field) }
            return
        }
        guard let value = read(entry, field.rawValue) else {
            fields.unread.insert(field)
            return
        }
        fields.append(
            BoundSetting(field: field, key: entry.key.span, span: entry.value.span) {
                write(&$0, value)
            })
    }
}

// The values of fields.
extension Binder {
    func integer(_ entry: MapEntry, _ path: String, in range: ClosedRange<Int>) -> Int? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            try IntegerScanner.scan(text, for: path, in: range)
        }?.value
    }

    /// Seconds; by default one or more.
    func duration(
        _ entry: MapEntry, _ path: String,
        in range: ClosedRange<Int64> = 1...DurationScanner.longest
    ) -> Int64? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            try DurationScanner.scan(text, for: path, in: range)
        }?.value
    }

    /// One of the members of a closed set, by its word.
    func member<Value: CaseIterable & Sendable>(
        _ entry: MapEntry, _ path: String, of words: ClosedWords, named name: (Value) -> String
    ) -> Value? {
        word(entry.value, path: path, example: entry.shape.example, of: words) { text in
            Value.allCases.first { name($0) == text }
        }?.value
    }

    /// `required`, or not.
    func demand(_ entry: MapEntry, _ path: String) -> Bool? {
        word(entry.value, path: path, example: entry.shape.example, of: PolicyWords.demand) {
            $0 == "required"
        }?.value
    }

    /// `inhibited`, or not.
    func inhibition(_ entry: MapEntry, _ path: String) -> Bool? {
        word(entry.value, path: path, example: entry.shape.example, of: PolicyWords.permission) {
            $0 == "inhibited"
        }?.value
    }

    /// A list in which order is preference, so that an item has one place in it.
    func preferences(
        _ entry: MapEntry, _ path: String, item: (SyntaxNode) -> Located<String>?
    ) -> [String]? {
        let (bound, isWhole) = list(entry, path: path, item: item)
        var places: [String: SourceSpan] = [:]
        for item in bound.items {
            guard let first = places[item.value] else {
                places[item.value] = item.span
                continue
            }
            report(
                .unknownValue,
                "\(quoted(item.value)) stands twice in `\(path)`, where order is preference",
                at: item.span, labels: [Diagnostic.Label(first, "first here")],
                help: ["keep it where it belongs in the order"])
        }
        guard isWhole, !bound.items.isEmpty, places.count == bound.items.count else { return nil }
        return bound.items.map(\.value)
    }

    /// The waiver to write for a value below the baseline.
    func waiverHelp(_ waiver: String) -> String {
        "for a dated exception write `waivers: { \(waiver) }` in the rule"
    }
}

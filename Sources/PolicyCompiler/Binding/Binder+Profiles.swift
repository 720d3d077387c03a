internal import TrustEngine

// Profiles, and the fields that profiles and rules share (LANGUAGE section 8).
extension Binder {
    /// One profile.
    func bindProfile(_ id: Located<String>, _ entry: MapEntry, isDefined: Bool) {
        var fields = BoundFields.Draft()
        var parent: Located<String>?
        let map = section(
            entry.value, shape: PolicyFields.profile, name: id.value, example: entry.shape.example)
        if let map {
            fields = bindLayer(map, name: id.value, inProfile: true)
            if let entry = map["extends"] {
                parent = self.id(entry.value, field: "extends", example: entry.shape.example)
            }
        }
        let isUnread =
            map.map { $0.mayHold("extends") || ($0["extends"] != nil && parent == nil) } ?? true
        if isUnread {
            policy.incompleteReferences.insert(.profiles)
            fields.unread = Set(ProfileField.allCases)
        }
        if isDefined {
            policy.profiles.append(BoundProfile(id: id, parent: parent, fields: fields.bound))
        }
    }

    /// Reads everything that a rule or a profile writes as a layer.
    func bindLayer(_ map: MapContents, name: String, inProfile: Bool) -> BoundFields.Draft {
        var fields = bindFields(map)
        fields.reportOnly = bindReportOnly(
            map["report-only"], of: name, inProfile: inProfile)
        return fields
    }

    /// Reads the fields of LANGUAGE section 8 in a rule or a profile, in their order.
    func bindFields(_ map: MapContents) -> BoundFields.Draft {
        var fields = BoundFields.Draft()
        // Most rules write no field of their own.
        guard map.mayHoldFields else { return fields }
        var sections = [MapContents?](repeating: nil, count: FieldStep.sectionCount)
        sections[0] = map
        var next = 0
        while next < FieldStep.all.count {
            let step = FieldStep.all[next]
            next += 1
            switch step.action {
            case .open(let number, let end):
                sections[number] = sections[step.section].flatMap {
                    fieldSection(step.path, key: step.key, of: $0, &fields)
                }
                // Most sections are not written, and nothing in them is then.
                if sections[number] == nil { next = end }
            case .read(let field):
                guard let section = sections[step.section] else { continue }
                if field == .forbiddenKeys {
                    if let entry = section[step.key] { fields.forbiddenKeys = forbiddenKeys(entry) }
                } else {
                    bind(field, key: step.key, in: section, &fields)
                }
            }
        }
        return fields
    }

    /// The map of a section such as `keys`. If the map cannot be read, the fields of the section
    /// count as unread.
    private func fieldSection(
        _ path: String, key: String, of map: MapContents, _ fields: inout BoundFields.Draft
    ) -> MapContents? {
        let entry = map[key]
        if let section = section(entry) { return section }
        if entry != nil || map.mayHold(key) {
            fields.unread.formUnion(
                ProfileField.allCases.filter { $0.rawValue.hasPrefix(path + ".") })
        }
        return nil
    }

    /// Reads the field if it is written, and adds it.
    private func bind(
        _ field: ProfileField, key: String, in map: MapContents, _ fields: inout BoundFields.Draft
    ) {
        guard let entry = map[key] else {
            if map.mayHold(key) { fields.unread.insert(field) }
            return
        }
        bind(field, from: entry, &fields)
    }

    /// Reads the entry of a field, and adds the field.
    func bind(_ field: ProfileField, from entry: MapEntry, _ fields: inout BoundFields.Draft) {
        guard let value = value(of: field, entry, &fields), field.descriptor.admits(value) else {
            fields.unread.insert(field)
            return
        }
        fields.append(
            BoundSetting(
                field: field, key: entry.key.span, span: entry.value.span, value: value))
    }

    /// The value of an entry; nil if a problem with it was reported.
    private func value(
        of field: ProfileField, _ entry: MapEntry, _ fields: inout BoundFields.Draft
    ) -> FieldValue? {
        if let own = Binder.readers.first(where: { $0.field == field }) {
            return own.reader(self)(entry, field.rawValue)
        }
        let path = field.rawValue
        switch field.descriptor.kind {
        case .integer(let range): return integer(entry, path, in: range).map { .integer($0) }
        case .seconds(let range): return duration(entry, path, in: range).map { .seconds($0) }
        case .word(let words): return member(entry, path, of: words).map { .word($0) }
        case .words(let words):
            return members(entry, path, of: words).map { numbers in
                .words(numbers.reduce(0) { $0 | 1 << $1 })
            }
        case .ranking(let words):
            let names = preferences(entry, path) { node in
                word(node, path: path, example: entry.shape.example, of: words.closed) { $0 }
            }
            return names.map { .ranking($0.compactMap(words.number)) }
        case .purposes: return keyPurposes(entry, path: path).map { .purposes($0) }
        case .objectIdentifiers:
            return certificatePolicies(entry, path).map { .objectIdentifiers($0) }
        case .steps: return lifetimeSteps(entry, path).map { .steps($0) }
        case .digest: return logList(entry, path).map { .digest($0) }
        case .names:
            let (bound, isWhole) = list(entry, path: path) {
                id($0, field: path, example: entry.shape.example)
            }
            fields.ids[field] = bound.items
            guard isWhole, !bound.items.isEmpty else { return nil }
            return .names(Set(bound.items.map(\.value)).sorted())
        case .preferences: return applicationProtocols(entry, path).map { .preferences($0) }
        case .forbiddenKeys: return nil
        }
    }

    /// Reads the entry of a field under its dotted path. The reader returns nil if it reported a
    /// problem.
    typealias FieldReader = @Sendable (Binder) -> (MapEntry, String) -> FieldValue?

    /// Readers of fields whose messages say more than the messages of their kind: that a waiver
    /// exists, or that another tool uses the written name.
    private static let readers: [(field: ProfileField, reader: FieldReader)] = [
        (.rsaMinimum, rsaMinimum), (.minimumHash, minimumHash), (.tlsMinimumVersion, tlsVersion),
        (.tlsMaximumVersion, tlsVersion), (.revocationPreset, revocationPreset),
        (.tlsCipherSuites, cipherSuites), (.tlsGroups, groups),
        (.tlsSignatureSchemes, tlsSignatureSchemes), (.checks, checkNames),
    ]
}

/// One step in reading the fields of a rule or a profile. The steps are the same for all, so the
/// paths of the fields are taken apart once. A class, so that taking a step does not copy its
/// texts.
private final class FieldStep: Sendable {
    enum Action {
        /// Opens the section with a number. The steps before the step `end` are all inside that
        /// section.
        case open(Int, end: Int)
        /// Reads a field.
        case read(ProfileField)
    }

    let action: Action
    /// The path of the section or of the field.
    let path: String
    /// The last part of the path.
    let key: String
    /// The section in which the path stands. Sections are numbered in the order of their steps,
    /// from 1; 0 is the rule or profile itself.
    let section: Int

    private init(_ action: Action, _ path: String, in section: Int) {
        self.action = action
        self.path = path
        self.key = ProfileField.lastPart(of: path)
        self.section = section
    }

    /// The steps, in the order of `ProfileField`. A section is opened before its first field.
    static let all: [FieldStep] = {
        var sections = ["": 0]
        var steps: [FieldStep] = []
        let fields = ProfileField.allCases
        for (index, field) in fields.enumerated() {
            let section = field.section
            if sections[section] == nil {
                // A section stands in the profile itself, or in a section that was opened before.
                let outer = section.lastIndex(of: ".").map { String(section[..<$0]) } ?? ""
                guard let outerNumber = sections[outer] else {
                    preconditionFailure("the section `\(section)` comes before its own")
                }
                // The fields of the section, and the steps that open the sections inside it.
                let inside = fields[index...].map(\.section)
                    .prefix { $0 == section || $0.hasPrefix(section + ".") }
                let count = inside.count + Set(inside).count
                let end = steps.count + count
                steps.append(
                    FieldStep(.open(sections.count, end: end), section, in: outerNumber))
                sections[section] = sections.count
            }
            steps.append(
                FieldStep(.read(field), field.rawValue, in: sections[section, default: 0]))
        }
        return steps
    }()

    /// The number of sections, the rule or profile itself included.
    static let sectionCount =
        1
        + all.count { step in
            if case .open = step.action { return true }
            return false
        }
}

// The values of fields.
extension Binder {
    func integer(_ entry: MapEntry, _ path: String, in range: ClosedRange<Int>) -> Int? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            try IntegerScanner.scan(text, for: path, in: range)
        }?.value
    }

    /// Seconds; at least one unless `range` says otherwise.
    func duration(
        _ entry: MapEntry, _ path: String,
        in range: ClosedRange<Int64> = 1...DurationScanner.longest
    ) -> Int64? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            try DurationScanner.scan(text, for: path, in: range)
        }?.value
    }

    /// The number of a word.
    func member(_ entry: MapEntry, _ path: String, of words: FieldWords) -> Int? {
        word(
            entry.value, path: path, example: entry.shape.example, of: words.closed,
            words.number
        )?.value
    }

    /// The numbers of the words of a list, at least one. The list is a set, so its order does not
    /// matter.
    private func members(_ entry: MapEntry, _ path: String, of words: FieldWords) -> [Int]? {
        let (bound, isWhole) = list(entry, path: path) { node in
            word(
                node, path: path, example: entry.shape.example, of: words.closed, words.number)
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        return bound.items.map(\.value)
    }

    /// A list whose order is a preference. An item that stands in it twice is refused.
    func preferences(
        _ entry: MapEntry, _ path: String, item: (SyntaxNode) -> Located<String>?
    ) -> [String]? {
        let (bound, isWhole) = list(entry, path: path, item: item)
        var firstSpans: [String: SourceSpan] = [:]
        for item in bound.items {
            guard let first = firstSpans[item.value] else {
                firstSpans[item.value] = item.span
                continue
            }
            report(
                .unknownValue,
                "\(quoted(item.value)) stands twice in `\(path)`, where order is preference",
                at: item.span, labels: [Diagnostic.Label(first, "first here")],
                help: ["keep it where it belongs in the order"])
        }
        guard isWhole, !bound.items.isEmpty, firstSpans.count == bound.items.count else {
            return nil
        }
        return bound.items.map(\.value)
    }

    /// Help text with the waiver to write for a value below the baseline.
    func waiverHelp(_ waiver: String) -> String {
        "for a dated exception write `waivers: { \(waiver) }` in the rule"
    }
}

extension FieldWords {
    /// The field's words with the noun that messages use for them.
    var closed: ClosedWords { PolicyWords.all[definition] ?? ClosedWords(definition, []) }
}

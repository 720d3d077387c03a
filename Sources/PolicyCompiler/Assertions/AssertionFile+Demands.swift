internal import TrustEngine

// The demands of an assertion (`grammar/assert.md`).
extension AssertionReader {
    // MARK: `at-least`

    /// The fields, anchors and pins of `at-least`; nil if a part of it could not be read.
    func atLeast(_ entry: MapEntry) -> AssertedFloor? {
        guard let map = binder.section(entry) else { return nil }
        var places: [String: SourceSpan] = [:]
        for shape in AssertionFields.atLeast.keys {
            if let value = map[shape.name]?.value { places[shape.name] = value.span }
        }
        let errors = binder.diagnostics.count
        let anchors = anchors(map["anchors"])
        let bindsPins = bindsPins(map["pins"])
        let fields = binder.bindDotted(map)
        for setting in fields.settings where setting.field.decidesNothing {
            binder.report(
                .unknownValue,
                "`\(setting.field.rawValue)` changes no verdict, so no value of it demands more "
                    + "than another",
                at: setting.key, help: ["leave it out"])
        }
        refuseUnknownSets(fields)
        guard
            !binder.diagnostics[errors...].contains(where: { $0.severity == .error }),
            fields.unread.isEmpty, !places.isEmpty
        else { return nil }
        let keys = fields.forbiddenKeys.compactMap(\.key)
        guard keys.count == fields.forbiddenKeys.count else { return nil }
        return AssertedFloor(
            settings: fields.settings, forbiddenKeys: keys, anchors: anchors,
            bindsPins: bindsPins, logLists: binder.readLogLists, places: places)
    }

    private func refuseUnknownSets(_ fields: BoundFields) {
        for id in fields.ids[.transparencyExemptAnchors] ?? [] { _ = lookUp(id, in: .anchors) }
    }

    private func bindsPins(_ entry: MapEntry?) -> Bool {
        guard let entry else { return false }
        return isWord(
            "bound", entry, of: "`pins` of `at-least`",
            help: "`bound`: every accepted path matches a pin set that is enforced") != nil
    }

    private func anchors(_ entry: MapEntry?) -> AssertedFloor.Anchors? {
        guard let entry else { return nil }
        if entry.value.kind == .scalar {
            if entry.value.text == "no-system" { return .noSystem }
            binder.report(
                .wrongType,
                "`anchors` takes `no-system`, or a list of anchor sets beyond which nothing is "
                    + "trusted; found \(binder.found(entry.value))"
                    + DidYouMean.question(for: entry.value.text, among: ["no-system"]),
                at: entry.value.span, help: ["for example `\(entry.shape.example)`"])
            return nil
        }
        let (bound, isWhole) = binder.list(entry, path: "anchors") {
            binder.id($0, field: "anchors", example: "anchors: [corp]")
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        let ids = bound.items.filter { lookUp($0, in: .anchors) }
        guard ids.count == bound.items.count else { return nil }
        if let pinned = ids.first(where: { $0.value == AnchorSetContents.pinnedKeysID }) {
            guard ids.count == 1 else {
                binder.report(
                    .flagConflict,
                    "`\(AnchorSetContents.pinnedKeysID)` stands alone: a rule that trusts its "
                        + "pinned keys trusts no anchor set",
                    at: pinned.span, help: ["make them two assertions"])
                return nil
            }
            return .pinnedKeys
        }
        return .sets(Set(ids.map(\.value)).sorted())
    }

    // MARK: One word

    /// The only word that a key takes; nil if another value was reported.
    private func isWord(
        _ word: String, _ entry: MapEntry, of noun: String, help: String
    ) -> Located<Void>? {
        binder.scan(entry, path: entry.shape.name) { text throws(ScalarProblem) in
            guard text == word else {
                throw ScalarProblem(
                    .unknownValue,
                    "\(ScalarProblem.quote(text)) is not what \(noun) takes"
                        + DidYouMean.question(for: text, among: [word])
                        + (DidYouMean.near(text, among: [word]).isEmpty
                            ? "; allowed: \(word)" : ""),
                    help: [help])
            }
        }
    }

    /// `identity: host`; nil if another value was reported.
    func identity(_ entry: MapEntry) -> Located<Void>? {
        isWord(
            "host", entry, of: "`identity` of an assertion",
            help: "`host`: every accepted certificate is for the requested host")
    }

    /// `decision: deny`; nil if another value was reported.
    func decision(_ entry: MapEntry) -> Located<Void>? {
        isWord(
            "deny", entry, of: "`decision` of an assertion",
            help: "`deny`: nothing is accepted; what may be accepted is said by the other demands")
    }

    // MARK: `exceptions`

    /// `none`, or the exceptions that may be in force; nil if a part of them could not be read.
    func exceptions(_ entry: MapEntry) -> AllowedExceptions? {
        let example = "exceptions: { waivers.tls: 2027-01-31 }"
        guard entry.value.kind == .map else {
            if entry.value.kind == .scalar, entry.value.text == "none" {
                return AllowedExceptions([:])
            }
            if entry.value.kind != .error {
                binder.report(
                    .wrongType,
                    "`exceptions` takes `none`, or a map of the exceptions that may be in force, "
                        + "each with its last day; found \(binder.found(entry.value))"
                        + DidYouMean.question(for: entry.value.text, among: ["none"]),
                    at: entry.value.span, help: ["for example `\(example)`"])
            }
            return nil
        }
        var last: [String: UTCInstant] = [:]
        for (key, value) in entry.value.entries {
            guard isException(key) else { continue }
            binder.noteUnread(
                value, key: key, example: "\(key.text): 2027-01-31", isRequired: true)
            let date = binder.scan(
                value, path: key.text, example: "\(key.text): 2027-01-31", DateScanner.scan)
            last[key.text] = date?.value.lastSecond
        }
        return last.count == entry.value.entries.count ? AllowedExceptions(last) : nil
    }

    /// Whether a key names an exception. Reports a key that does not.
    private func isException(_ key: SyntaxNode) -> Bool {
        guard key.kind == .scalar else { return false }
        let modes = "report-only."
        let checks = ReportOnly.Check.builtIn.map(\.name) + ["all"]
        let names =
            PolicyFields.waivers.keys.map { "waivers.\($0.name)" } + checks.map { modes + $0 }
            + [AllowedExceptions.onExpiry]
        if names.contains(key.text) { return true }
        // The name of a check that the program registers is any id, but for a misspelt one.
        let check = String(key.text.dropFirst(modes.count))
        if key.text.hasPrefix(modes), isID(check), DidYouMean.near(check, among: checks).isEmpty {
            return true
        }
        binder.report(
            .unknownKey,
            "\(ScalarProblem.quote(key.text)) is not an exception"
                + DidYouMean.question(for: key.text, among: names), at: key.span,
            help: [
                "the exceptions are \(binder.listed(names)), and `\(modes)NAME` for a check that the "
                    + "program registers"
            ])
        return false
    }

    private func isID(_ text: String) -> Bool {
        do throws(ScalarProblem) {
            _ = try IDScanner.scan(text, style: .plain)
            return true
        } catch {
            return false
        }
    }

    // MARK: `no-weaker-than`

    /// What hosts are compared with; nil if it could not be read or does not exist.
    func noWeakerThan(_ entry: MapEntry) -> AssertedComparison? {
        if entry.value.kind == .scalar {
            if entry.value.text == "default" {
                return .byDefault(entry.value.span)
            }
            binder.report(
                .wrongType,
                "`no-weaker-than` takes `default`, or a map with `profile`, `rule` or `unit`; found "
                    + binder.found(entry.value)
                    + DidYouMean.question(for: entry.value.text, among: ["default"]),
                at: entry.value.span, help: ["for example `\(entry.shape.example)`"])
            return nil
        }
        let shape = AssertionFields.comparison
        guard
            let map = binder.section(
                entry.value, shape: shape, name: entry.shape.name, example: entry.shape.example)
        else { return nil }
        let ways = shape.keys.map(\.name)
        let written = ways.compactMap { map[$0] }.sorted { $0.key.span.start < $1.key.span.start }
        guard let first = written.first else {
            if !ways.contains(where: { map.mayHold($0) }) {
                binder.report(
                    .missingKey, "`no-weaker-than` names nothing to compare with",
                    at: entry.key.span, help: ["it has one of \(binder.listed(ways))"])
            }
            return nil
        }
        guard written.count == 1 else {
            binder.report(
                .flagConflict,
                "`no-weaker-than` names \(written.count) things to compare with; it has one of "
                    + binder.listed(ways),
                at: written[1].key.span, labels: [Diagnostic.Label(first.key.span, "and here")],
                help: ["make them two assertions"])
            return nil
        }
        return comparison(first)
    }

    private func comparison(_ entry: MapEntry) -> AssertedComparison? {
        let name = entry.shape.name
        if name == "unit" {
            let path = binder.scan(entry, path: name) { text throws(ScalarProblem) in
                try UnitPathScanner.scan(text)
            }
            return path.map { .unit($0) }
        }
        let isProfile = name == "profile"
        guard let id = binder.id(entry.value, field: name, example: entry.shape.example),
            lookUp(id, in: isProfile ? .profiles : .rules)
        else { return nil }
        return isProfile ? profile(id) : .rule(id)
    }

    private func profile(_ id: Located<String>) -> AssertedComparison {
        if let builtIn = BuiltInProfile(rawValue: id.value) {
            return .profile(id, builtIn.requirements, reportOnly: [], [])
        }
        guard let policy, let own = FlattenedProfile(id.value, of: policy) else {
            return .profile(id, .baseline, reportOnly: [], [])
        }
        let list = own.requirements.transparency.logList.flatMap { digest in
            policy.bound.logLists[digest].map { LogListContents(digest: digest, bytes: $0) }
        }
        return .profile(
            id, own.requirements, reportOnly: own.reportOnly, [list].compactMap { $0 })
    }

    // MARK: Keys

    /// The keys that an entry names; nil if a problem was reported.
    func keys(_ entry: MapEntry) -> AssertedKeys? {
        guard let map = binder.section(entry) else { return nil }
        let owner = Located(value: entry.shape.name, span: entry.key.span)
        guard let match = binder.keyMatch(map, of: owner) else { return nil }
        guard let way = AssertionFields.keyMatch.keys.lazy.compactMap({ map[$0.name] }).first
        else { return nil }
        // A certificate that is not trusted does not say that its key is not.
        let isKey = way.shape.name.hasPrefix("spki")
        return AssertedKeys(
            identities: match.keys.map { key in
                isKey ? key.filter { $0.kind == .spki } : key
            }, ofOtherEncodings: match.ofOtherEncodings,
            text: "\(way.shape.name): \(way.value.text)", place: entry.value.span)
    }

    // MARK: Names

    /// Whether the policy defines a name, or the language does. Reports a name that neither
    /// defines.
    private func lookUp(_ id: Located<String>, in namespace: Namespace) -> Bool {
        guard let policy else { return true }
        let bound = policy.bound
        let defined: [String]
        switch namespace {
        case .anchors: defined = bound.anchorSets.map(\.id.value)
        case .pins: defined = bound.pinSets.map(\.id.value)
        case .profiles: defined = bound.profiles.map(\.id.value)
        case .rules: defined = bound.rules.map(\.id.value)
        }
        let names = defined + namespace.builtIn
        if names.contains(id.value) { return true }
        let question = DidYouMean.question(for: id.value, among: names)
        binder.report(
            .danglingReference,
            "no \(namespace.noun) is called `\(id.value)`\(question)", at: id.span,
            help: question.isEmpty && !names.isEmpty
                ? ["defined are \(binder.listed(Array(names.sorted().prefix(20))))"] : [])
        return false
    }
}

extension Binder {
    /// Reads the fields of LANGUAGE section 8 by their dotted paths, all in one map.
    func bindDotted(_ map: MapContents) -> BoundFields {
        var fields = BoundFields.Draft()
        for field in ProfileField.allCases {
            guard let entry = map[field.rawValue] else {
                if map.mayHold(field.rawValue) { fields.unread.insert(field) }
                continue
            }
            if field == .forbiddenKeys {
                fields.forbiddenKeys = forbiddenKeys(entry)
            } else {
                bind(field, from: entry, &fields)
            }
        }
        return fields.bound
    }

    /// The log lists that were read.
    var readLogLists: [LogListContents] {
        policy.logLists.map { LogListContents(digest: $0.key, bytes: $0.value) }
            .sorted { $0.digest.bytes.lexicographicallyPrecedes($1.digest.bytes) }
    }
}

internal import TrustEngine

// Pin sets (LANGUAGE section 6).
extension Binder {
    func bindPinSet(_ id: Located<String>, _ entry: MapEntry, isDefined: Bool) {
        let map = section(
            entry.value, shape: PolicyFields.pinSet, name: id.value,
            example: entry.shape.example)
        let set = map.map { pinSet(id, $0) } ?? BoundPinSet(id: id, isComplete: false)
        if isDefined { policy.pinSets.append(set) }
    }

    private func pinSet(_ id: Located<String>, _ map: MapContents) -> BoundPinSet {
        requireKeys(
            ["keys", "backups"], in: map, of: "`\(id.value)`", at: id.span,
            shape: PolicyFields.pinSet)
        var ids: [String: SourceSpan] = [:]
        var isComplete = map["keys"] != nil && map["backups"] != nil
        let keys = pins(map["keys"], &ids, &isComplete)
        let backups = pins(map["backups"], &ids, &isComplete)
        let match = map["match"].flatMap { self.match($0) }
        let warnFrom = date(map["warn-from"], path: "warn-from")
            .map { Located(value: $0.value.firstSecond, span: $0.span) }
        let enforceUntil = date(map["enforce-until"], path: "enforce-until")
            .map { Located(value: $0.value.lastSecond, span: $0.span) }
        let onExpiry = map["on-expiry"].flatMap { entry in
            word(
                entry.value, path: "on-expiry", example: entry.shape.example,
                of: PolicyWords.pinExpiry
            ) { text in
                switch text {
                case "fail": return PinSetContents.OnExpiry.fail
                case "report": return .report
                case "unpinned": return .unpinned
                default: return nil
                }
            }
        }
        return BoundPinSet(
            id: id, keys: keys, backups: backups, isComplete: isComplete, match: match,
            warnFrom: warnFrom, enforceUntil: enforceUntil,
            mayHaveEnd: map["enforce-until"] != nil || map.mayHold("enforce-until"),
            onExpiry: onExpiry, owner: text(map["owner"], path: "owner"),
            note: text(map["note"], path: "note"))
    }

    /// Reads `keys` or `backups`. An id names one entry in both maps of a set, so that `explain`
    /// can refer to an entry by its id.
    private func pins(
        _ entry: MapEntry?, _ ids: inout [String: SourceSpan], _ isComplete: inout Bool
    ) -> [BoundPin] {
        guard let entry,
            requireMap(entry.value, for: entry.shape.name, example: entry.shape.example)
        else {
            isComplete = false
            return []
        }
        var pins: [BoundPin] = []
        for (key, value) in entry.value.entries {
            guard let id = id(key) else {
                isComplete = false
                continue
            }
            if let first = ids[id.value] {
                report(
                    .duplicateId, "`\(id.value)` names two entries of one pin set", at: id.span,
                    labels: [Diagnostic.Label(first, "first named here")],
                    help: ["a key is in service or a backup; to promote one, move its line"])
                isComplete = false
                continue
            }
            ids[id.value] = id.span
            if let pin = pin(id, value) { pins.append(pin) } else { isComplete = false }
        }
        return pins
    }

    /// One entry: its key match, the position on the path (`at`), and its note.
    private func pin(_ id: Located<String>, _ node: SyntaxNode) -> BoundPin? {
        guard
            let map = section(
                node, shape: PolicyFields.pin, name: id.value,
                example: "\(id.value): { spki-file: pins/\(id.value).pem }")
        else { return nil }
        let note = text(map["note"], path: "note")
        var position = PinPosition.any
        if let entry = map["at"] {
            let word = word(
                entry.value, path: "at", example: entry.shape.example, of: PolicyWords.pinPosition
            ) { text in
                PinPosition.allCases.first { $0.name == text }
            }
            guard let word else {
                _ = keyMatch(map, of: id, isPin: true)
                return nil
            }
            position = word.value
        }
        guard let key = keyMatch(map, of: id, isPin: true) else { return nil }
        return BoundPin(id: id, key: key, position: position, note: note)
    }

    /// `match`: a word, or an integer of at least 2.
    private func match(_ entry: MapEntry) -> Located<BoundPinSet.Match>? {
        scan(entry, path: "match") { text throws(ScalarProblem) in
            switch text {
            case "any": return .any
            case "all": return .all
            case "1":
                throw ScalarProblem(
                    .unknownValue, "`match` takes `any`, `all` or a number from 2; found 1",
                    help: ["one entry is enough: `match: any`"])
            default:
                guard let first = text.utf8.first, (0x30...0x39).contains(first) else {
                    throw ScalarProblem(
                        .unknownValue,
                        "\(self.quoted(text)) is not what `match` takes: `any`, `all` or a number "
                            + "from 2"
                            + self.question(PolicyWords.pinMatch.proposal(for: text)))
                }
                return .count(try IntegerScanner.scan(text, for: "match", in: 2...Int(Int32.max)))
            }
        }
    }
}

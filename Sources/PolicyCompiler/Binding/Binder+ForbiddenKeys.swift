internal import TrustEngine

// `forbidden-keys` and `checks` (LANGUAGE section 8).
extension Binder {
    /// The entries of `forbidden-keys`. An entry that could not be read is kept with its id and no
    /// key.
    func forbiddenKeys(_ entry: MapEntry) -> [BoundForbiddenKey] {
        guard requireMap(entry.value, for: entry.shape.name, example: entry.shape.example) else {
            return []
        }
        return entry.value.entries.compactMap { key, value in
            id(key).map { forbiddenKey($0, value) }
        }
    }

    private func forbiddenKey(_ id: Located<String>, _ node: SyntaxNode) -> BoundForbiddenKey {
        var bound = BoundForbiddenKey(id: id, span: id.span)
        guard
            let map = section(
                node, shape: PolicyFields.forbiddenKey, name: id.value,
                example: "\(id.value): { spki-file: stolen/\(id.value).pem }")
        else { return bound }
        let match = keyMatch(map, of: id)
        let window = window(map["not-before"], path: "not-before")
        guard let match, !map.mayHold("not-before"), (map["not-before"] == nil) == (window == nil)
        else { return bound }
        bound.span = match.span
        bound.isByDigest = match.isByDigest
        bound.key = ForbiddenKey(
            id: id.value, matches: match.matches, notBefore: window?.value)
        return bound
    }

    /// The names of checks that the program registers, sorted, each once.
    func checkNames(_ entry: MapEntry, _ path: String) -> FieldValue? {
        let (bound, isWhole) = list(entry, path: path) { node -> Located<String>? in
            guard let name = id(node, field: path, example: entry.shape.example) else { return nil }
            guard name.value == "all" || ReportOnly.Check(name: name.value).isBuiltIn else {
                return name
            }
            report(
                .badId,
                "`\(name.value)` means something else under `report-only`, so no check of a program "
                    + "has that name",
                at: name.span, help: ["register it under another name"])
            return nil
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        return .names(Set(bound.items.map(\.value)).sorted())
    }
}

extension ReportOnly.Check {
    /// Whether the name is a check of the language, which a program cannot register.
    fileprivate var isBuiltIn: Bool { ReportOnly.Check.builtIn.contains(self) }
}

internal import TrustEngine

// `report-only` (LANGUAGE section 9).
extension Binder {
    /// The entries of `report-only` of a rule or a profile, in source order.
    func bindReportOnly(
        _ entry: MapEntry?, of name: String, inProfile: Bool
    ) -> [BoundReportOnly] {
        guard let entry,
            requireMap(entry.value, for: entry.shape.name, example: entry.shape.example)
        else { return [] }
        var bound: [BoundReportOnly] = []
        for (key, value) in entry.value.entries {
            guard let id = id(key, field: "report-only", example: "pins") else { continue }
            if inProfile, ["pins", "all"].contains(id.value) {
                report(
                    .unknownKey,
                    "`\(id.value)` cannot stand in the `report-only` of a profile: pins are a rule's "
                        + "own, so `\(name)` would weaken pins that it does not show",
                    at: id.span, help: ["write it in the rules that want it"])
                continue
            }
            bound.append(reportOnly(id, value, of: name))
        }
        if let all = bound.first(where: { $0.check == nil }),
            let other = bound.first(where: { $0.check != nil })
        {
            report(
                .flagConflict,
                "`all` stands for every check of `\(name)`, so nothing stands beside it",
                at: all.key, labels: [Diagnostic.Label(other.key, "stands beside it")],
                help: ["keep `all`, or name the checks one by one"])
        }
        return bound
    }

    /// One entry. It is kept with its key even if a part of it is missing.
    private func reportOnly(
        _ id: Located<String>, _ value: SyntaxNode, of name: String
    ) -> BoundReportOnly {
        let check = id.value == "all" ? nil : ReportOnly.Check(name: id.value)
        var bound = BoundReportOnly(check: check, key: id.span)
        let path = "report-only.\(id.value)"
        let shape = PolicyFields.reportOnlyEntry
        guard
            let map = section(
                value, shape: shape, name: path, example: "\(id.value): { until: 2027-02-28 }")
        else { return bound }
        if map["until"] == nil, !map.mayHold("until") {
            report(
                .exceptionOpenEnded,
                "report-only `\(id.value)` of `\(name)` never ends, and \(bound.effect) while it lasts",
                at: id.span, help: ["add `until: YYYY-MM-DD`"])
        }
        let until = date(map["until"], path: "\(path).until")
        bound.until = until?.value.lastSecond
        bound.note = text(map["note"], path: "\(path).note")?.value
        return bound
    }
}

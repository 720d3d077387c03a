/// Writes the findings of a document as SARIF 2.1.0 (OASIS, 2020). Paths are relative to one
/// folder, and each result has the fingerprint of its finding.
package enum SARIFWriter {
    /// The whole document, with a line end at its end.
    package static func write(_ document: Document) -> String {
        let findings = document.findings
        let rules = findings.rules.map(rule)
        let invocation: JSONValue?
        switch findings.run {
        case .failed(let reason):
            return SARIFDocument(version: document.version, rules: rules, failure: reason).render()
        case .unstated: invocation = nil
        case .succeeded(let facts):
            invocation = .object([
                ("executionSuccessful", .bool(true)),
                ("properties", facts.isEmpty ? nil : .object(facts)),
            ])
        }
        var numbers: [String: Int] = [:]
        for (index, rule) in findings.rules.enumerated() { numbers[rule.id] = index }
        // If any result has suppressions, all state theirs (section 3.27.23).
        let statesSuppressions = findings.results.contains { $0.suppression != nil }
        let results = findings.results.map { result($0, numbers, statesSuppressions) }
        return SARIFDocument(
            version: document.version, rules: rules, invocation: invocation, results: results
        ).render()
    }

    private static func rule(_ rule: FindingRule) -> JSONValue {
        .object([
            ("id", .string(rule.id)), ("name", .optional(rule.name)),
            ("shortDescription", SARIFDocument.text(rule.title)),
            ("fullDescription", SARIFDocument.text(rule.explanation)),
            ("help", SARIFDocument.text(rule.help)),
            ("defaultConfiguration", .object([("level", .string(rule.level.rawValue))])),
            ("properties", rule.isSecurity ? rule.level.securityProperties : nil),
        ])
    }

    private static func result(
        _ finding: Finding, _ rules: [String: Int], _ statesSuppressions: Bool
    ) -> JSONValue {
        let names = finding.names.map {
            JSONValue.object([("fullyQualifiedName", .string($0))])
        }
        let logical: JSONValue? = names.isEmpty ? nil : .array(names)
        let first: JSONValue? =
            finding.places.first.map { location($0, logical) }
            ?? logical.map { .object([("logicalLocations", $0)]) }
        let locations: [JSONValue]? = first.map { [$0] } ?? (finding.statesNoPlace ? [] : nil)
        let places = finding.places.dropFirst()
        let related = places.prefix(mostPlaces).map { location($0, nil) }
        let lines = finding.lines + Cut.others(places.count - mostPlaces, after: " related places")
        return .object([
            ("ruleId", .string(finding.rule)),
            ("ruleIndex", rules[finding.rule].map { .integer($0) }),
            ("level", .string(finding.level.rawValue)),
            ("message", SARIFDocument.message(lines.joined(separator: "\n"))),
            ("locations", locations.map { .array($0) }),
            ("relatedLocations", related.isEmpty ? nil : .array(related)),
            (
                "partialFingerprints",
                finding.fingerprint.map { .object([($0.key, .string($0.value))]) }
            ), ("suppressions", statesSuppressions ? suppressions(finding.suppression) : nil),
            ("fixes", finding.fixes.isEmpty ? nil : .array(finding.fixes.map(fix))),
        ])
    }

    private static func suppressions(_ suppression: Finding.Suppression?) -> JSONValue {
        .array(
            suppression.map {
                [
                    .object([
                        ("kind", .string($0.isInSource ? "inSource" : "external")),
                        ("justification", .string($0.reason)),
                    ])
                ]
            } ?? [])
    }

    /// The most related places of a result. The message counts the others.
    private static let mostPlaces = 20

    private static func location(_ place: FindingPlace, _ logical: JSONValue?) -> JSONValue {
        .object([
            (
                "physicalLocation",
                .object([
                    ("artifactLocation", SARIFDocument.artifact(place.file)),
                    ("region", region(place, isNeverEmpty: true)),
                ])
            ), ("message", place.text.isEmpty ? nil : SARIFDocument.message(place.text)),
            ("logicalLocations", logical),
        ])
    }

    /// - Parameter isNeverEmpty: whether an empty place is the character after it. Code scanning
    ///   shows no empty region.
    private static func region(_ place: FindingPlace, isNeverEmpty: Bool) -> JSONValue {
        let isEmpty = place.end == FindingPlace.End(line: place.line, column: place.column)
        return .object([
            ("startLine", .integer(place.line)), ("startColumn", .integer(place.column)),
            ("endLine", place.end.map { .integer($0.line) }),
            (
                "endColumn",
                place.end.map { .integer($0.column + (isEmpty && isNeverEmpty ? 1 : 0)) }
            ),
        ])
    }

    private static func fix(_ fix: Finding.Fix) -> JSONValue {
        var files: [String] = []
        for edit in fix.edits where !files.contains(edit.place.file) {
            files.append(edit.place.file)
        }
        let changes = files.map { file -> JSONValue in
            let replacements = fix.edits.filter { $0.place.file == file }.map { edit in
                JSONValue.object([
                    ("deletedRegion", region(edit.place, isNeverEmpty: false)),
                    ("insertedContent", .object([("text", .string(edit.text))])),
                ])
            }
            return .object([
                ("artifactLocation", SARIFDocument.artifact(file)),
                ("replacements", .array(replacements)),
            ])
        }
        return .object([
            ("description", SARIFDocument.text(fix.title)), ("artifactChanges", .array(changes)),
        ])
    }
}

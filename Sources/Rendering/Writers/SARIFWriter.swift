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
                "executionSuccessful": true,
                "properties": facts.isEmpty ? nil : JSONValue.object(facts),
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
            "id": rule.id, "name": rule.name, "shortDescription": SARIFDocument.text(rule.title),
            "fullDescription": SARIFDocument.text(rule.explanation),
            "help": SARIFDocument.text(rule.help),
            "defaultConfiguration": JSONValue.object(["level": rule.level.rawValue]),
            "properties": rule.isSecurity ? rule.level.securityProperties : nil,
        ])
    }

    private static func result(
        _ finding: Finding, _ rules: [String: Int], _ statesSuppressions: Bool
    ) -> JSONValue {
        let names = finding.names.map {
            JSONValue.object(["fullyQualifiedName": $0])
        }
        let logical: JSONValue? = names.isEmpty ? nil : .array(names)
        let first: JSONValue? =
            finding.places.first.map { location($0, logical) }
            ?? logical.map { JSONValue.object(["logicalLocations": $0]) }
        let locations: [JSONValue]? = first.map { [$0] } ?? (finding.statesNoPlace ? [] : nil)
        let places = finding.places.dropFirst()
        let related = places.prefix(mostPlaces).map { location($0, nil) }
        let lines = finding.lines + Cut.others(places.count - mostPlaces, after: " related places")
        return .object([
            "ruleId": finding.rule, "ruleIndex": rules[finding.rule],
            "level": finding.level.rawValue,
            "message": SARIFDocument.message(lines.joined(separator: "\n")),
            "locations": locations,
            "relatedLocations": related.isEmpty ? nil : related,
            "partialFingerprints": finding.fingerprint.map {
                JSONValue.object([$0.key: $0.value])
            }, "suppressions": statesSuppressions ? suppressions(finding.suppression) : nil,
            "fixes": finding.fixes.isEmpty ? nil : finding.fixes.map(fix),
        ])
    }

    private static func suppressions(_ suppression: Finding.Suppression?) -> JSONValue {
        .array(
            suppression.map {
                [
                    .object([
                        "kind": $0.isInSource ? "inSource" : "external", "justification": $0.reason,
                    ])
                ]
            } ?? [])
    }

    /// The most related places of a result. The message counts the others.
    private static let mostPlaces = 20

    private static func location(_ place: FindingPlace, _ logical: JSONValue?) -> JSONValue {
        .object([
            "physicalLocation": JSONValue.object([
                "artifactLocation": SARIFDocument.artifact(place.file),
                "region": region(place, isNeverEmpty: true),
            ]), "message": place.text.isEmpty ? nil : SARIFDocument.message(place.text),
            "logicalLocations": logical,
        ])
    }

    /// - Parameter isNeverEmpty: whether an empty place is the character after it. Code scanning
    ///   shows no empty region.
    private static func region(_ place: FindingPlace, isNeverEmpty: Bool) -> JSONValue {
        let isEmpty = place.end == FindingPlace.End(line: place.line, column: place.column)
        return .object([
            "startLine": place.line, "startColumn": place.column, "endLine": place.end?.line,
            "endColumn": place.end.map {
                JSONValue.integer($0.column + (isEmpty && isNeverEmpty ? 1 : 0))
            },
        ])
    }

    private static func fix(_ fix: Finding.Fix) -> JSONValue {
        let changes = fix.edits.map(\.place.file).unrepeated.map { file -> JSONValue in
            let replacements = fix.edits.filter { $0.place.file == file }.map { edit in
                JSONValue.object([
                    "deletedRegion": region(edit.place, isNeverEmpty: false),
                    "insertedContent": JSONValue.object(["text": edit.text]),
                ])
            }
            return .object([
                "artifactLocation": SARIFDocument.artifact(file), "replacements": replacements,
            ])
        }
        return .object(["description": SARIFDocument.text(fix.title), "artifactChanges": changes])
    }
}

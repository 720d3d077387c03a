package import PolicyReading
import TrustEngine

/// Explains why a rule does not decide a host, as a document and as JSON.
package enum WhyNotDocument {
    /// The document of an answer. `assumptions` are the values that the caller assumed; `commands`
    /// are commands that the reader can run next.
    package static func document(
        _ answer: WhyNot, assumptions: [String] = [], commands: [String] = [], version: String
    ) -> Document {
        var document = Document(kind: "explain", version: version)
        document.wrapping = .columns
        document.headline = Headline(headline(answer))
        document.blocks = [.line(DocumentText(headline(answer)), room: .screen)]
        document.blocks += assumptions.map { .line(DocumentText($0), indent: 2) }
        var page = Tree()
        for pattern in answer.patterns.prefix(4) {
            let section = answer.clause == nil ? "§11.3" : "§11.4"
            let place = pattern.location.map { "\($0.description), " } ?? ""
            page.node(label(answer), words(pattern, answer), "\(place)LANGUAGE \(section)")
        }
        if answer.patterns.count > 4 {
            page.node(label(answer), Cut.more(answer.patterns.count - 4), nil)
        }
        if answer.outcome != .decides {
            page.node("decides", winner(answer.winner), answer.winner.location?.description)
        }
        if !answer.repairs.isEmpty || !commands.isEmpty {
            page.node(answer.repairs.isEmpty ? "next" : "what would change it", "", nil)
            for repair in answer.repairs { page.child("-", repair, nil) }
            for command in commands { page.command(command, .needed) }
        }
        page.node("policy", answer.policyDigest.text, nil)
        document.blocks.append(.tree(page))
        return document
    }

    /// The JSON of an answer by `grammar/why-not.schema.json`, ended by a line feed.
    package static func renderJSON(_ answer: WhyNot, assumptions: [String] = []) -> String {
        let patterns = answer.patterns.map { pattern -> JSONValue in
            .object([
                "pattern": pattern.text, "location": JSONValue.location(pattern.location),
                "difference": pattern.difference.map(difference) ?? .null,
            ])
        }
        let winner = answer.winner
        return JSONValue.object([
            "schema": "hawser/why-not/1", "host": answer.host.text, "port": answer.port,
            "policyDigest": answer.policyDigest.text, "assumptions": assumptions,
            "rule": answer.rule, "location": JSONValue.location(answer.ruleLocation),
            "outcome": answer.outcome.rawValue, "clause": answer.clause?.rawValue.json ?? .null,
            "patterns": patterns,
            "decides": JSONValue.object([
                "rule": winner.rule, "denied": winner.isDenied,
                "pattern": winner.pattern?.canonicalText.json ?? .null,
                "location": JSONValue.location(winner.location),
            ]), "repairs": answer.repairs,
        ]).render(pretty: true) + "\n"
    }

    // MARK: Words

    private static func headline(_ answer: WhyNot) -> String {
        let host = answer.host.text(port: answer.port)
        let rule = answer.rule.isEmpty ? "`default`" : "rule `\(answer.rule)`"
        switch answer.outcome {
        case .decides:
            return "\(rule) does decide \(host)"
                + (answer.rule.isEmpty ? ": no pattern matches" : "")
        case .loses where answer.rule.isEmpty:
            return "\(rule) does not decide \(host): a pattern matches"
        case .loses:
            return
                "\(rule) does not decide \(host): it matches, and another pattern is more specific"
        case .otherPort:
            return "\(rule) does not decide \(host): it is for the host on another port"
        case .noMatch:
            let all =
                answer.patternCount == 1
                ? "its one pattern does not match"
                : "none of its \(answer.patternCount) patterns matches"
            return "\(rule) does not decide \(host): \(all)"
        }
    }

    private static func label(_ answer: WhyNot) -> String {
        switch answer.outcome {
        case .decides: return "decides"
        case .loses: return "loses"
        case .otherPort: return "other port"
        case .noMatch: return "nearest"
        }
    }

    private static func words(_ pattern: WhyNot.Pattern, _ answer: WhyNot) -> String {
        if let difference = pattern.difference { return "`\(pattern.text)` \(difference.words)" }
        let reason = answer.clause.map { ": \(CheckSentences.reason($0))" } ?? ""
        return "`\(pattern.text)`\(reason)"
    }

    private static func winner(_ winner: WhyNot.Winner) -> String {
        if let pattern = winner.pattern {
            return "`\(pattern.canonicalText)` of rule `\(winner.rule)`"
        }
        return winner.isDenied
            ? "`default: deny`: no pattern matches" : "`default`: no pattern matches"
    }

    // MARK: JSON

    private static func difference(_ difference: PatternDifference) -> JSONValue {
        let head: JSONMembers = ["id": difference.id, "summary": difference.words]
        switch difference {
        case .label(let pattern, let host):
            return .object(head + ["pattern": pattern, "host": host])
        case .apex(let base): return .object(head + ["base": base])
        case .severalLabels(let base, let before):
            return .object(head + ["base": base, "before": before])
        case .below(let labels), .above(let labels):
            return .object(head + ["labels": labels])
        case .outside(let first, let last):
            return .object(
                head + ["first": first.description, "last": last.description])
        case .port(let port): return .object(head + ["port": port])
        case .otherAddress, .otherFamily, .otherKind: return .object(head)
        }
    }
}

package import PolicyReading
import TrustEngine

extension PatternDifference {
    /// The difference as a clause whose subject is the pattern.
    var words: String {
        switch self {
        case .label(let pattern, let host): return "has `\(pattern)` where the host has `\(host)`"
        case .apex(let base): return "never includes `\(base)` itself"
        case .severalLabels(let base, let before):
            return "has `*` for one label, and the host has \(before) before `\(base)`"
        case .below(let labels): return "is that name alone, and the host has `\(labels)` before it"
        case .above(let labels): return "has `\(labels)` before the host's whole name"
        case .otherAddress: return "is another address"
        case .outside(let first, let last): return "covers \(first) to \(last)"
        case .otherFamily: return "is of the other family of addresses"
        case .otherKind:
            return "can never cover the host: a name and an address do not match each other"
        case .port(let port): return "covers the host on port \(port) alone"
        }
    }
}

extension NearPatterns {
    /// A sentence for each pattern, lower case and without a full stop.
    package var sentences: [String] {
        patterns.map(sentence)
            + (more == 0
                ? []
                : [Cut.rest(more, after: more == 1 ? " pattern comes near" : " patterns come near")])
    }

    private func sentence(_ pattern: Pattern) -> String {
        let place = pattern.location.map { " (\($0.description))" } ?? ""
        switch pattern.nearness {
        case .difference(.port(let only)):
            return
                "`\(pattern.text)` of rule `\(pattern.rule)` is for port \(only); asked was port "
                + "\(port)\(place)"
        case .difference(let difference):
            return "`\(pattern.text)` of rule `\(pattern.rule)` \(difference.words)\(place)"
        case .oneCharacter(let host):
            let covered =
                host == pattern.text ? "" : ", which `\(pattern.text)` covers,"
            return "did you mean `\(host)`\(covered) of rule `\(pattern.rule)`?\(place)"
        }
    }

    /// The patterns as JSON.
    var json: JSONValue {
        .array(
            patterns.map { pattern in
                let nearness: String
                switch pattern.nearness {
                case .difference(let difference): nearness = difference.id
                case .oneCharacter: nearness = "one-character"
                }
                return .members([
                    ("pattern", .string(pattern.text)), ("rule", .string(pattern.rule)),
                    ("difference", .string(nearness)), ("summary", .string(sentence(pattern))),
                    ("location", .location(pattern.location)),
                ])
            })
    }
}

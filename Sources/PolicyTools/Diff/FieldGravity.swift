import TrustEngine

/// The order of fields by gravity: exceptions first, then the rule that decides and its anchors,
/// pins, identity, revocation and TLS.
enum FieldGravity {
    /// The waivers that let a stranger's server pass, the widest first.
    static let strangers = ["waivers.path", "waivers.cleartext", "waivers.identity"]
    static let unguarded = Set(strangers)

    private static let sections = [
        "waivers", "report-only", PolicyDiff.Field.decision, "anchors", "pins", "identity",
        "revocation", "tls",
    ]

    /// The place of a field by its path; the gravest has the smallest number.
    static func rank(_ path: String) -> Int {
        if let place = strangers.firstIndex(of: path) { return place }
        let section = path.prefix { $0 != "." }
        return strangers.count + (sections.firstIndex { $0 == section } ?? sections.count)
    }

    /// A path without the ids that an author chooses: as many sets, forbidden keys or checks as one
    /// likes are one field.
    static func general(_ path: String) -> String {
        var parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return path }
        switch parts[0] {
        case "anchors", "pins", "forbidden-keys": parts[1] = "*"
        case "report-only" where !checks.contains(parts[1]): parts[1] = "*"
        default: return path
        }
        return parts.joined(separator: ".")
    }

    private static let checks = Set(ReportOnly.Check.builtIn.map(\.name))

    /// Fields in their order: weaker ones first, then by gravity. Fields of one
    /// place keep their order.
    static func sorted(_ fields: [PolicyDiff.Field]) -> [PolicyDiff.Field] {
        func key(_ index: Int) -> (Int, Int, Int) {
            let relation = fields[index].relation
            let word = relation == .weaker ? 0 : relation == .incomparable ? 1 : 2
            return (word, rank(fields[index].path), index)
        }
        return fields.indices.sorted { key($0) < key($1) }.map { fields[$0] }
    }
}

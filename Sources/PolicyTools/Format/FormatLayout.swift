internal import PolicyCompiler
internal import TrustEngine

// The canonical layout (LANGUAGE section 3): hosts, paths and entries of `keys` stand one to a
// line; lists of ids and words stand within a line; a section keeps its author's form as long as it
// fits within a line.

/// The layout of one value, by the keys that lead to it.
enum FormatLayout {
    /// The longest line, where the layout has a choice.
    static let width = 100

    /// The top-level keys in the order of the language.
    static let topLevel = PolicyFields.policy.keys.map(\.name)

    /// The forms of a map or list.
    enum Form {
        /// Over several lines, however short it is.
        case block
        /// Within a line, if it fits.
        case line
        /// As it was written, if it fits.
        case asWritten
    }

    /// The form of a map or list. `path` holds the keys from the top, ids included.
    static func form(of path: [String], isList: Bool) -> Form {
        guard let last = path.last else { return .block }
        if isList { return perLine.contains(last) ? .block : .line }
        // Sections, named things and their bodies.
        if path.count == 1 { return .block }
        if path.count == 2, path[0] != "default" { return .block }
        if blocks.contains(last), !(path[0] == "profiles" && last == "keys") { return .block }
        if last == "keys", path[0] == "pins" { return .block }
        // An entry of a map of keys, waivers or report modes.
        if let map = path.dropLast().last,
            blocks.contains(map) || (map == "keys" && path[0] == "pins")
        {
            return .line
        }
        return .asWritten
    }

    /// Lists of hosts, paths and steps.
    private static let perLine: Set<String> = [
        "hosts", "files", "intermediates", "permitted-names", "excluded-names", "permitted-uris",
        "lifetime-steps",
    ]

    /// Maps whose entries stand one to a line.
    private static let blocks: Set<String> = [
        "backups", "only", "exclude", "forbidden-keys", "waivers", "report-only",
    ]

    /// Lists of host patterns, which are always quoted.
    static func isHostPattern(_ path: [String]) -> Bool {
        switch path.last {
        case "hosts", "permitted-names", "excluded-names": return true
        default: return false
        }
    }

    /// Lists whose order has meaning (LANGUAGE section 1.5).
    static func isOrdered(_ path: [String]) -> Bool {
        // A field of a case has its dots in one key.
        ordered.contains(path.suffix(2).joined(separator: "."))
            || ordered.contains(path.last ?? "")
    }

    private static let ordered = Set(
        ProfileField.allCases.filter { field in
            switch field.descriptor.kind {
            case .ranking, .preferences, .steps: return true
            case .integer, .seconds, .word, .words, .purposes, .objectIdentifiers, .digest, .names,
                .forbiddenKeys:
                return false
            }
        }.map(\.rawValue))
}

/// The policy that an import of a Chrome Root Store writes: the anchor sets, and a `default` that
/// trusts them for every host.
package enum ChromeRootPolicy {
    /// The set that includes all others.
    package static let wholeSet = "chrome-root-store"
    /// The file of the log list, beside the policy.
    package static let logList = "log_list.json"

    /// The text of `policy.yaml`, in the canonical layout.
    package static func text(_ imported: ChromeRootImport, source: String) -> String {
        var lines = [
            "# \(imported.storeText), as \(source) states it, taken for",
            "# \(imported.versionText). Each set below is one anchor on one alternative of its",
            "# terms; two sets over one file are alternatives. Notes name the lines of the text.",
            "# `hawser import chrome-root-store` writes all of it again, so write your rules into",
            "# another file of this folder, NAME.policy.yaml.",
            "hawser: 1",
            "default:",
            "  anchors: [\(wholeSet)]",
            "  owner: security",
            "  transparency:",
            "    # Chrome wants timestamps of two operators at least, of logs in its list.",
            "    preset: chrome",
            "    # Put Chrome's log list (log_list.json, version 3) here and keep it fresh.",
            "    # Rules of your own that name these anchors need the same line.",
            "    log-list: \(logList)",
            "anchors:",
            "  \(wholeSet):",
            "    include:",
        ]
        lines += imported.sets.map { "      - \($0.id)" }
        for set in imported.sets {
            lines += ["  \(set.id):", "    files:", "      - \(set.file)"]
            if set.isIntermediate { lines.append("    kind: intermediate") }
            lines.append("    standard: web-pki")
            lines += constraints(set)
            lines.append("    note: \"\(set.note)\"")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func constraints(_ set: ChromeRootImport.AnchorSet) -> [String] {
        guard let terms = set.terms else { return [] }
        var lines: [String] = []
        if !terms.names.isEmpty {
            lines += ["      permitted-names:"] + terms.names.map { "        - \"\($0)\"" }
        }
        if let text = terms.starts.text { lines.append("      not-before: \(text)") }
        if let text = terms.timestamps.text { lines.append("      sct: \(text)") }
        return lines.isEmpty ? [] : ["    constraints:"] + lines
    }
}

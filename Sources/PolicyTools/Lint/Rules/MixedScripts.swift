import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW215: a label has letters of several scripts, or a host looks like another host of the
    /// policy.
    static let mixedScripts = LintRule(.mixedScriptIdn) { context in
        // The labels of all names are beside each other in the tree.
        guard context.names.hasALabels else { return [] }
        var unicode: [(host: BoundHost, name: String)] = []
        for rule in context.bound.rules {
            for host in rule.hosts {
                guard let name = host.unicodeText else { continue }
                unicode.append((host, name))
            }
        }
        guard !unicode.isEmpty else { return [] }
        let plain = Dictionary(
            context.bound.rules.lazy.flatMap(\.hosts).filter { $0.unicodeText == nil }.map {
                ($0.text, $0)
            },
            uniquingKeysWith: { first, _ in first })
        return unicode.compactMap { host, name in
            if let label = name.split(separator: ".").first(where: { NameScript.isMixed($0) }) {
                return Diagnostic(
                    .mixedScriptIdn,
                    "`\(label)` in `\(host.text)` mixes scripts, as names made to deceive do",
                    at: Diagnostic.Label(host.span),
                    help: ["check each letter; the name was probably meant in one script"],
                    notes: [
                        "its letters are of \(NameScript.names(of: label).joined(separator: ", "))"
                    ]
                )
            }
            guard let other = plain[NameScript.skeleton(of: name)] else { return nil }
            return Diagnostic(
                .mixedScriptIdn, "`\(host.text)` looks like `\(other.text)` and is another host",
                at: Diagnostic.Label(host.span),
                labels: [Diagnostic.Label(other.span, "looks the same")],
                help: ["check which of the two was meant"])
        }
    }
}

extension BoundHost {
    /// The pattern with U-labels; nil if it has none.
    fileprivate var unicodeText: String? {
        guard hasALabel else { return nil }
        // The text was read before in this form, so this throws nothing.
        return (try? HostPatternScanner.scan(text))?.unicodeText
    }

    /// Whether a label begins with `xn--`.
    private var hasALabel: Bool {
        // The number of octets of the prefix that the label began with; -1 if it continued
        // differently.
        var matched = 0
        for octet in text.utf8 {
            if octet == UInt8(ascii: ".") {
                matched = 0
            } else if matched >= 0 {
                let wanted = matched == 0 ? UInt8(ascii: "x") : matched == 1 ? 0x6E : 0x2D
                matched = octet == wanted ? matched + 1 : -1
                if matched == 4 { return true }
            }
        }
        return false
    }
}

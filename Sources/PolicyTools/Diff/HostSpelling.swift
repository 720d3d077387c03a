import PolicyCompiler
import TrustEngine

/// Finds the names of two policies that names in punycode look like, by the letters that rule HW215
/// of the linter knows.
struct HostSpellings {
    /// A pattern by its name without a wildcard; patterns in punycode are left out.
    private let names: [String: String]

    /// Cost: linear in the patterns. Nothing is read where `needed` is false.
    init(_ hosts: HostClasses, isNeeded: Bool) {
        guard isNeeded else {
            names = [:]
            return
        }
        var names: [String: String] = [:]
        for pattern in hosts.allPatterns {
            switch pattern.host {
            case .name(let name), .oneLabel(let name), .anyLabels(let name):
                guard !HostSpellings.hasALabel(name) else { continue }
                let text = pattern.canonicalText
                // The shortest text of a name is the one without wildcard and port.
                if let known = names[name], known.utf8.count <= text.utf8.count { continue }
                names[name] = text
            case .address, .network: continue
            }
        }
        self.names = names
    }

    /// The same text with its spelling.
    func spelled(_ host: PolicyDiff.HostText) -> PolicyDiff.HostText {
        host.pattern.flatMap(spelling).map { host.spelled($0) } ?? host
    }

    /// Whether a label of a pattern begins with `xn--`.
    static func hasALabel(_ pattern: HostPattern?) -> Bool {
        switch pattern?.host {
        case .name(let name)?, .oneLabel(let name)?, .anyLabels(let name)?: return hasALabel(name)
        case .address?, .network?, nil: return false
        }
    }

    /// The same of a name.
    private static func hasALabel(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: "-"))
            && name.split(separator: ".").contains { $0.hasPrefix("xn--") }
    }

    /// The spelling of a pattern; nil where no label is in punycode.
    func spelling(of pattern: String) -> PolicyDiff.HostSpelling? {
        guard HostSpellings.hasALabel(pattern) else { return nil }
        let scanned: ScannedHostPattern
        do throws(ScalarProblem) {
            scanned = try HostPatternScanner.scan(pattern)
        } catch {
            // The table has the pattern in this form, so this is not reached.
            return nil
        }
        guard let unicode = scanned.unicodeText else { return nil }
        let name = HostSpellings.name(unicode)
        let mixed = name.split(separator: ".").first { NameScript.isMixed($0) }
        return PolicyDiff.HostSpelling(
            unicode: unicode, mixed: mixed.map { NameScript.names(of: $0) } ?? [],
            resembles: lookalike(of: name))
    }

    /// The pattern for a name that another name, or a name above it, looks like.
    private func lookalike(of name: String) -> String? {
        var rest = Substring(name)
        while rest.contains(".") {
            let looks = NameScript.skeleton(of: String(rest))
            // The rest of the name has Latin letters and looks like itself.
            guard looks != rest else { return nil }
            if let found = names[looks] { return found }
            rest = rest[rest.index(after: rest.firstIndex(of: ".") ?? rest.startIndex)...]
        }
        return nil
    }

    /// A pattern without its wildcard and its port.
    private static func name(_ pattern: String) -> String {
        let labels = pattern.prefix { $0 != ":" }.split(separator: ".")
        return labels.drop { $0.allSatisfy { $0 == "*" } }.joined(separator: ".")
    }
}

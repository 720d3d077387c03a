package import PolicyCompiler
import Rendering
package import TrustEngine

/// Writes the allowances that comparisons need, with exactly what each must hold.
package struct AllowanceWriter {
    /// Who decides it, why, and until when, as `--owner`, `--reason` and `--until` give them.
    package let owner: String
    package let reason: String
    package let until: String

    /// What was written.
    package struct Written {
        /// The entries of `allowances`, each line with a line end.
        package var text = ""
        package var ids: [String] = []
        /// One sentence for each weakening that no allowance can let pass.
        package var left: [String] = []
    }

    package init(owner: String, reason: String, until: String) {
        self.owner = owner
        self.reason = reason
        self.until = until
    }

    /// One allowance for each weakened field of each change that none allows yet.
    ///
    /// - Parameter taken: ids that stand in the file already.
    package func entries(for diffs: [PolicyDiff], taken: Set<String>) -> Written {
        var written = Written()
        var taken = taken
        for change in diffs.flatMap(\.changes)
        where !change.relation.isNoWeaker && change.allowance == nil {
            var seen: Set<PolicyDiff.Field> = []
            for weakened in change.weakened where seen.insert(weakened.field).inserted {
                let field = weakened.field
                guard !field.from.contains("…"), !field.to.contains("…"),
                    (try? FieldPathScanner.scan(field.path)) != nil
                else {
                    written.left.append(
                        "`\(field.path)` of `\(change.classes.first?.text ?? "")` is printed cut "
                            + "short, so no allowance can name it")
                    continue
                }
                for hosts in AllowanceWriter.hosts(of: change) {
                    let id = AllowanceWriter.id(for: field.path, &taken)
                    written.ids.append(id)
                    written.text += entry(id, hosts, field, weakened.lines)
                }
            }
        }
        return written
    }

    private func entry(
        _ id: String, _ hosts: [String]?, _ field: PolicyDiff.Field, _ also: [String]
    ) -> String {
        var lines = ["  \(id):"]
        if let hosts {
            lines.append("    hosts:")
            lines += hosts.map { "      - \(AllowanceWriter.quoted($0))" }
        } else {
            lines.append("    hosts: default")
        }
        lines.append("    field: \(field.path)")
        lines.append("    from: \(AllowanceWriter.quoted(TerminalEscape.escape(field.from)))")
        lines.append("    to: \(AllowanceWriter.quoted(TerminalEscape.escape(field.to)))")
        if !also.isEmpty {
            lines.append("    also:")
            lines += also.map { "      - \(AllowanceWriter.quoted(TerminalEscape.escape($0)))" }
        }
        lines.append("    reason: \(AllowanceWriter.quoted(reason))")
        lines.append("    owner: \(AllowanceWriter.quoted(owner))")
        lines.append("    until: \(until)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The patterns of a change's classes, without those that another of them covers; nil stands
    /// for the hosts that no pattern matches.
    private static func hosts(of change: PolicyDiff.Change) -> [[String]?] {
        let patterns = change.classes.compactMap { one in
            one.pattern.map { HostPattern(host: $0.host, port: $0.port ?? one.port) }
        }
        let widest = patterns.filter { one in
            !patterns.contains { $0 != one && $0.covers(one) }
        }
        let named: [[String]?] = widest.isEmpty ? [] : [widest.map(\.canonicalText)]
        return named + (change.classes.contains { $0.pattern == nil } ? [nil] : [])
    }

    private static func id(for path: String, _ taken: inout Set<String>) -> String {
        let base = path.replacing(".", with: "-")
        var (id, number) = (base, 1)
        while !taken.insert(id).inserted {
            number += 1
            id = "\(base)-\(number)"
        }
        return id
    }

    /// A text as a scalar of strict YAML.
    private static func quoted(_ text: String) -> String { JSONValue.string(text).render(.compact) }
}

extension Allowances {
    /// The same allowances without those that do not stand in any of some files. An allowance
    /// stands there if one of their allowances lets the same pass for the same hosts, at least as
    /// long.
    package func standing(in files: [SourceFile], crypto: any CryptoBackend) -> Allowances {
        let old = files.flatMap { AllowanceFile.read($0, crypto: crypto).allowances ?? [] }
        let kept = entries.filter { one in
            old.contains { $0.hosts == one.hosts && $0.lets(sameAs: one) && $0.until >= one.until }
        }
        return Allowances(file: file, entries: kept)
    }
}

extension Allowance {
    /// Whether it lets the same change of a field pass.
    fileprivate func lets(sameAs other: Allowance) -> Bool {
        field == other.field && from == other.from && to == other.to
            && also.sorted() == other.also.sorted()
    }
}

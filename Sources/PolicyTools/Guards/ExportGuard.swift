import PolicyCompiler
import TrustEngine

/// An entry of `exports.yaml` as a guard: `export --check` holds its file to the policy.
struct ExportGuard {
    let format: String
    /// As it is written.
    let file: String
    /// Empty for every host.
    let hosts: [HostPattern]
    let options: [String: Int]

    init(_ entry: ExportEntry) {
        format = entry.format.value
        file = entry.file.value
        hosts = entry.hosts
        options = entry.options.mapValues(\.value)
    }

    /// The entry in one line, by which it is known whatever its id.
    var line: String {
        (["to: \(format)", "file: \(file)", "hosts: \(patterns)"]
            + options.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
            .joined(separator: ", ")
    }

    private var patterns: String {
        hosts.isEmpty ? "all" : hosts.map(\.canonicalText).sorted().joined(separator: ", ")
    }

    /// Whether the entry is for each host that another is for.
    private func covers(_ other: ExportGuard) -> Bool {
        guard !hosts.isEmpty else { return true }
        guard !other.hosts.isEmpty else { return false }
        return other.hosts.allSatisfy { one in hosts.contains { $0.covers(one) } }
    }

    /// The changes between two versions of an entry; nil if they are equal. Another file or another
    /// format is weaker, because nothing checks the old file any more.
    static func change(
        from old: ExportGuard, to new: ExportGuard
    ) -> (relation: Relation, lines: [String])? {
        var relations: [Relation] = []
        var lines: [String] = []
        func note(_ relation: Relation, _ key: String, _ from: String, _ to: String) {
            relations.append(relation)
            lines.append("\(key): \(from) -> \(to)")
        }
        if old.format != new.format { note(.weaker, "to", old.format, new.format) }
        if old.file != new.file { note(.weaker, "file", old.file, new.file) }
        if !new.covers(old) {
            note(.weaker, "hosts", old.patterns, new.patterns)
        } else if !old.covers(new) {
            note(.stricter, "hosts", old.patterns, new.patterns)
        }
        for key in Set(old.options.keys).union(new.options.keys).sorted()
        where old.options[key] != new.options[key] {
            note(
                .incomparable, key, old.options[key].map(String.init) ?? "none",
                new.options[key].map(String.init) ?? "none")
        }
        guard !relations.isEmpty else { return nil }
        return (Relation.direction(of: relations), lines)
    }
}

import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The promises of the fixes of every unit, whatever its mistakes: a host that the fix does not
/// name does not become weaker, nothing that is used is lost, and the fix writes no word that
/// demands less.
struct FixPromise {
    let unit: PolicyUnit
    let mode: LintFixes.Mode
    let outcome: LintFixes.FixedUnit
    private let options: LintOptions
    private static let crypto = LibCryptoBackend()

    init(_ unit: PolicyUnit, _ mode: LintFixes.Mode, _ options: LintOptions) {
        self.unit = unit
        self.mode = mode
        self.options = options
        outcome = LintFixes.apply(to: unit, options, mode, crypto: Self.crypto)
    }

    /// The unit after the fixes.
    var fixed: PolicyUnit {
        PolicyUnit(
            files: unit.files.enumerated().map { index, file in
                outcome.changed[index].map { SourceFile(path: file.path, bytes: $0) } ?? file
            },
            resources: unit.resources, mentioned: unit.mentioned, diagnostics: unit.diagnostics,
            isDirectory: unit.isDirectory)
    }

    static func table(_ unit: PolicyUnit) -> PolicyTable? {
        CompilerPipeline.compile(unit, crypto: crypto).table
    }

    /// A meaning of the text that holds under a condition, and the words of the condition.
    struct Condition {
        let words: String
        let table: PolicyTable
    }

    /// What does not hold, in words.
    ///
    /// - Parameters:
    ///   - baselines: tables. The fixed policy must be equal to or stricter than one of them. Empty
    ///     without a policy to compare with.
    ///   - condition: the table that counts instead, if the title of a fix contains its words.
    func breaches(
        against baselines: [PolicyTable], under condition: Condition? = nil
    ) -> [String] {
        // Most texts have nothing that a fix mends.
        if outcome.changed.isEmpty { return [] }
        var breaches = words + titles + lost
        let original = Self.table(unit)
        let now = Self.table(fixed)
        if original != nil, now == nil { breaches.append("the policy compiled and does no more") }
        let said = condition.flatMap { condition in
            outcome.applied.contains { $0.title.contains(condition.words) } ? condition : nil
        }
        let bases = original.map { [$0] } ?? said.map { [$0.table] } ?? baselines
        if let now, !bases.isEmpty {
            let weaker = bases.map { weakened(from: $0, to: now) }
            if weaker.allSatisfy({ !$0.isEmpty }) {
                breaches.append("weaker without a word: \(weaker[0].joined(separator: ", "))")
            }
        }
        if mode == .safe, let original, original.policyDigest != now?.policyDigest {
            breaches.append("a safe fix changed the meaning")
        }
        return breaches
    }

    /// The words of the promise about hosts, for this unit as it is, beside the tables of another
    /// text and after other fixes.
    func weaker(than baselines: [PolicyTable], also applied: [FixIt]) -> [String] {
        guard let now = Self.table(unit) else { return [] }
        let weaker = baselines.map { weakened(from: $0, to: now, also: applied) }
        return weaker.allSatisfy { !$0.isEmpty } ? ["weaker beside it: \(weaker)"] : []
    }

    /// The hosts that the fixed policy may judge less strictly than another one, but those that the
    /// title of a fix names.
    private func weakened(
        from before: PolicyTable, to after: PolicyTable, also applied: [FixIt] = []
    ) -> [String] {
        let weaker = StricterHosts(from: after, to: before, since: options.time)
        let named = Set((outcome.applied + applied).flatMap(\.moves))
        return weaker.patterns.filter { !named.contains($0) }
            + (weaker.includesDefault ? ["default"] : [])
    }

    /// A fix that changes who decides hosts says so in its title.
    private var titles: [String] {
        outcome.applied.filter { fix in
            !fix.title.contains("decides no host")
                && !fix.moves.allSatisfy { fix.title.contains("`\($0)`") }
        }.map { "a title does not name what it moves: \($0.title)" }
    }

    /// The words that demand less than others are never written: their number does not grow.
    private var words: [String] {
        let lists = PolicyWords.all.values.filter { !$0.weaker.isEmpty }
        let weaker = Set(lists.flatMap(\.weaker))
        func count(_ unit: PolicyUnit) -> [String: Int] {
            var counts: [String: Int] = [:]
            for file in unit.files {
                for word in Self.words(of: file) + Self.phrases(of: file) {
                    // Another spelling of a word counts as the word.
                    let meant =
                        weaker.contains(word)
                        ? word
                        : lists.lazy.compactMap { WordSpelling.word(for: word, in: $0) }.first
                    if let meant, weaker.contains(meant) { counts[meant, default: 0] += 1 }
                }
            }
            return counts
        }
        let (before, after) = (count(unit), count(fixed))
        return after.filter { $1 > before[$0, default: 0] }
            .filter { !Self.alsoKeys.contains($0.key) }
            .map { "`\($0.key)` was written" }
    }

    /// Words that demand less in one place and are keys in another, where a fix may write them.
    private static let alsoKeys: Set<String> = [
        "leaf", "intermediate", "ca", "any", "pins", "keys", "tls", "host", "report", "listed",
        "crl", "ocsp", "stapled", "chain", "dates", "name-constraints", "key-purposes",
    ]

    /// Definitions that went and whose names the text before still used. Neither the name of
    /// another definition counts as a use, nor a name in a definition that nothing uses and that
    /// went too.
    private var lost: [String] {
        let (before, after) = (Self.definitions(unit), Self.definitions(fixed))
        var gone = before.keys.filter { $0.kind != "rule" && after[$0] == nil }
        var files = unit.files
        var left = before
        while true {
            let unused = gone.firstIndex { definition in
                files.reduce(0) { $0 + Self.words(of: $1).count { $0 == definition.id } }
                    <= left.keys.count { $0.id == definition.id }
            }
            guard let unused, let place = left.removeValue(forKey: gone.remove(at: unused)) else {
                return gone.map { "lost: the \($0.kind) `\($0.id)`" }
            }
            var bytes = files[place.file].bytes
            for at in place.range where bytes[at] != 0x0A { bytes[at] = 0x20 }
            files[place.file] = SourceFile(path: files[place.file].path, bytes: bytes)
        }
    }

    private struct Definition: Hashable {
        let kind: String
        let id: String
    }

    /// Each definition with the bytes of its entry.
    private static func definitions(
        _ unit: PolicyUnit
    ) -> [Definition: (file: Int, range: Range<Int>)] {
        let read = CompilerPipeline.read(unit, crypto: crypto)
        let bound = read.parts.bound
        var names: [(kind: String, id: Located<String>)] = []
        names += bound.anchorSets.map { ("anchor set", $0.id) }
        names += bound.pinSets.map { ("pin set", $0.id) }
        names += bound.profiles.map { ("profile", $0.id) }
        names += bound.rules.map { ("rule", $0.id) }
        var definitions: [Definition: (file: Int, range: Range<Int>)] = [:]
        for (kind, id) in names {
            let file = Int(id.span.file)
            let tree = read.compilation.trees.first { $0.fileIndex == file }
            let part = tree?.part(named: id.span).map { $0.parent.part($0.index) }
            definitions[Definition(kind: kind, id: id.value)] = (
                file, part.map { $0.start..<$0.end } ?? Int(id.span.start)..<Int(id.span.end)
            )
        }
        return definitions
    }

    /// The words of a file, comments left out. A digest is one word with the name of its hash
    /// (`sha256:2d7b…`), so that `sha256` alone is the hash of a signature.
    private static func words(of file: SourceFile) -> [String] {
        lines(of: file).flatMap { line in
            line.split {
                !($0.isLetter || $0.isNumber || "-./_:".contains($0))
            }.map { String($0.last == ":" ? $0.dropLast() : $0) }
        }
    }

    /// The values and elements with blanks in them, comments left out: `TLS 1.0` spells a word.
    private static func phrases(of file: SourceFile) -> [String] {
        lines(of: file).flatMap { line in
            line.split { "{}[],:\"'".contains($0) }
                .map { String($0).trimmingCharacters(in: .whitespaces) }
        }.filter { $0.contains(" ") }
    }

    private static func lines(of file: SourceFile) -> [Substring] {
        String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
            .map { line in line.prefix { $0 != "#" } }
    }
}

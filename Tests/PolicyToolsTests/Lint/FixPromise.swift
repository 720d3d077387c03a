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

    /// What does not hold, in words.
    ///
    /// - Parameter baselines: tables. The fixed policy must be equal to or stricter than one of
    ///   them. Empty without a policy to compare with.
    func breaches(against baselines: [PolicyTable]) -> [String] {
        // Most texts have nothing that a fix mends.
        if outcome.changed.isEmpty { return [] }
        var breaches = words + titles + lost
        let original = Self.table(unit)
        let now = Self.table(fixed)
        if original != nil, now == nil { breaches.append("the policy compiled and does no more") }
        let bases = original.map { [$0] } ?? baselines
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
                for word in Self.words(of: file) {
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

    /// A definition that went and whose name the text before still used.
    private var lost: [String] {
        let (before, after) = (Self.definitions(unit), Self.definitions(fixed))
        return before.subtracting(after).filter { definition in
            definition.kind != "rule" && Self.uses(of: definition.id, in: unit) > 1
        }.map { "lost: the \($0.kind) `\($0.id)`" }
    }

    private struct Definition: Hashable {
        let kind: String
        let id: String
    }

    private static func definitions(_ unit: PolicyUnit) -> Set<Definition> {
        let bound = CompilerPipeline.read(unit, crypto: crypto).parts.bound
        return Set(
            bound.anchorSets.map { Definition(kind: "anchor set", id: $0.id.value) }
                + bound.pinSets.map { Definition(kind: "pin set", id: $0.id.value) }
                + bound.profiles.map { Definition(kind: "profile", id: $0.id.value) }
                + bound.rules.map { Definition(kind: "rule", id: $0.id.value) })
    }

    /// How often a name stands in the text of a unit, comments left out.
    private static func uses(of id: String, in unit: PolicyUnit) -> Int {
        unit.files.reduce(0) { $0 + words(of: $1).count { $0 == id } }
    }

    /// The words of a file, comments left out. A digest is one word with the name of its hash
    /// (`sha256:2d7b…`), so that `sha256` alone is the hash of a signature.
    private static func words(of file: SourceFile) -> [String] {
        String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.split {
                !($0.isLetter || $0.isNumber || "-./_:".contains($0))
            }.map { String($0.last == ":" ? $0.dropLast() : $0) }
        }
    }
}

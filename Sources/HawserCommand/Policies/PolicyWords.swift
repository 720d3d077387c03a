import ArgumentParser
import Hawser
import HawserYAML
import PolicyCompiler
import TrustEngine

/// The words of a policy that shells offer: rules, profiles and hosts. The policy comes from the
/// command line, or from the current folder. Nothing is offered where it cannot be read.
enum PolicyWords {
    /// The most octets of a unit whose words are offered. A larger unit takes longer to compile
    /// than a person who presses a key waits.
    private static let limit = 4 << 20

    /// The ids of rules, and `default`.
    static func rules(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offered((contents(words)?.rules.map(\.id) ?? []) + ["default"])
    }

    /// The exact names and addresses of the patterns. A pattern for one port has its port.
    static func hosts(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        let patterns = contents(words)?.rules.flatMap(\.hosts) ?? []
        return offered(
            patterns.filter { pattern in
                switch pattern.host {
                case .name, .address: return true
                case .oneLabel, .anyLabels, .network: return false
                }
            }.map(\.canonicalText))
    }

    /// The ids of profiles, the built-in profiles included.
    static func profiles(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        let own = unit(words).flatMap { unit in
            CompilerPipeline.check(unit, crypto: EngineLoader.crypto).policy
                .map(FlattenedProfile.ids)
        }
        return offered((own ?? []) + BuiltInProfile.allCases.map(\.rawValue))
    }

    /// The rules of the table or of the policy that a command line names.
    private static func contents(_ words: [String]) -> PolicyContents? {
        if let table = value(of: "--table", in: words) {
            return try? EngineLoader.open(tableFile: table).table.contents()
        }
        return unit(words).flatMap {
            CompilerPipeline.compile($0, crypto: EngineLoader.crypto).table?.contents()
        }
    }

    private static func unit(_ words: [String]) -> PolicyUnit? {
        try? UnitLoader.load(
            paths: [value(of: "--policy", in: words) ?? "."],
            limits: RootFolder.Limits(octets: limit))
    }

    /// The value of an option: the word behind it, or behind its `=`. Bash makes a word of the `=`.
    private static func value(of option: String, in words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
            guard word == option else { continue }
            let rest = words[(index + 1)...].drop { $0 == "=" }
            return rest.first
        }
        return nil
    }

    /// The words, sorted, each once. A word is left out if a shell would read it as more than text:
    /// bash expands offered words.
    static func offered(_ words: [String]) -> [String] {
        let plain = Set(words).filter { $0.utf8.allSatisfy(isPlain) }.sorted()
        // For zsh a colon ends the word and begins its description.
        guard CompletionShell.requesting == .zsh else { return plain }
        return plain.map {
            $0.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
        }
    }

    private static func isPlain(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        default: return "-._:[]/".utf8.contains(octet)
        }
    }
}

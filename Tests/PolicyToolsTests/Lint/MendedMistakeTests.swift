import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Policies with a mistake that people make, after the fixes of `lint`: no fix accepts more than
/// the policy did before the mistake, the fixes come to an end, and the remaining findings have a
/// help. With `HAWSER_FULL=1` two thousand policies are damaged.
@Suite("lint: mended mistakes") struct MendedMistakeTests {
    private static let seed: UInt64 = 0xC12C_1E00
    private static let parts = 8
    private static var count: Int {
        Sample.isWhole ? 2_000 : 200
    }

    /// A policy and the file of it that is damaged.
    private struct Base {
        let name: String
        let unit: PolicyUnit
        let index: Int
        let table: PolicyTable

        var text: String { String(decoding: unit.files[index].bytes, as: UTF8.self) }

        func with(_ text: String) -> PolicyUnit {
            var files = unit.files
            files[index] = SourceFile(path: files[index].path, bytes: Array(text.utf8))
            return PolicyUnit(files: files, resources: unit.resources, isDirectory: true)
        }
    }

    /// The recipes of `policies/`, the policies of the language's page, and the example of each
    /// key.
    private static let bases: [Base] = {
        var found: [Base] = []
        func add(_ name: String, _ unit: PolicyUnit) {
            guard let table = FixPromise.table(unit) else { return }
            for (index, file) in unit.files.enumerated() where file.bytes.count < 20_000 {
                found.append(
                    Base(name: "\(name)/\(file.path)", unit: unit, index: index, table: table))
            }
        }
        for (number, unit) in DamagedPolicyTests.units.enumerated() {
            add("recipe \(number)", unit)
        }
        for (name, text) in LanguageReferenceTests.policies.sorted(by: { $0.key < $1.key }) {
            add("language \(name)", LanguagePolicy.unit(text))
        }
        for key in LanguageKey.all {
            add("key \(key.path)", LanguagePolicy.unit(ExamplePolicy(key).text))
        }
        return found
    }()

    /// What came of the policies with one kind of mistake.
    private struct Tally {
        var made = 0
        /// The policy compiled in spite of the mistake.
        var compiled = 0
        var safe = 0
        var all = 0
        var left: [String: Int] = [:]

        var line: String {
            "\(made) made, \(compiled) compile, \(safe) more after safe fixes, \(all) after all"
                + (left.isEmpty
                    ? ""
                    : ", left: "
                        + left.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                        .joined(separator: " "))
        }
    }

    @Test(
        "no fix accepts more than was meant, and none goes round in a circle", arguments: 0..<parts)
    func mended(_ part: Int) throws {
        let seed = Self.seed + UInt64(part)
        var random = SplitMix(state: seed)
        var tallies: [TypedMistake: Tally] = [:]
        var made = 0
        var tried = 0
        let kinds = TypedMistake.allCases
        while made < Self.count / Self.parts, tried < 40 * Self.count {
            tried += 1
            let base = Self.bases[Int.random(in: 0..<Self.bases.count, using: &random)]
            // Every kind has its turn, also those that fit few policies.
            let kind = kinds[(made + part * 7) % kinds.count]
            guard let mistake = kind.made(in: base.text, &random) else { continue }
            made += 1
            try Self.mend(
                base, mistake, kind, &tallies[kind, default: Tally()],
                "seed \(seed), \(made), \(kind)")
        }
        for kind in kinds where tallies[kind] != nil {
            print("mended, part \(part), \(kind): \(tallies[kind]?.line ?? "")")
        }
        #expect(made == Self.count / Self.parts)
        #expect(tallies.values.contains { $0.all > 0 })
    }

    private static func mend(
        _ base: Base, _ mistake: TypedMistake.Made, _ kind: TypedMistake, _ tally: inout Tally,
        _ name: String
    ) throws {
        let text = mistake.text
        let options = DamagedPolicyTests.options
        let damaged = base.with(text)
        let before = FixPromise.table(damaged)
        // A text that compiles says something else than was meant, and nobody can see that.
        let meant =
            before ?? mistake.meant.flatMap { FixPromise.table(base.with($0)) } ?? base.table
        tally.made += 1
        if before != nil { tally.compiled += 1 }
        for mode in [LintFixes.Mode.safe, .all] {
            let promise = FixPromise(damaged, mode, options)
            let place = """
                \(name), \(base.name), \(mode): \(promise.outcome.applied.map(\.title))
                \(text)
                """
            if let now = FixPromise.table(promise.fixed) {
                if before == nil {
                    if mode == .safe { tally.safe += 1 } else { tally.all += 1 }
                }
                let diff = try DiffQuestion(
                    DiffSide("meant", meant), DiffSide("mended", now), since: options.time
                ).compare(crypto: LibCryptoBackend())
                // A title names the hosts that the fix moves, or what must hold for the fix to be
                // what was meant.
                let widens = promise.outcome.applied.contains {
                    !$0.moves.isEmpty || $0.title.contains(" if ")
                }
                #expect(
                    diff.relation.isNoWeaker || mode == .all && widens,
                    "\(diff.relation): \(place)\n\(Self.text(promise.fixed, base))")
            }
            let again = FixPromise(promise.fixed, mode, options)
            #expect(
                again.outcome.changed.isEmpty,
                "not at an end, \(again.outcome.applied.map(\.title)): \(place)")
            guard mode == .all else { continue }
            for finding in promise.outcome.result.findings where finding.severity == .error {
                tally.left[finding.code.rawValue, default: 0] += 1
                #expect(
                    finding.help.contains { !$0.isEmpty },
                    "no help: \(finding.code.rawValue) \(finding.message)")
                for command in finding.help.joined(separator: " ").matches(
                    of: /`hawser rule ([a-z][a-z.-]*)`/)
                {
                    #expect(!LanguageKey.named(String(command.1)).isEmpty, "\(finding.help)")
                }
            }
        }
    }

    private static func text(_ unit: PolicyUnit, _ base: Base) -> String {
        String(decoding: unit.files[base.index].bytes, as: UTF8.self)
    }
}

import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Fixes of files that are damaged by chance, and of the examples of `policies/invalid` with a
/// second mistake in them. With `HAWSER_FULL=1` two thousand files are damaged.
@Suite("lint: fixes of damaged files") struct DamagedPolicyTests {
    static let policies = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "policies")

    /// The time of the recipes' cases.
    static let options = MarkedLint.options()

    static let seed: UInt64 = 0xDA3A_6ED0
    /// The files are damaged in parts, which run beside each other.
    static let parts = 4

    private static var count: Int {
        Sample.isWhole ? 2_000 : 120
    }

    /// Every recipe as a unit, in the order of their names.
    static let units: [PolicyUnit] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: policies.path)) ?? []
        return names.sorted().compactMap { name in
            let folder = policies.appending(path: name)
            guard
                FileManager.default.fileExists(atPath: folder.appending(path: "policy.yaml").path)
            else { return nil }
            let files = OnDisk(folder: folder)
            let paths = files.all.filter {
                $0 == "policy.yaml" || $0.hasSuffix(".policy.yaml")
            }
            return PolicyUnit(
                files: paths.compactMap { path in
                    (try? files.read(path, limit: 1 << 20)).map {
                        SourceFile(path: path, bytes: $0)
                    }
                }, resources: files, isDirectory: true)
        }
    }()

    /// What came of the damaged files, so that a test that damages nothing fails.
    struct Tally: CustomStringConvertible {
        var files = 0
        var compiled = 0
        var mended = 0
        var fixes = 0
        var refused: [String] = []
        var moved = 0
        var description: String {
            "\(files) files: \(compiled) compile damaged, \(mended) more after their fixes; "
                + "\(fixes) fixes applied, \(moved) of them move hosts, \(refused) refused"
        }
    }

    @Test("no fix widens what a table trusts, or loses a definition in use", arguments: 0..<parts)
    func damaged(_ part: Int) {
        var damage = Damage(seed: Self.seed + UInt64(part))
        var tally = Tally()
        for number in 0..<Self.count / Self.parts {
            let unit = Self.units[damage.below(Self.units.count)]
            Self.damage(unit, with: &damage, &tally, "seed \(Self.seed + UInt64(part)), \(number)")
        }
        print("damaged, part \(part): \(tally)")
        // Of the thirty files of a part about eight compile; which, changes with every recipe.
        #expect(tally.compiled > 2 && tally.mended > 1 && tally.fixes > 5, "\(tally)")
    }

    private static func damage(
        _ unit: PolicyUnit, with damage: inout Damage, _ tally: inout Tally, _ name: String
    ) {
        let index = damage.below(unit.files.count)
        func with(_ text: String) -> PolicyUnit {
            var files = unit.files
            files[index] = SourceFile(path: files[index].path, bytes: Array(text.utf8))
            return PolicyUnit(files: files, resources: unit.resources, isDirectory: true)
        }
        // Mistakes after which the policy still compiles, and then, in two thirds of the files, one
        // after which it does not. A text that does not compile is compared with the text before
        // that mistake.
        var text = String(decoding: unit.files[index].bytes, as: UTF8.self)
        var baselines = [FixPromise.table(with(text))].compactMap { $0 }
        var condition: FixPromise.Condition?
        let breaks = damage.below(3) > 0
        for _ in 0...damage.below(6) {
            let next = damage.damaged(text)
            if let table = FixPromise.table(with(next)) {
                (text, baselines) = (next, [table])
            } else if breaks {
                if let meant = damage.meant, let table = FixPromise.table(with(meant.text)) {
                    if let words = meant.condition {
                        condition = FixPromise.Condition(words: words, table: table)
                    } else {
                        baselines = [table]
                    }
                }
                text = next
                break
            }
        }
        // A line that is wrong by itself and says nothing of trust.
        let lines = SecondMistake.allCases.map(\.text)
        if damage.below(4) == 0 { text += lines.randomElement(using: &damage.random) ?? "" }
        let damaged = with(text)
        let before = FixPromise.table(damaged)
        tally.files += 1
        if before != nil { tally.compiled += 1 }
        for mode in [LintFixes.Mode.safe, .all] {
            let promise = FixPromise(damaged, mode, options)
            let breaches = promise.breaches(against: baselines, under: condition)
            #expect(
                breaches == [],
                """
                \(name), \(unit.files[index].path), \(mode): \
                \(promise.outcome.applied.map(\.title))
                \(text)
                """)
            guard mode == .all else { continue }
            if before == nil, promise.outcome.result.compilation.policy != nil { tally.mended += 1 }
            tally.fixes += promise.outcome.applied.count
            tally.refused += promise.outcome.refused.map(\.title)
            tally.moved += promise.outcome.applied.count { !$0.moves.isEmpty }
        }
    }

    /// The examples of `policies/invalid` that are one file.
    static let invalid: [String] = {
        let folder = policies.appending(path: "invalid").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    @Test("the fixes of every example keep their promise beside a second mistake")
    func invalidExamples() throws {
        var fixed: Set<String> = []
        for name in Sample.of(Self.invalid, atMost: 100, "examples of policies/invalid") {
            let files = OnDisk(folder: Self.policies.appending(path: "invalid"))
            let bytes = try files.read(name, limit: 1 << 20)
            let unit = PolicyUnit(
                files: [SourceFile(path: name, bytes: bytes)], resources: files,
                isDirectory: false)
            var options = Self.options
            options.level = .audit
            for mode in [LintFixes.Mode.safe, .all] {
                let promise = FixPromise(unit, mode, options)
                #expect(promise.breaches(against: []) == [], "\(name), \(mode)")
                if !promise.outcome.applied.isEmpty { fixed.insert(name) }
            }
            #expect(SecondMistake.breaches(bytes, unit, options) == [], "\(name)")
        }
        #expect(fixed.count > 15, "\(fixed.sorted())")
    }
}

/// The files below a folder.
private struct OnDisk: UnitResources {
    let folder: URL

    /// The paths of all files, sorted.
    var all: [String] {
        let walk = FileManager.default.enumerator(atPath: folder.path)
        return (walk?.allObjects as? [String] ?? []).sorted()
    }

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        guard let data = try? Data(contentsOf: folder.appending(path: path)), data.count <= limit
        else { throw ResourceError(code: .notFound, context: "`\(path)` is not there") }
        return Array(data)
    }

    func list(_ below: String) throws(ResourceError) -> [String] {
        let path = folder.appending(path: below).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

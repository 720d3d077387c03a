import PolicyCompiler
import Testing
import TrustEngine

/// Where the parts of a policy are written, for ids and files whose order differs from the order of
/// pointers.
@Suite("provenance, in the order of pointers")
struct ProvenanceOrderTests {
    /// Ids of which one continues another with an octet below `/` and above it.
    static let ids = ["a", "a-b", "a-b-c", "a-b0", "a-c", "a0", "ab", "b"]

    static func table(_ files: [String: String]) throws -> PolicyTable {
        let unit = MemoryUnit.unit(files.mapValues { Array($0.utf8) })
        let made = CompilerPipeline.compileTable(of: unit, crypto: ToyDigests())
        return try #require(made.table, "\(made.diagnostics.map(\.message))")
    }

    @Test("ids that continue each other: each pointer has its own place, in any order of the rules")
    func nestedIDs() throws {
        for ids in [ProvenanceOrderTests.ids, ProvenanceOrderTests.ids.reversed()] {
            var lines = ["hawser: 1", "default: deny", "rules:"]
            var wanted: [String: Int] = [:]
            for id in ids {
                wanted["/rules/\(id)"] = lines.count + 1
                lines += ["  \(id):", "    anchors: [system]", "    hosts:"]
                wanted["/rules/\(id)/anchors"] = lines.count - 1
                for (index, host) in ["z.\(id).example", "*.\(id).example"].enumerated() {
                    lines.append("      - \"\(host)\"")
                    wanted["/rules/\(id)/hosts/\(index)"] = lines.count
                    wanted["/rules/\(id)/hosts/\(host)"] = lines.count
                }
                lines.append("    owner: \(id)")
                wanted["/rules/\(id)/owner"] = lines.count
            }
            let table = try ProvenanceOrderTests.table([
                "policy.yaml": lines.joined(separator: "\n") + "\n"
            ])
            let locations = try #require(table.provenance()).locations
            #expect(locations.count == wanted.count + 1, "the parts of the rules, and `default`")
            for (pointer, line) in wanted {
                #expect(locations[pointer]?.line == line, "\(pointer)")
                #expect(table.location(of: pointer)?.line == line, "\(pointer)")
            }
        }
    }

    @Test("a file that is one long line has the columns of its parts")
    func longLine() throws {
        let rules = (0..<200).map { number in
            "r\(number): { hosts: [\"h\(number).example\"], anchors: [system] }"
        }
        let text = "{ hawser: 1, default: deny, rules: { \(rules.joined(separator: ", ")) } }"
        let locations = try #require(
            ProvenanceOrderTests.table(["policy.yaml": text]).provenance()
        ).locations
        for number in 0..<200 {
            for (pointer, written) in [
                ("", "r\(number): {"), ("/hosts/0", "\"h\(number).example\""),
            ] {
                let place = try #require(text.firstRange(of: written)).lowerBound
                let column = text.distance(from: text.startIndex, to: place) + 1
                let found = locations["/rules/r\(number)\(pointer)"]
                #expect(found?.column == column && found?.line == 1, "r\(number)\(pointer)")
            }
        }
    }
}

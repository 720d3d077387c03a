import PolicyCompiler
import Testing

/// The limit on keys and values is one for all files of a unit (LANGUAGE section 1.6).
@Suite struct UnitLimitTests {
    private func codes(mostNodes: Int) -> [[DiagnosticCode]] {
        let files = ["a", "b", "c"].map {
            SourceFile(path: "\($0).policy.yaml", bytes: Array("hawser: 1\nk: [a, b]\n".utf8))
        }
        return SyntaxParser.parse(unit: files, mostNodes: mostNodes)
            .map { $0.diagnostics.map(\.code) }
    }

    /// Each file is a map of two keys, a number, a list and its two items: seven nodes.
    @Test func filesShareIt() {
        #expect(codes(mostNodes: 21) == [[], [], []])
        #expect(codes(mostNodes: 20) == [[], [], [.limits]])
        #expect(codes(mostNodes: 14) == [[], [], [.limits]])
        #expect(codes(mostNodes: 10) == [[], [.limits], [.limits]])
    }
}

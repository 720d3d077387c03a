import PolicyCompiler
import Testing

@Suite("The grammar, its examples and the scanners")
struct GrammarTests {
    /// The productions of the YAML subset, which the parser decides; all others are scalars.
    static let syntaxProductions: Set<String> = [
        "document", "block-map", "entry", "key", "block-value", "block-list", "value", "flow-map",
        "flow-list", "flow-value", "plain", "single-quoted", "double-quoted", "literal", "comment",
        "character", "line-end",
    ]

    @Test("each production has values that it takes and values that it refuses")
    func everyProductionHasExamples() {
        #expect(GrammarExamples.productions.count > 40)
        #expect(Set(GrammarExamples.productions).count == GrammarExamples.productions.count)
        for production in GrammarExamples.productions {
            #expect(
                GrammarExamples.accepted.contains { $0.production == production },
                "\(production).accept.txt")
            #expect(
                GrammarExamples.rejected.contains { $0.production == production },
                "\(production).reject.txt")
        }
    }

    @Test("no example file is without its production")
    func everyExampleHasItsProduction() {
        let known = Set(
            GrammarExamples.productions.flatMap { ["\($0).accept.txt", "\($0).reject.txt"] })
        #expect(GrammarExamples.fileNames.filter { !known.contains($0) } == [])
        #expect(Self.syntaxProductions.isSubset(of: GrammarExamples.productions))
    }

    @Test(
        "a scanner takes what its production takes",
        arguments: GrammarExamples.accepted.filter {
            !syntaxProductions.contains($0.production)
        })
    func accepts(_ row: GrammarExamples.Row) {
        #expect(GrammarScanner.problem(row.production, row.value) == nil)
    }

    @Test(
        "a scanner refuses what its production refuses, and says so well",
        arguments: GrammarExamples.rejected.filter {
            !syntaxProductions.contains($0.production)
        })
    func rejects(_ row: GrammarExamples.Row) throws {
        let problem = try #require(GrammarScanner.problem(row.production, row.value))
        #expect(problem.code.rawValue == row.code, "\(problem.message)")
        for text in [problem.message] + problem.help {
            #expect(!text.hasSuffix("."), "\(text)")
            #expect(!text.contains("invalid"), "\(text)")
            let first = try #require(text.first)
            #expect(!first.isUppercase, "\(text)")
        }
        if let range = problem.range {
            #expect(!range.isEmpty)
            // Parts are scanned inside a scalar of at most this many octets more.
            #expect(range.upperBound <= row.value.utf8.count + 20)
        }
    }

    @Test(
        "the parser takes what the YAML subset takes",
        arguments: GrammarExamples.accepted.filter { syntaxProductions.contains($0.production) })
    func parserAccepts(_ row: GrammarExamples.Row) {
        let tree = GrammarScanner.parse(row.production, row.value)
        #expect(tree.diagnostics.map(\.message) == [])
        #expect(tree.root?.kind == .map)
    }

    @Test(
        "the parser refuses what the YAML subset leaves out",
        arguments: GrammarExamples.rejected.filter { syntaxProductions.contains($0.production) })
    func parserRejects(_ row: GrammarExamples.Row) {
        let codes = GrammarScanner.parse(row.production, row.value).diagnostics.map(\.code.rawValue)
        #expect(Set(codes) == [row.code])
    }

    @Test(
        "the canonical form of a host pattern is canonical and means the same",
        arguments: GrammarExamples.accepted.filter { $0.production == "host-pattern" })
    func canonicalIsCanonical(_ row: GrammarExamples.Row) throws {
        let scanned = try HostPatternScanner.scan(row.value)
        let again = try HostPatternScanner.scan(scanned.canonicalText)
        #expect(again.isCanonical)
        #expect(again.pattern == scanned.pattern)
        #expect(scanned.isCanonical == (scanned.canonicalText == row.value))
    }
}

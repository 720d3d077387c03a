import LibCrypto
import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// What holds of every text, right or wrong.
@Suite("compiling any text")
struct PipelinePropertyTests {
    static let seeds: [String] =
        (ExampleTests.rows + BinderTests.rows + CheckTests.all + FieldTests.all
        + KeyMaterialTests.rows).flatMap { $0.files.values }.sorted()

    static let resources = KeyMaterialTests.resources.merging(FieldTests.resources) { own, _ in own
    }

    static let words = [
        "hawser: 1", "default", "deny", "anchors", "[system]", "pins", "{", "}", "[", "]", ": ",
        "- ",
        "\n", "\n  ", "extends: ", "waivers", "path", "no", "~", "*a", "&a", "!!x", "#", "\t", "|",
        "\"", "'", "2027-01-01", "14d", "sha256/", "identity", "reference: listed", "hosts", ",",
        "\u{2028}", "é", "😀", "𝔘", "revocation: { preset: require }",
        "a b😀" + String(repeating: "é😀", count: 30),
        "a" + String(repeating: "😀€", count: 150),
    ]

    /// A marked text without its marks, with parts of it removed, doubled or replaced.
    static func mutated(_ text: String, _ random: inout SplitMix) -> [UInt8] {
        var bytes = MarkedPolicy(text, path: "").bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 2:
                let word = words[Int.random(in: 0..<words.count, using: &random)]
                bytes.replaceSubrange(start..<end, with: Array(word.utf8))
            default: bytes[start] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    @Test(
        "a table or an error; every place in the file, between characters; sorted, each once, three labels at most"
    )
    func invariants() {
        var random = SplitMix(state: 20_261_121)
        for round in 0..<3_000 {
            let seed = PipelinePropertyTests.seeds[
                Int.random(in: 0..<PipelinePropertyTests.seeds.count, using: &random)]
            let bytes = PipelinePropertyTests.mutated(seed, &random)
            let unit = MemoryUnit.unit(
                ["policy.yaml": bytes], resources: PipelinePropertyTests.resources)
            let compilation = CompilerPipeline.compile(unit, crypto: ToyDigests())
            let diagnostics = compilation.diagnostics
            let text = String(decoding: bytes, as: UTF8.self)
            let isText = Array(text.utf8) == bytes
            #expect((compilation.table == nil) == compilation.hasErrors, "round \(round)\n\(text)")
            var identities: Set<String> = []
            for diagnostic in diagnostics {
                let places = [diagnostic.primary] + diagnostic.labels
                #expect(
                    places.allSatisfy {
                        $0.span.file == 0 && $0.span.start >= 0 && $0.span.start <= $0.span.end
                            && $0.span.end <= Int32(bytes.count)
                    }, "round \(round): \(diagnostic)")
                // A reader that counts columns decodes the text before a place.
                #expect(
                    !isText
                        || places.flatMap { [Int($0.span.start), Int($0.span.end)] }.allSatisfy {
                            $0 == bytes.count || bytes[$0] & 0xC0 != 0x80
                        }, "round \(round): \(diagnostic)\n\(text)")
                #expect(diagnostic.labels.count <= 3)
                #expect(!diagnostic.message.isEmpty)
                let identity = "\(diagnostic.code) \(diagnostic.primary.span)"
                #expect(identities.insert(identity).inserted, "round \(round): \(identity)")
            }
            let starts = diagnostics.map(\.primary.span.start)
            #expect(starts == starts.sorted(), "round \(round)")
        }
    }

    @Test("what compiles reads back, and compiles to the same bytes again")
    func readsBack() throws {
        for (index, seed) in PipelinePropertyTests.seeds.enumerated() {
            let unit = MemoryUnit.unit(
                ["policy.yaml": MarkedPolicy(seed, path: "").bytes],
                resources: PipelinePropertyTests.resources)
            let crypto = LibCryptoBackend()
            let compilation = CompilerPipeline.compile(unit, crypto: crypto)
            guard let table = compilation.table, let policy = compilation.policy else { continue }
            #expect(table.contents() == MemoryUnit.contents(of: policy), "\(index)")
            let decoded = try PolicyTable(decoding: table.bytes, crypto: crypto)
            #expect(decoded.policyDigest == table.policyDigest)
            #expect(CompilerPipeline.compile(unit, crypto: crypto).table?.bytes == table.bytes)
        }
    }

    /// Long chains, circles and many names cost no more than their length.
    @Test("ten thousand profiles in a row and in a circle")
    func manyProfiles() {
        let count = 10_000
        for isCircle in [false, true] {
            var text = "hawser: 1\ndefault: { anchors: [system], profile: p0 }\nprofiles:\n"
            for index in 0..<count - 1 { text += "  p\(index): { extends: p\(index + 1) }\n" }
            text +=
                isCircle
                ? "  p\(count - 1): { extends: p0 }\n"
                : "  p\(count - 1): { keys: { rsa-minimum: 3072 } }\n"
            let (policy, diagnostics) = MemoryUnit.check(
                MemoryUnit.unit(["policy.yaml": Array(text.utf8)]))
            #expect(policy == nil)
            #expect(diagnostics.map(\.code) == [.extendsCycle])
        }
    }
}

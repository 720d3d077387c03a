import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import TrustEngine

/// Policy text, from bytes to a table.
enum PolicyBody {
    /// No file is there but two certificates.
    struct Files: UnitResources {
        func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
            switch path {
            case "root.pem": return Seeds.pem
            case "leaf.cer": return Seeds.leaf.der
            default: throw ResourceError(code: .notFound, context: "there is no such file")
            }
        }

        func list(_ folder: String) throws(ResourceError) -> [String] {
            folder == "anchors" ? ["root.pem"] : []
        }
    }

    static func runSyntax(_ bytes: [UInt8]) {
        let file = SourceFile(path: "policy.yaml", bytes: bytes)
        let tree = SyntaxParser.parse(file, fileIndex: 0)
        for span in tree.nodes.map(\.span) + tree.diagnostics.map(\.primary.span) + tree.comments {
            require(
                span.start >= 0 && span.start <= span.end && Int(span.end) <= bytes.count,
                "a span lies inside its file")
        }
        require(
            !tree.nodes.contains { $0.kind == .error }
                || tree.diagnostics.contains { $0.severity == .error },
            "what could not be read has a diagnostic")
    }

    /// Formatting refuses text with errors and nothing else, and a second time changes nothing;
    /// that the meaning stays is its own last check, which must never be the one that fails.
    static func runFormatter(_ bytes: [UInt8]) {
        for order in [PolicyFormatter.Order.asWritten, .sorted] {
            let file = SourceFile(path: "policy.yaml", bytes: bytes)
            do throws(PolicyFormatter.Problem) {
                let once = try PolicyFormatter.format(
                    SyntaxParser.parse(file, fileIndex: 0), order: order)
                let again = SourceFile(path: "policy.yaml", bytes: once)
                let twice = try PolicyFormatter.format(
                    SyntaxParser.parse(again, fileIndex: 0), order: order)
                require(twice == once, "formatting twice is formatting once")
            } catch {
                require(error == .syntax, "formatting keeps the meaning")
            }
        }
    }

    static func runCompiler(_ bytes: [UInt8]) {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: bytes)], resources: Files(),
            isDirectory: true)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        require(
            (compilation.table == nil) == compilation.hasErrors,
            "there is a table exactly when nothing is an error")
        guard let table = compilation.table else { return }
        do {
            let decoded = try PolicyTable(decoding: table.bytes, crypto: LibCryptoBackend())
            require(decoded.policyDigest == table.policyDigest, "a table reads back")
            require(decoded.contents() == table.contents(), "a table reads back whole")
        } catch {
            fatalError("does not hold: what the compiler writes loads: \(error)")
        }
    }

    static func runScalars(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        if let host = try? HostPatternScanner.scan(text) {
            let again = try? HostPatternScanner.scan(host.canonicalText)
            require(again?.pattern == host.pattern, "a canonical pattern stands for itself")
            require(again?.isCanonical == true, "a canonical pattern is canonical")
        }
        if let host = try? CanonicalHost(text: text) {
            let again = try? CanonicalHost(text: host.text)
            require(again == host, "a canonical host stands for itself")
        }
        _ = try? SPKIDigestScanner.scan(text)
        _ = try? CertificateDigestScanner.scan(text)
        _ = try? DateScanner.scan(text)
        _ = try? EmailScanner.scan(text)
        _ = try? ExactNameScanner.scan(text)
        _ = try? ObjectIdentifierScanner.scan(text)
        _ = try? URIPatternScanner.scan(text)
        _ = try? RelativePathScanner.scan(text, namedIn: "teams/a.policy.yaml")
        _ = try? DurationScanner.scan(text, for: "field", in: 0...DurationScanner.longest)
        _ = try? IntegerScanner.scan(text, for: "field", in: 0...16_384)
    }
}

/// A compiled table: refused by name, or readable to its end.
enum TableBody {
    static func run(_ bytes: [UInt8]) {
        let crypto = LibCryptoBackend()
        for bytes in [bytes, resealed(bytes)] {
            guard let table = try? PolicyTable(decoding: bytes, crypto: crypto) else { continue }
            let contents = table.contents()
            let again = PolicyTable.encode(
                contents, provenance: table.provenance(), crypto: crypto)
            require(again.contents() == contents, "a table that loads can be written again")
            for host in ["api.acme.example", "10.1.2.3", "a.b.example"] {
                guard let host = try? CanonicalHost(text: host) else { continue }
                let found = table.lookUp(host, port: 443)
                require(
                    found == table.candidates(host, port: 443).first,
                    "the lookup finds the first of the candidates")
            }
            _ = try? Engine(
                table: table, inputs: EngineInputs(systemStore: [Seeds.root.der]), crypto: crypto)
        }
    }

    /// The bytes with a length, a policy digest and a seal that fit: anybody can compute these, so
    /// they must not stop a fuzzer either. Offsets are as in `grammar/table-format.md`.
    private static func resealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 640 else { return bytes }
        let crypto = LibCryptoBackend()
        var bytes = Array(bytes.dropLast(32))
        func number(_ offset: Int) -> Int {
            (0..<8).reduce(0) { $0 | Int(bytes[offset + $1] & 0x7F) << (8 * $1) }
        }
        let total = UInt64(bytes.count + 32)
        for index in 0..<8 { bytes[16 + index] = UInt8(truncatingIfNeeded: total >> (8 * index)) }
        let end = number(24)
        guard end > 160, end <= bytes.count else { return bytes }
        let meaning = Array(bytes[160..<end])
        bytes.replaceSubrange(32..<64, with: crypto.digest(.sha256, of: meaning.span).bytes)
        let behind = Array(bytes[end...])
        let sealed = bytes[..<160] + crypto.digest(.sha256, of: behind.span).bytes
        return bytes + crypto.digest(.sha256, of: Array(sealed).span).bytes
    }
}

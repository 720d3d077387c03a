import PolicyCompiler

/// A checked-in Swift file that is made from a contract in `grammar/`. To add one, write a function
/// from the contract's syntax to Swift source, and name it in `all`; the drift test finds it there.
struct GeneratedFile: Sendable {
    /// How the command line calls it.
    let name: String
    /// The contract, as a path from the repository's root.
    let contract: String
    /// The Swift file, likewise.
    let target: String
    /// The Swift source for a contract, ending in a line feed.
    let source: @Sendable (SyntaxTree) throws(ContractProblem) -> String

    /// Every file that is generated.
    static let all = [
        GeneratedFile(
            name: "diagnostic-catalogue", contract: "grammar/diagnostics.yaml",
            target: "Sources/PolicyCompiler/Diagnostics/DiagnosticCatalogue+Generated.swift",
            source: DiagnosticCatalogueSource.catalogue),
        GeneratedFile(
            name: "diagnostic-pages", contract: "grammar/diagnostics.yaml",
            target: "Sources/PolicyCompiler/Diagnostics/DiagnosticPages+Generated.swift",
            source: DiagnosticCatalogueSource.pages),
        GeneratedFile(
            name: "policy-fields", contract: "grammar/policy.schema.json",
            target: "Sources/PolicyCompiler/Binding/PolicyFields+Generated.swift",
            source: PolicyFieldsTable.source),
    ]

    /// The source for a contract's bytes.
    func make(_ bytes: [UInt8]) throws(ContractProblem) -> String {
        let tree = SyntaxParser.parse(SourceFile(path: contract, bytes: bytes), fileIndex: 0)
        if let first = tree.diagnostics.first {
            let place = tree.file.position(of: Int(first.primary.span.start))
            throw ContractProblem(
                message: "\(contract):\(place.line):\(place.column): \(first.message)")
        }
        return try source(tree)
    }
}

/// A contract that does not say what it must.
struct ContractProblem: Error, Hashable {
    let message: String
}

import PolicyCompiler

/// A checked-in file, or a part of one, that is made from a contract in `grammar/`. To add one,
/// write a function from the contract to its text, and name it in `all`; the drift test finds it
/// there.
struct GeneratedFile: Sendable {
    /// How the command line calls it.
    let name: String
    /// The contract, as a path from the repository's root.
    let contract: String
    /// The file that is made, likewise.
    let target: String
    /// What the contract is written in, with the function from it to Swift source, which ends in a
    /// line feed.
    let source: Source

    enum Source: Sendable {
        /// YAML, or JSON, which is YAML too.
        case yaml(@Sendable (SyntaxTree) throws(ContractProblem) -> String)
        /// A text of its own.
        case text(@Sendable ([UInt8]) throws(ContractProblem) -> String)
        /// YAML or JSON from which one part of the target is made: what stands between two lines of
        /// a page.
        case part(PagePart, @Sendable (SyntaxTree) throws(ContractProblem) -> String)
        /// YAML or JSON from which one definition of a schema is made.
        case definition(
            SchemaDefinition, @Sendable (SyntaxTree) throws(ContractProblem) -> SchemaText)
        /// The schema, with the catalogue of diagnostics and the page of the reference.
        case reference(@Sendable (LanguageContract) throws(ContractProblem) -> String)
    }

    /// Every file that is generated. A definition of a schema comes first: the files behind it are
    /// made from the schema with this definition.
    static let all =
        own
        + ["allow", "test"].flatMap { kind in
            ["id", "text", "host-pattern", "date"].map { shared($0, in: kind) }
        }
        + [
            "id", "text", "path", "host-pattern", "date", "spki-digest", "certificate-digest",
            "window", "key-match",
        ].map { shared($0, in: "assert") } + ofAssertions + answers

    /// The types that write answers as JSON.
    private static let answers = [
        answer("test-report", "TestJSON", in: "PolicyTools/Testing", foreign: ["location"]),
        answer("assert-report", "AssertionJSON", in: "PolicyTools/Assertions"),
        answer("forecast", "ForecastJSON", in: "PolicyTools/Forecast", foreign: ["origin"]),
        answer(
            "log", "HostHistoryJSON", in: "PolicyTools/Log", foreign: ["place"], isShared: true),
        answer(
            "unit-report", "UnitReportJSON", in: "PolicyTools/UnitReport",
            foreign: ["location", "origin", "certificate"], isShared: true),
        answer(
            "audit", "AuditRowJSON", in: "PolicyTools/Audit",
            foreign: ["violation", "path", "reported", "notices"]),
        answer("diagnostics", "DiagnosticJSON", in: "PolicyTools/Findings", isShared: true),
        answer("rules", "RulePageJSON", in: "PolicyTools/Language"),
        answer("fetch", "FetchJSON", in: "HawserCommand/Commands/Fetch"),
        answer("revocations", "RevocationSetJSON", in: "HawserCommand/Commands/Revocations"),
    ]

    private static func answer(
        _ schema: String, _ namespace: String, in folder: String, foreign: [String] = [],
        isShared: Bool = false
    ) -> GeneratedFile {
        let answer = AnswerSource(
            schema: schema, namespace: namespace, foreign: foreign, isShared: isShared)
        return GeneratedFile(
            name: "\(schema)-json", contract: "grammar/\(schema).schema.json",
            target: "Sources/\(folder)/\(namespace)+Generated.swift",
            source: .yaml { (tree) throws(ContractProblem) in try answer.source(tree) })
    }

    private static let own = [
        GeneratedFile(
            name: "issuance-demands", contract: violations, target: "grammar/policy.schema.json",
            source: .definition(
                SchemaDefinition(name: "issuance-demand"), ViolationSchema.issuanceDemands)),
        GeneratedFile(
            name: "diagnostic-catalogue", contract: diagnostics,
            target: "Sources/PolicyCompiler/Diagnostics/DiagnosticCatalogue+Generated.swift",
            source: .yaml(DiagnosticCatalogueSource.catalogue)),
        GeneratedFile(
            name: "policy-fields", contract: "grammar/policy.schema.json",
            target: "Sources/PolicyCompiler/Binding/PolicyFields+Generated.swift",
            source: .yaml(PolicyFieldsTable.source)),
        GeneratedFile(
            name: "allowance-fields", contract: "grammar/allow.schema.json",
            target: "Sources/PolicyCompiler/Binding/AllowanceFields+Generated.swift",
            source: .yaml(PolicyFieldsTable.allowances)),
        GeneratedFile(
            name: "export-fields", contract: "grammar/exports.schema.json",
            target: "Sources/PolicyCompiler/Binding/ExportFields+Generated.swift",
            source: .yaml(PolicyFieldsTable.exports)),
        GeneratedFile(
            name: "test-fields", contract: "grammar/test.schema.json",
            target: "Sources/PolicyCompiler/Binding/TestFields+Generated.swift",
            source: .yaml(PolicyFieldsTable.tests)),
        GeneratedFile(
            name: "requirements", contract: "grammar/policy.schema.json",
            target: "Sources/TrustEngine/Policy/Requirements+Generated.swift",
            source: .yaml(RequirementSource.source)),
        GeneratedFile(
            name: "table-fields", contract: "grammar/policy.schema.json",
            target: "grammar/table-format.md",
            source: .part(.fields, RequirementPage.rows)),
        GeneratedFile(
            name: "path-checks", contract: violations,
            target: "Sources/TrustEngine/PathValidation/PathCheck+Generated.swift",
            source: .yaml(ViolationSource.pathChecks)),
        GeneratedFile(
            name: "path-violations", contract: violations,
            target: "Sources/TrustEngine/PathValidation/PathViolation+Generated.swift",
            source: .yaml(ViolationSource.pathViolations)),
        GeneratedFile(
            name: "standard-demands", contract: violations,
            target: "Sources/TrustEngine/PathValidation/StandardDemand+Generated.swift",
            source: .yaml(ViolationSource.demands)),
        GeneratedFile(
            name: "demands-page", contract: violations, target: "grammar/demands.md",
            source: .yaml(ViolationSource.demandsPage)),
        GeneratedFile(
            name: "checks", contract: violations,
            target: "Sources/TrustEngine/Evaluation/Check+Generated.swift",
            source: .yaml(ViolationSource.checks)),
        GeneratedFile(
            name: "violations", contract: violations,
            target: "Sources/TrustEngine/Evaluation/ViolationReason+Generated.swift",
            source: .yaml(ViolationSource.violations)),
        GeneratedFile(
            name: "violation-texts", contract: violations,
            target: "Sources/Rendering/Violations/ViolationTexts+Generated.swift",
            source: .yaml(ViolationSource.texts)),
        GeneratedFile(
            name: "openssl-errors", contract: violations,
            target: "Sources/CHawserOpenSSL/x509_error_table.h",
            source: .yaml(ViolationSource.openSSLErrors)),
        GeneratedFile(
            name: "trace-checks", contract: violations, target: "grammar/trace.schema.json",
            source: .definition(SchemaDefinition(name: "check"), ViolationSchema.checks)),
        GeneratedFile(
            name: "trace-violations", contract: violations,
            target: "grammar/trace.schema.json",
            source: .definition(
                SchemaDefinition(name: "violation"), ViolationSchema.violations)),
        GeneratedFile(
            name: "public-suffixes", contract: "grammar/public_suffix_list.dat",
            target: "Sources/TrustEngine/PathValidation/PublicSuffixes+Generated.swift",
            source: .text(PublicSuffixSource.source)),
        GeneratedFile(
            name: "language-page", contract: "grammar/policy.schema.json", target: reference,
            source: .reference { (contract) throws(ContractProblem) in try contract.text() }),
    ]

    /// What files of assertions take from the fields of profiles.
    private static let ofAssertions = [
        GeneratedFile(
            name: "assert-at-least", contract: "grammar/policy.schema.json",
            target: "grammar/assert.schema.json",
            source: .definition(SchemaDefinition(name: "at-least"), AssertionSchema.atLeast)),
        GeneratedFile(
            name: "assertion-fields", contract: "grammar/assert.schema.json",
            target: "Sources/PolicyCompiler/Binding/AssertionFields+Generated.swift",
            source: .yaml(PolicyFieldsTable.assertions)),
    ]

    /// A definition that files of allowances, of tests or of assertions have in common with
    /// policies. The policy's schema has it.
    private static func shared(_ name: String, in kind: String) -> GeneratedFile {
        GeneratedFile(
            name: "\(kind)-\(name)", contract: "grammar/policy.schema.json",
            target: "grammar/\(kind).schema.json",
            source: .definition(SchemaDefinition(name: name)) {
                (tree) throws(ContractProblem) in
                guard let node = tree.root?["definitions"]?[name] else {
                    throw ContractProblem(message: "the schema has no definition `\(name)`")
                }
                let range = Int(node.span.start)..<Int(node.span.end)
                return .verbatim(String(decoding: tree.file.bytes[range], as: UTF8.self))
            })
    }

    private static let violations = "grammar/violations.yaml"
    private static let diagnostics = "grammar/diagnostics.yaml"
    private static let reference = "grammar/language.md"

    /// The target for a contract's bytes; `old` is the target as it stands, of which a part may be
    /// kept. `read` gives the bytes of a further file by its path from the repository's root.
    func make(
        _ bytes: [UInt8], over old: [UInt8],
        read: (String) throws(ContractProblem) -> [UInt8] = TextFile.read
    ) throws(ContractProblem) -> String {
        switch source {
        case .text(let source): return try source(bytes)
        case .yaml(let source): return try source(tree(bytes))
        case .part(let part, let source):
            return try part.page(old, of: target, with: source(tree(bytes)))
        case .definition(let definition, let source):
            return try definition.schema(old, of: target, with: source(tree(bytes)))
        case .reference(let source):
            let catalogue = try tree(
                read(GeneratedFile.diagnostics), of: GeneratedFile.diagnostics)
            return try source(
                LanguageContract(
                    schema: tree(bytes), catalogue: catalogue,
                    page: read(GeneratedFile.reference)))
        }
    }

    private func tree(_ bytes: [UInt8]) throws(ContractProblem) -> SyntaxTree {
        try tree(bytes, of: contract)
    }

    private func tree(
        _ bytes: [UInt8], of contract: String
    ) throws(ContractProblem) -> SyntaxTree {
        let tree = SyntaxParser.parse(SourceFile(path: contract, bytes: bytes), fileIndex: 0)
        if let first = tree.diagnostics.first {
            let place = tree.file.position(of: Int(first.primary.span.start))
            throw ContractProblem(
                message: "\(contract):\(place.line):\(place.column): \(first.message)")
        }
        return tree
    }
}

/// A contract that lacks a required statement.
struct ContractProblem: Error, Hashable {
    let message: String
}

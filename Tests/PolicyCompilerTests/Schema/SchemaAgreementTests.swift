import Foundation
import JSONSchemaSupport
import LibCrypto
import PolicyCompiler
import Testing

/// The schema that editors use and the checker say the same of every fixture, or
/// `grammar/schema-differences.txt` says why they cannot.
@Suite("the schema and the checker")
struct SchemaAgreementTests {
    /// A file of a unit, with both verdicts on it.
    struct Judged: Sendable {
        let name: String
        let violations: [JSONSchema.Violation]
        /// Errors of the checker whose place is in this file.
        let errors: [Diagnostic]
    }

    // MARK: Policies

    @Test("agree on every policy, or the difference has its reason")
    func policies() throws {
        let differences = try SchemaDifferences()
        var used: Set<SchemaDifferences.Entry> = []
        let judged = try Self.judgedPolicies()
        for file in judged where file.errors.isEmpty != file.violations.isEmpty {
            // The schema never refuses what the checker takes: nothing may be listed for that.
            guard file.violations.isEmpty else {
                Issue.record("\(file.name): the schema alone refuses: \(file.violations)")
                continue
            }
            for error in file.errors {
                let entry = differences.entry("policy", error.code.rawValue)
                #expect(
                    entry != nil,
                    """
                    \(file.name): the checker alone refuses, \(error.code.rawValue): \
                    \(error.message); make the schema say it, or list the code with the reason
                    """)
                if let entry { used.insert(entry) }
            }
        }
        for entry in differences.entries where entry.place == "policy" && !used.contains(entry) {
            Issue.record("`\(entry.subject)` makes no difference any more; delete its line")
        }
        #expect(judged.count > 150)
        #expect(judged.filter { !$0.errors.isEmpty && !$0.violations.isEmpty }.count > 40)
        #expect(judged.filter { $0.errors.isEmpty && $0.violations.isEmpty }.count > 40)
    }

    /// Every policy of the tree and every marked one of these tests. A file that is not of our YAML
    /// (its parser's errors) has no value that a schema could be asked about.
    static func judgedPolicies() throws -> [Judged] {
        let schema = try PolicySchema.schema()
        var judged: [Judged] = []
        for (name, unit) in try units() {
            let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
            for (index, tree) in compilation.trees.enumerated() {
                guard !tree.diagnostics.contains(where: { $0.severity == .error }),
                    let root = tree.root, let value = EditorsView.value(root)
                else { continue }
                judged.append(
                    Judged(
                        name: "\(name): \(tree.file.path)",
                        violations: schema.violations(of: value),
                        errors: compilation.diagnostics.filter {
                            $0.severity == .error && Int($0.primary.span.file) == index
                        }))
            }
        }
        return judged
    }

    private static func units() throws -> [(name: String, unit: PolicyUnit)] {
        var units: [(name: String, unit: PolicyUnit)] = []
        let policies = PolicySchema.repository.appending(path: "policies")
        for name in try names(policies) {
            let files = try contents(policies.appending(path: name))
            guard files["policy.yaml"] != nil else { continue }
            let sources = files.filter {
                $0.key == "policy.yaml" || $0.key.hasSuffix(".policy.yaml")
            }
            units.append((name, MemoryUnit.unit(sources, resources: files)))
        }
        let invalid = policies.appending(path: "invalid")
        let resources = try contents(invalid)
        for name in try names(invalid) where name.hasPrefix("HW") && !name.hasSuffix(".txt") {
            let sources = resources.filter {
                $0.key == name || $0.key.hasPrefix(name + "/") && $0.key.hasSuffix(".yaml")
            }
            units.append(
                (name, MemoryUnit.unit(sources, resources: resources, isDirectory: false)))
        }
        let rows =
            ExampleTests.rows + BinderTests.rows + CheckTests.all + FieldTests.all
            + KeyMaterialTests.rows
        for row in rows {
            let sources = row.files.map { ($0.key, MarkedPolicy($0.value, path: $0.key).bytes) }
            let unit = MemoryUnit.unit(
                Dictionary(sources, uniquingKeysWith: { first, _ in first }),
                resources: row.resources, isDirectory: row.isDirectory)
            units.append((row.name, unit))
        }
        return units
    }

    private static func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    /// Every file below a folder, by its path from there.
    private static func contents(_ folder: URL) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) {
            let url = folder.appending(path: path)
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                continue
            }
            files[path] = try Array(Data(contentsOf: url))
        }
        return files
    }

    // MARK: Scalars

    /// The definition that constrains a scalar as a production of the grammar does; and the scalar
    /// around a part of a scalar, as the scanners are run.
    static let definitions: [String: (name: String, around: @Sendable (String) -> String)] = [
        "id": ("id", { $0 }), "letter": ("id", { $0 }), "text": ("text", { $0 }),
        "path": ("path", { $0 }), "segment": ("path", { $0 + "/" }),
        "host-pattern": ("host-pattern", { $0 }), "dns-pattern": ("host-pattern", { $0 }),
        "label": ("host-pattern", { $0 + ".example" }),
        "label-character": ("host-pattern", { "a\($0)b" }),
        "ipv4": ("address", { $0 }), "ipv6": ("address", { $0 }),
        "octet": ("address", { "10.\($0).0.1" }), "prefix": ("host-pattern", { "::/\($0)" }),
        "port": ("host-pattern", { "host.example:\($0)" }),
        "exact-name": ("exact-name", { $0 }), "address": ("address", { $0 }),
        "email": ("email", { $0 }), "local-part": ("email", { $0 + "@corp.example" }),
        "uri-pattern": ("uri-pattern", { $0 }),
        "scheme": ("uri-pattern", { "\($0)://a.example/b" }),
        "authority": ("uri-pattern", { "a://\($0)/b" }),
        "uri-segment": ("uri-pattern", { "a://b.example/\($0)/c" }),
        "spki-digest": ("spki-digest", { $0 }), "base64": ("spki-digest", { "sha256/\($0)" }),
        "cert-digest": ("certificate-digest", { $0 }),
        "hex": ("certificate-digest", { "sha256:\($0)" }),
        "duration": ("duration", { $0 }), "date": ("date", { $0 }),
        "year": ("date", { "\($0)-01-01" }), "month": ("date", { "2026-\($0)-01" }),
        "day": ("date", { "2026-01-\($0)" }), "hour": ("date", { "2026-01-01T\($0):00:00Z" }),
        "minute": ("date", { "2026-01-01T00:\($0):00Z" }),
        "second": ("date", { "2026-01-01T00:00:\($0)Z" }), "oid": ("oid", { $0 }),
    ]

    /// Productions that no definition speaks of: every integer has its own range in the schema.
    static let withoutDefinition: Set<String> = [
        "integer", "digit", "field-path", "unit-path", "requested-host", "receipt-line",
    ]

    /// Productions whose scalars may be plain, so that their look decides what an editor sees.
    static let plain: Set<String> = ["id", "letter", "text"]

    @Test("agree on every example of the grammar, or the difference has its reason")
    func examples() throws {
        let schema = try PolicySchema.schema()
        let differences = try SchemaDifferences()
        var used: Set<SchemaDifferences.Entry> = []
        var compared = 0
        for (rows, isAccepted) in [
            (GrammarExamples.accepted, true), (GrammarExamples.rejected, false),
        ] {
            for row in rows {
                guard let definition = Self.definitions[row.production] else { continue }
                let text = definition.around(row.value)
                let value =
                    Self.plain.contains(row.production) ? EditorsView.plain(text) : .string(text)
                let violations = schema.violations(of: value, definition: definition.name)
                compared += 1
                guard violations.isEmpty != isAccepted else { continue }
                guard !isAccepted else {
                    Issue.record("\(row): the schema alone refuses: \(violations)")
                    continue
                }
                let entry = differences.entry(row.production, row.value)
                #expect(
                    entry != nil,
                    """
                    \(row): the scanner alone refuses; make the schema say it, or list the value \
                    with the reason
                    """)
                if let entry { used.insert(entry) }
            }
        }
        for entry in differences.entries where entry.place != "policy" && !used.contains(entry) {
            Issue.record(
                "`\(entry.place)` `\(entry.subject)` makes no difference any more; delete its line")
        }
        #expect(compared > 400)
    }

    @Test("every scalar of the grammar has a definition in the schema")
    func everyProductionIsCompared() {
        for production in GrammarExamples.productions
        where !GrammarTests.syntaxProductions.contains(production) {
            #expect(
                (Self.definitions[production] != nil)
                    != Self.withoutDefinition.contains(production), "\(production)")
        }
    }
}

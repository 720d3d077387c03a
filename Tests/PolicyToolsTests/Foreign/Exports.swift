import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Exports of policies that a test writes as text.
enum Exports {
    static let one = Base64.encode([UInt8](repeating: 0x11, count: 32))
    static let two = Base64.encode([UInt8](repeating: 0x22, count: 32))
    static let three = Base64.encode([UInt8](repeating: 0x33, count: 32))

    /// The table of a policy. The first key and `default` may be left out.
    static func table(_ text: String, files: [String: [UInt8]] = [:]) throws -> PolicyTable {
        var text = text
        if !text.contains("default:") { text = "default: { anchors: [system] }\n" + text }
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array("hawser: 1\n\(text)".utf8))],
            resources: FilesInMemory(files: files), isDirectory: true)
        let compiled = CompilerPipeline.compile(unit, crypto: ForeignImports.crypto)
        let errors = compiled.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.message) == [], "\(text)")
        return try #require(compiled.table)
    }

    static func question(
        _ table: PolicyTable, to name: String, hosts: [String] = [], at: String = "2026-06-01"
    ) throws -> ExportQuestion {
        let type = try #require(ForeignTargets.named(name))
        return ExportQuestion(
            table, policyName: "policy.yaml", target: type.init([:]), fileName: type.usualFile,
            hosts: try hosts.map { try HostPatternScanner.scan($0).pattern }, at: .at(at))
    }

    static func answer(
        _ text: String, to name: String, hosts: [String] = [], at: String = "2026-06-01",
        over existing: String? = nil, files: [String: [UInt8]] = [:]
    ) throws -> ExportQuestion.Answer {
        try question(table(text, files: files), to: name, hosts: hosts, at: at)
            .answer(over: existing.map { Array($0.utf8) }, crypto: ForeignImports.crypto)
    }

    /// The text of the file.
    static func file(_ answer: ExportQuestion.Answer) -> String {
        String(decoding: answer.file.octets, as: UTF8.self)
    }

    /// The differences of a loss that the format could state, a line each.
    static func stated(_ loss: ExportLoss) -> [String] {
        loss.lines.filter { !$0.isUnstated }.map {
            "\($0.relation) \($0.field) \($0.witness.text)" + ($0.from.map { " \($0)" } ?? "")
        }
    }

    /// How a file differs from the export of a policy.
    static func check(
        _ text: String, to name: String, _ file: String, at: String = "2026-06-01"
    ) throws -> ExportLoss {
        let question = try question(table(text), to: name, at: at)
        let octets = Array(file.utf8)
        let answer = try question.answer(over: octets, crypto: ForeignImports.crypto)
        return try question.check(
            ForeignFile(SourceFile(path: "file", bytes: octets)), against: answer,
            crypto: ForeignImports.crypto)
    }
}

import Foundation
import Hawser
import HawserYAML
import JSONSchemaSupport
import Logging
import TestPKI
import TrustEngine
import VerdictService

/// A service over a policy with one rule, a chain that it accepts, and a clock that stands still.
struct ServiceWorld {
    static let host = "api.service.example"
    static let pki = Scenario()
    static let root = pki.root("Service Root", key: .p256("service root"))
    static let issuing = root.issueCA("Service Issuing", key: .p256("service issuing"))
    static let leaf = issuing.issueLeaf(dns: [host])
    static let chain = [leaf.der, issuing.certificate.der]

    let service: VerdictResponder
    let store: PolicyStore

    /// - Parameters:
    ///   - hosts: the rule's patterns.
    ///   - fields: further lines of the rule.
    ///   - settings: changes the store's settings.
    init(
        hosts: [String] = [Self.host], fields: [String] = [],
        _ settings: (inout PolicyStore.Configuration) -> Void = { _ in }
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "hawser-service-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.root.pem.utf8).write(to: folder.appending(path: "root.pem"))
        let policy = """
            hawser: 1
            default: deny
            anchors:
              root: { files: [root.pem] }
            rules:
              api:
                hosts: [\(hosts.map { "\"\($0)\"" }.joined(separator: ", "))]
                owner: payments@service.example
                anchors: [root]
            \(fields.map { "    \($0)\n" }.joined())
            """
        let file = folder.appending(path: "policy.yaml")
        try Data(policy.utf8).write(to: file)
        let ledger = MetricsLedger()
        var configuration = PolicyStore.Configuration()
        configuration.name = "tested"
        configuration.clock = { Scenario.judgedAt }
        configuration.metrics = ledger
        configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        settings(&configuration)
        store = try PolicyStore(
            table: try TrustPolicy.load(file.path).engine.table.bytes,
            configuration: configuration)
        service = VerdictResponder(store: store, ledger: ledger)
    }

    static let base64 = chain.map { Data($0).base64EncodedString() }

    /// The members of a question that is accepted.
    static let members: [(String, String)] = [
        ("host", "\"\(host)\""), ("port", "443"),
        ("chain", "[" + base64.map { "\"\($0)\"" }.joined(separator: ",") + "]"),
        ("tls", #"{"state":"observed","version":"tls1.3"}"#),
    ]

    /// A body in which some members replace the members of the same name; nil leaves a member out.
    static func body(_ changes: [(String, String?)] = []) -> [UInt8] {
        var members: [(String, String?)] = Self.members.map { ($0.0, $0.1) }
        for (name, value) in changes {
            if let place = members.firstIndex(where: { $0.0 == name }) {
                members[place].1 = value
            } else {
                members.append((name, value))
            }
        }
        let text = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return Array(("{" + text.joined(separator: ",") + "}").utf8)
    }

    func ask(_ endpoint: Endpoint, _ changes: [(String, String?)] = []) -> ServiceAnswer {
        service.answer(endpoint, body: Self.body(changes))
    }

    /// The request that `body` asks.
    static var request: TrustRequest {
        TrustRequest(
            host: host, port: 443, presentedChain: chain, time: Scenario.judgedAt,
            tls: .observed(TLSParameters(version: .tls13)))
    }

    static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func grammar(_ name: String) throws -> String {
        try String(contentsOf: repository.appending(path: "grammar/\(name)"), encoding: .utf8)
    }
}

extension ServiceAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }

    func document() throws -> JSONDocument { try JSONDocument(text: text) }
}

extension ServiceWorld {
    /// A list of each issuer of the chain, as base64 of DER; nobody is revoked.
    static var lists: [String] {
        [root, issuing].map { Data($0.revocationList { _ in }).base64EncodedString() }
    }
}

import Foundation
import HawserYAML
import JSONSchemaSupport
import TestPKI
import TrustEngine

@testable import Hawser

/// A policy with a rule that accepts, one that pins a key nobody has, one that only reports that,
/// and one that demands revocation evidence; and requests to each.
struct DecisionWorld {
    static let pki = Scenario()
    static let root = pki.root("Decision Root", key: .p256("decision root"))
    static let issuing = root.issueCA("Decision Issuing", key: .p256("decision issuing"))
    static let names = ["api", "pinned", "watched", "proved"].map { "\($0).decision.example" }
    static let leaf = issuing.issueLeaf(dns: names)

    /// Breaches two demands on its issuer.
    static let careless = issuing.issueLeaf(dns: names) {
        $0.serial = [0]
        $0.remove(OID.authorityKeyIdentifier)
    }

    /// Names the place of its revocation list, so that its status is undetermined until the list is
    /// fetched.
    static let listed = issuing.issueLeaf(dns: names) {
        $0.extensions.append(.crlDistributionPoints(["http://crl.decision.example/1.crl"]))
    }

    let policy: PolicySnapshot
    private let fields: [String]

    /// - Parameter fields: the fields of the rule for `pinned.decision.example`.
    init(pinned fields: [String] = ["pins: [nobody]"]) throws {
        self.fields = fields
        self.policy = PolicySnapshot(try Self.engine(fields), revision: 7)
    }

    static func engine(
        _ fields: [String], checks: [String: CustomCheck] = [:]
    ) throws -> Engine {
        let folder = try TemporaryFolder()
        try folder.write("root.pem", root.pem)
        let own = fields.map { "    \($0)\n" }.joined()
        try folder.write(
            "policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              root: { files: [root.pem] }
            pins:
              nobody:
                keys:
                  gone: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                backups:
                  offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                enforce-until: 2027-06-30
            rules:
              api:
                hosts: ["api.decision.example"]
                anchors: [root]
              proved:
                hosts: ["proved.decision.example"]
                anchors: [root]
                revocation: { preset: require, scope: leaf, sources: [stapled, crl, ocsp] }
              watched:
                hosts: ["watched.decision.example"]
                anchors: [root]
                pins: [nobody]
                report-only: { pins: { until: 2026-12-31 } }
              pinned:
                hosts: ["pinned.decision.example"]
                anchors: [root]

            """ + own)
        return try TrustPolicy.load(folder.path, checks: checks).engine
    }

    static func request(_ name: String, secondsLater: Int64 = 0) -> TrustRequest {
        TrustRequest(
            host: "\(name).decision.example", port: 443,
            presentedChain: [leaf.der, issuing.der],
            time: Scenario.judgedAt.advanced(bySeconds: secondsLater),
            tls: .observed(
                TLSParameters(version: .tls13, cipherSuite: "TLS_AES_128_GCM_SHA256", alpn: "h2")))
    }

    /// A request whose end entity breaches two demands on its issuer.
    static func carelessRequest(_ name: String, secondsLater: Int64 = 0) -> TrustRequest {
        var request = request(name, secondsLater: secondsLater)
        request.presentedChain[0] = careless.der
        return request
    }

    /// A request whose end entity says where its revocation list is.
    static func listedRequest(_ name: String, secondsLater: Int64 = 0) -> TrustRequest {
        var request = request(name, secondsLater: secondsLater)
        request.presentedChain[0] = listed.der
        return request
    }

    /// Evidence of every kind about the chain: two CRLs, one prepared, and two responses, one
    /// stapled.
    static func evidence() throws -> Evidence {
        let response = issuing.ocspResponse(for: leaf)
        let signer = try issuing.certificate.parsed()
        return Evidence(
            stapledOCSP: response, ocspResponses: [response],
            crls: [root.revocationList()],
            prepared: [
                try PreparedEvidence(
                    crl: issuing.revocationList(), signers: [signer], crypto: crypto),
                try PreparedEvidence(ocspResponse: response, signers: [signer], crypto: crypto),
            ], sctList: [0, 0])
    }

    static func schema(_ name: String) throws -> JSONSchema {
        try JSONSchema(text: contract(name))
    }

    static func document(_ name: String) throws -> JSONDocument {
        try JSONDocument(text: contract(name))
    }

    private static func contract(_ name: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "grammar/\(name).schema.json")
        return try String(contentsOf: file, encoding: .utf8)
    }
}

/// What a sink was handed.
final class Collected<Value: Sendable>: Sendable {
    private let list = Monitor<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    var sink: @Sendable (Value) -> Void {
        { value in self.list.withLock { $0.append(value) } }
    }
}

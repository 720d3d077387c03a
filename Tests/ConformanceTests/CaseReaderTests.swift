import ConformanceCases
import Foundation
import Testing
import TrustEngine

/// Lines become cases, or a clear message about their fault.
@Suite struct CaseReaderTests {
    @Test("every field is read")
    func fields() throws {
        let vector = VectorPKI().vector.with {
            $0.id = "a::b"
            $0.profile = "web-pki"
            $0.crls = [[1, 2]]
            $0.ocspResponses = [[3]]
            $0.time = "2026-06-01T12:00:00.5Z"
            $0.kind = "CLIENT"
            $0.name = ("DNS", "a.example")
            $0.names = [("IP", "::1"), ("RFC822", "a@b.example")]
            $0.maximumDepth = 3
            $0.keyUsage = ["digitalSignature", "cRLSign"]
            $0.purposes = ["clientAuth", "1.2.3"]
            $0.policies = [
                "initial_policy_set": "[\"2.5.1\",\"1.2.3\",\"2.5.1\"]",
                "any_policy_inhibit": "true",
            ]
            $0.revocation = "ocsp"
            $0.scope = "leaf"
            $0.expected = "FAILURE"
            $0.reason = "why"
            $0.strength = "soft"
            $0.features = ["has-ocsp"]
        }
        let read = try vector.read()
        #expect(read.id == "a::b")
        #expect(read.suite == "minted")
        #expect(read.profile == .webPKI)
        #expect(read.trusted == vector.trusted)
        #expect(read.bag == vector.bag)
        #expect(read.peer == vector.peer)
        #expect(read.crls == [[1, 2]])
        #expect(read.ocspResponses == [[3]])
        #expect(read.time == UTCInstant(text: "2026-06-01T12:00:00Z"))
        #expect(read.kind == .client)
        #expect(read.names.map(\.value) == ["a.example", "::1", "a@b.example"])
        #expect(read.maximumDepth == 3)
        #expect(read.keyUsage == 0b100_0001)
        #expect(read.purposes == [ObjectIdentifier.clientAuth, [0x2A, 0x03]])
        #expect(read.certificatePolicies.initial == [[0x2A, 0x03], [0x55, 0x01]])
        #expect(read.certificatePolicies.inhibitsAny)
        #expect(!read.certificatePolicies.requiresExplicit)
        #expect(read.revocation == .ocsp)
        #expect(read.revocationScope == .leaf)
        #expect(read.expected == .failure)
        #expect(read.expectedReason == "why")
        #expect(read.strength == .soft)
        #expect(read.features == ["has-ocsp"])
    }

    @Test("the present day is a fixed one")
    func presentDay() {
        #expect(PreparedCase.presentDay == UTCInstant(text: "2026-11-21T00:00:00Z"))
    }

    private static let fieldNames = [
        "id", "suite", "description", "profile", "trusted_certs", "untrusted_intermediates",
        "peer_certificate", "crls", "ocsp_responses", "validation_time", "validation_kind",
        "expected_peer_name", "expected_peer_names", "max_chain_depth", "key_usage",
        "extended_key_usage", "certificate_policies", "revocation", "revocation_scope",
        "expected_result", "expected_reason", "strength", "features",
    ]

    @Test("a field that is missing is named", arguments: fieldNames)
    func missing(_ field: String) {
        let vector = VectorPKI().vector.with { $0.omitted = [field] }
        #expect(throws: CaseProblem("the field `\(field)` is missing")) { try vector.read() }
    }

    private static let spoiled: [(field: String, value: String, words: String)] = [
        ("peer_certificate", "\"MII!\"", "`peer_certificate` is not standard base64"),
        ("trusted_certs", "[\"\",\"_-\"]", "`trusted_certs[1]` is not standard base64"),
        ("trusted_certs", "\"AA==\"", "`trusted_certs` is not what is wanted there (a list)"),
        ("crls", "[1]", "`crls[0]` is not what is wanted there (a string)"),
        ("id", "7", "`id` is not what is wanted there (a string)"),
        ("validation_time", "\"yesterday\"", "`validation_time`: `yesterday` is no time"),
        ("validation_time", "\"2026-06-01\"", "`validation_time`: `2026-06-01` is no time"),
        ("validation_time", "\"2026-06-01T00:00:00+01:00\"", "is no time"),
        ("max_chain_depth", "-1", "`max_chain_depth` is below zero"),
        ("profile", "\"rfc3280\"", "`profile`"),
        ("validation_kind", "\"PEER\"", "`validation_kind`"),
        ("key_usage", "[\"signing\"]", "`key_usage`: `signing` is none of"),
        ("extended_key_usage", "[\"web\"]", "`extended_key_usage`: `web` is neither"),
        (
            "certificate_policies", "{\"initial_policy_set\":[\"any\"]}",
            "the field `certificate_policies.explicit_policy` is missing"
        ),
        ("revocation", "\"crl\"", "`revocation_scope` is null, and `revocation` is not `none`"),
        ("expected_peer_name", "{\"kind\":\"URI\",\"value\":\"a\"}", "`expected_peer_name.kind`"),
        ("expected_result", "null", "`expected_result` is null"),
    ]

    @Test("a field that is spoiled is named, with what would be right", arguments: spoiled)
    func spoiledField(_ field: String, _ value: String, _ words: String) {
        let vector = VectorPKI().vector.with { $0.raw = [field: value] }
        let problem = #expect(throws: CaseProblem.self) { try vector.read() }
        #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
    }

    @Test("an empty set of acceptable policies is refused, as nothing says what it means")
    func emptyPolicySet() {
        let vector = VectorPKI().vector.with { $0.policies = ["initial_policy_set": "[]"] }
        let problem = #expect(throws: CaseProblem.self) { try vector.read() }
        #expect(problem?.description.contains("`initial_policy_set` is empty") == true)
    }

    @Test("what is no JSON object is refused", arguments: ["[]", "{", "{}x", "7"])
    func otherJSON(_ line: String) {
        #expect(throws: CaseProblem.self) { try ConformanceCase(json: Data(line.utf8)) }
    }

    // MARK: Files

    private func ids(at paths: [String]) throws -> [String] {
        var ids: [String] = []
        for file in try CaseReader.files(at: paths) {
            try CaseReader.read(file) { ids.append($0.id) }
        }
        return ids
    }

    @Test("lines of every file below a folder, in order, whatever ends the last line")
    func folders() throws {
        let folder = try Folder()
        defer { folder.remove() }
        func line(_ id: String) -> String { VectorPKI().vector.with { $0.id = id }.line }
        try folder.write("b.ndjson", line("b1") + "\n\n" + line("b2") + "\n")
        try folder.write("a/a.ndjson", line("a1") + "\r\n" + line("a2"))
        try folder.write("notes.txt", "no vectors")
        #expect(try ids(at: [folder.path]) == ["a1", "a2", "b1", "b2"])
        #expect(try ids(at: [folder.path + "/b.ndjson"]) == ["b1", "b2"])
    }

    @Test("a line longer than what is read at once is one line")
    func longLine() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let long = VectorPKI().vector.with { $0.crls = [[UInt8](repeating: 7, count: 3 << 20)] }
        try folder.write("long.ndjson", long.line + "\n" + long.with { $0.id = "next" }.line + "\n")
        #expect(try ids(at: [folder.path]) == ["minted::good", "next"])
    }

    @Test("the first line that is no case is named by file and line")
    func badLine() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("bad.ndjson", VectorPKI().vector.line + "\n\n{\"id\":\"x\"}\n")
        let problem = #expect(throws: CaseReader.Problem.self) { try ids(at: [folder.path]) }
        #expect(problem?.description == "\(folder.path)/bad.ndjson:3: the field `suite` is missing")
    }

    @Test("a path where nothing is, and a folder without vectors, are refused")
    func nothing() throws {
        let folder = try Folder()
        defer { folder.remove() }
        #expect(throws: CaseReader.Problem.self) { try ids(at: [folder.path]) }
        #expect(throws: CaseReader.Problem.self) { try ids(at: [folder.path + "/none.ndjson"]) }
    }
}

/// A folder of a test's own.
struct Folder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(
            path: "hawser-conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    func write(_ name: String, _ text: String) throws {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

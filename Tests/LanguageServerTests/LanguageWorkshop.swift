import Foundation
import TestPKI
import TrustEngine

/// A unit of several files, for the suites of the server.
final class LanguageWorkshop {
    private static let pki = Scenario()
    static let root = pki.root("Acme Root", key: .p256("lsp-root"))
    static let otherRoot = pki.root("Other Root", key: .p256("lsp-other-root"))

    let folder: URL
    private let base: URL
    var policy: URL { folder.appending(path: "policy.yaml") }
    var other: URL { folder.appending(path: "teams/shop.policy.yaml") }
    var test: URL { folder.appending(path: "unit.test.yaml") }
    var asserted: URL { folder.appending(path: "unit.assert.yaml") }

    init() throws {
        base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "hawser-lsp-\(UUID().uuidString)")
        folder = base.appending(path: "unit")
        for name in ["anchors", "teams", "more"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try write("policy.yaml", Self.text)
        try write("teams/shop.policy.yaml", Self.otherText)
        try write("unit.test.yaml", Self.testText)
        try write("unit.assert.yaml", Self.assertText)
        try write("anchors/root.pem", Self.root.pem)
        try write("anchors/other.pem", Self.otherRoot.pem)
    }

    deinit { try? FileManager.default.removeItem(at: base) }

    func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: path))
    }

    static let text = """
        hawser: 1
        default: deny
        anchors:
          acme:
            files:
              - anchors/root.pem
            owner: pki
        pins:
          acme-api:
            keys:
              issuing: { spki: \(root.certificate.pin), at: ca }
            backups:
              offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            enforce-until: 2027-06-30
            owner: pki
        profiles:
          org:
            keys: { rsa-minimum: 3072 }
        rules:
          api:
            hosts:
              - "api.acme.example"
              - "**.api.acme.example"
            anchors: [acme]
            pins: [acme-api]
            profile: org
            owner: web

        """

    static let otherText = """
        hawser: 1
        rules:
          shop:
            hosts:
              - "*.shop.example"
            anchors: [acme]
            profile: org
            owner: shop

        """

    static let testText = """
        hawser-test: 1
        at: 2027-01-15
        cases:
          api-is-pinned:
            host: api.acme.example
            expect:
              rule: api
              anchors: [acme]
              pins: [acme-api]

        """

    static let assertText = """
        hawser-assert: 1
        assertions:
          shops-are-strict:
            hosts: ["**.shop.example"]
            no-weaker-than: { profile: org }

        """
}

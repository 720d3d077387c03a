import Foundation
import TestPKI
import TrustEngine

/// A folder with a policy and minted chains, the same octets in every run; removed when the value
/// goes.
final class Workshop {
    let folder: URL

    static let pki = Scenario()
    static let root = pki.root("Acme Root", key: .p256("cli-root"))
    static let issuing = root.issueCA("Acme Issuing", key: .p256("cli-issuing"), pathLength: 0)
    static let leaf = issuing.issueLeaf(dns: ["api.acme.example"])
    static let otherRoot = pki.root("Other Root", key: .p256("cli-other-root"))
    static let proxied = otherRoot.issueLeaf(dns: ["api.acme.example"])
    static let selfSigned = pki.selfSignedLeaf(dns: ["api.acme.example"])
    /// ESC, newline, a workflow command, and a right-to-left override.
    static let hostile = issuing.issueLeaf(
        dns: ["www.acme.example"], subject: "evil\u{1B}[2J\n::error file=x::\u{202E}gone",
        key: .p256("cli-hostile"))

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "hawser-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "unit/anchors"), withIntermediateDirectories: true)
        try write("unit/policy.yaml", Workshop.policy)
        try write("unit/anchors/root.pem", Workshop.root.pem)
        try write("unit/anchors/other.pem", Workshop.otherRoot.pem)
        try write("chain.pem", Workshop.leaf.pem + Workshop.issuing.pem)
        try write("leaf-alone.pem", Workshop.leaf.pem)
        try write("proxied.pem", Workshop.proxied.pem + Workshop.otherRoot.pem)
        try write("self-signed.pem", Workshop.selfSigned.pem)
        try write("hostile.pem", Workshop.hostile.pem + Workshop.issuing.pem)
        try Data(Workshop.leaf.der).write(to: folder.appending(path: "leaf.der"))
    }

    /// A workshop with two more units, `old` and `new`, whose policies name the files
    /// `anchors/root.pem` and `anchors/other.pem`.
    ///
    /// - Parameter newRoot: the certificate that the new unit has as `anchors/root.pem`.
    convenience init(
        old: String, new: String, newRoot: String = Workshop.root.pem
    ) throws {
        try self.init()
        for (side, text, root) in [("old", old, Workshop.root.pem), ("new", new, newRoot)] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "\(side)/anchors"), withIntermediateDirectories: true)
            try write("\(side)/policy.yaml", text)
            try write("\(side)/anchors/root.pem", root)
            try write("\(side)/anchors/other.pem", Workshop.otherRoot.pem)
        }
    }

    /// A workshop whose policy has one rule, `svc`, for a host under the root.
    ///
    /// - Parameter rule: more lines of the rule, indented by four spaces.
    convenience init(rule: String, host: String) throws {
        try self.init()
        try write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [anchors/root.pem]
                owner: pki
            rules:
              svc:
                hosts:
                  - "\(host)"
                anchors: [acme]
                owner: web
            \(rule)
            """)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: path))
    }

    func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments, in: folder)
    }

    func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, in: folder)
    }

    static let policy = """
        hawser: 1
        default: deny
        anchors:
          acme:
            files: [anchors/root.pem]
          others:
            files: [anchors/other.pem]
        pins:
          acme-api:
            keys:
              issuing: { spki: \(issuing.certificate.pin), at: ca }
            backups:
              offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            warn-from: 2026-05-01
            enforce-until: 2027-06-30
        profiles:
          org:
            keys: { rsa-minimum: 3072 }
        rules:
          api:
            hosts:
              - "api.acme.example"
            anchors: [acme]
            pins: [acme-api]
            profile: org
            owner: web
          bare:
            hosts:
              - "*.acme.example"
              - "**.acme.example"
            anchors: [acme]
          other-pin:
            hosts:
              - "pinned.acme.example"
            anchors: [acme]
            pins: [acme-api]
          partners:
            hosts:
              - "*.partner.example"
            anchors: [others]

        """
}

import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import TrustEngine

/// One danger that a pull request brings to one host: which field it is of, and the lines of the
/// host's rule before and after.
struct PlantedDanger: Sendable, CustomStringConvertible {
    /// How a danger comes about.
    enum Form: Hashable, Sendable {
        /// The rule of the host has other lines.
        case edited
        /// The rule is new; the host was denied.
        case new
        /// `default` denied and has a body.
        case opened
        /// A set that the rule names has other lines.
        case set
    }

    let path: String
    let form: Form
    /// Lines of the rule, of `default`, or of the anchor set `bank-ca`, before and after.
    let old: String
    let new: String

    var description: String { "\(form) \(path): \(new)" }

    /// The host in danger.
    static let host = "treasury.bank.example"

    private init(_ path: String, _ form: Form, _ old: String, _ new: String) {
        self.path = path
        self.form = form
        self.old = old
        self.new = new
    }

    private static func edited(_ path: String, _ old: String, _ new: String) -> PlantedDanger {
        PlantedDanger(path, .edited, old, new)
    }

    private static func fresh(_ path: String, _ lines: String) -> PlantedDanger {
        PlantedDanger(path, .new, "", lines)
    }

    private static func waived(
        _ name: String, _ more: String = "", _ lines: String = ""
    ) -> PlantedDanger {
        edited(
            "waivers.\(name)", lines,
            "\(lines)\n    waivers: { \(name): { \(more)\(terms) } }")
    }

    /// Without a path the name proves nothing, so that the language wants both waivers.
    private static let pathTerms = "    waivers: { path: { \(terms) }, identity: { \(terms) } }"
    private static let waivedPath = edited("waivers.path", "", pathTerms)

    private static let terms = "reason: lab, owner: web, until: 2027-03-31"

    private static func reported(_ check: String, _ lines: String) -> PlantedDanger {
        edited(
            "report-only.\(check)", lines,
            "\(lines)\n    report-only: { \(check): { until: 2027-03-31 } }")
    }

    /// Every kind. The field is one that no other change of the same pull request has.
    static let all: [PlantedDanger] =
        [
            waived("identity"), waivedPath, waived("cleartext"),
            waived("expired", "tolerance: 14d, "), waived("revocation"),
            waived("pins", "", "    pins: [keys]"), waived("tls", "minimum-version: tls1.0, "),
            waived("keys", "rsa-minimum: 1024, "), waived("signatures", "minimum-hash: sha1, "),
            reported("pins", "    pins: [keys]"),
            reported("revocation", "    revocation: { preset: require }"),
            reported("tls", "    tls: { minimum-version: tls1.3 }"),
            reported("keys", "    keys: { rsa-minimum: 3072 }"),
            reported("signatures", "    signatures: { minimum-hash: sha384 }"),
            reported("lifetime", "    validity: { maximum-lifetime: 90d }"),
            fresh("waivers.path", pathTerms),
            fresh("waivers.identity", "    waivers: { identity: { \(terms) } }"),
            fresh("waivers.cleartext", "    waivers: { cleartext: { \(terms) } }"),
            fresh("waivers.revocation", "    waivers: { revocation: { \(terms) } }"),
            fresh(
                "report-only.revocation", "    report-only: { all: { until: 2027-03-31 } }"),
            fresh(
                "identity.reference",
                "    identity: { reference: listed, dns: [\"stranger.example\"] }"),
            fresh("revocation.preset", "    profile: loose"),
            fresh("tls.minimum-version", "    tls: { minimum-version: tls1.2 }"),
            fresh("keys.rsa-minimum", "    keys: { rsa-minimum: 2048 }"),
            PlantedDanger("decision", .opened, "deny", "{ anchors: [corp] }"),
            PlantedDanger(
                "anchors.bank-ca", .set, "{ files: [corp.pem] }",
                "{ files: [corp.pem, other.pem] }"),
            PlantedDanger(
                "anchors.bank-ca.constraints.permitted-names", .set,
                "{ files: [corp.pem], constraints: { permitted-names: [\"**.bank.example\"] } }",
                """
                { files: [corp.pem], \
                constraints: { permitted-names: ["**.bank.example", "**.evil.example"] } }
                """),
            edited("anchors", "", "    anchors: [corp, other]"),
            edited("anchors", "", "    anchors: [system]"),
            edited("pins", "    pins: [keys]", ""),
            edited(
                "identity.reference",
                "    identity: { reference: host-and-listed, dns: [\"a.bank.example\"] }", ""),
            edited(
                "identity.dns",
                "    identity: { reference: listed, dns: [\"a.bank.example\"] }",
                """
                    identity: { reference: listed, dns: ["a.bank.example", "stranger.example"] }
                """),
        ] + fields

    /// What a profile may write, so that one line can change many hosts.
    static let fields = [
        edited(
            "revocation.preset", "    revocation: { preset: require }",
            "    revocation: { preset: best-effort }"),
        edited(
            "revocation.causes.stale", "    revocation: { causes: { stale: fail } }",
            "    revocation: { causes: { stale: report } }"),
        edited(
            "revocation.scope", "    revocation: { scope: chain }",
            "    revocation: { scope: leaf }"),
        edited(
            "tls.minimum-version", "    tls: { minimum-version: tls1.3 }",
            "    tls: { minimum-version: tls1.2 }"),
        edited(
            "tls.forward-secrecy", "    tls: { forward-secrecy: required }",
            "    tls: { forward-secrecy: not-required }"),
        edited("tls.alpn", "    tls: { alpn: [\"h2\"] }", "    tls: { alpn: [\"h2\", \"h3\"] }"),
        edited(
            "keys.rsa-minimum", "    keys: { rsa-minimum: 4096 }",
            "    keys: { rsa-minimum: 2048 }"),
        edited(
            "keys.types", "    keys: { types: [p384] }", "    keys: { types: [p384, p256] }"),
        edited(
            "signatures.minimum-hash", "    signatures: { minimum-hash: sha384 }",
            "    signatures: { minimum-hash: sha256 }"),
        edited(
            "signatures.schemes", "    signatures: { schemes: [ecdsa] }",
            "    signatures: { schemes: [ecdsa, rsa-pkcs1] }"),
        edited(
            "validity.maximum-lifetime", "    validity: { maximum-lifetime: 90d }",
            "    validity: { maximum-lifetime: 398d }"),
        edited(
            "validity.clock-skew", "    validity: { clock-skew: 5min }",
            "    validity: { clock-skew: 24h }"),
        edited(
            "path.maximum-intermediates", "    path: { maximum-intermediates: 1 }",
            "    path: { maximum-intermediates: 4 }"),
        edited(
            "path.key-purposes", "    path: { key-purposes: [server-auth] }",
            "    path: { key-purposes: [server-auth, client-auth] }"),
        edited(
            "path.explicit-policy",
            "    path: { certificate-policies: [1.2.3.4], explicit-policy: required }",
            "    path: { certificate-policies: [1.2.3.4] }"),
        edited(
            "path.issuance", "    path: { issuance: enforce }",
            "    path: { issuance: report }"),
        edited("checks", "    checks: [short]", ""),
        edited(
            "forbidden-keys.k",
            "    forbidden-keys: { k: { spki: \"\(MarkedLint.otherRoot.certificate.pin)\" } }", ""),
    ]
}

/// What stands around a danger in a pull request.
enum Crowd: Hashable, Sendable {
    case none
    /// Hosts that get stricter.
    case harmless(Int)
    /// Hosts that are newly trusted, on plain terms.
    case trusted(Int)
    /// Hosts that were trusted and change exactly as the host in danger does.
    case decoys(Int, sameOwner: Bool)
    /// The same by one line of a profile.
    case profile(Int)
    /// Hosts that were trusted and lose demands of another field, each its own number of bits.
    case others(Int)
    /// Hosts that were trusted, each by an anchor set of its own, which gets one authority more.
    case sets(Int)
}

/// A pull request: a policy before and after, with one danger and a crowd around it.
struct PullRequest {
    let danger: PlantedDanger?
    let crowd: Crowd

    /// Whether the crowd changes as the host in danger does.
    var isShared: Bool {
        switch crowd {
        case .decoys, .profile: return true
        case .none, .harmless, .trusted, .others, .sets: return false
        }
    }

    static let at = MarkedLint.time

    /// The two policies, compared.
    func compare() throws -> PolicyDiff? {
        let crypto = LibCryptoBackend()
        let tables = [false, true].map { isNew -> PolicyTable? in
            CompilerPipeline.compile(MarkedLint(text(isNew: isNew)).unit(), crypto: crypto).table
        }
        guard let old = tables[0], let new = tables[1] else { return nil }
        return try RandomPair.question([old, new], since: Self.at).compare(crypto: crypto)
    }

    /// The policy.
    func text(isNew: Bool) -> String {
        let lines = danger.map { isNew ? $0.new : $0.old } ?? ""
        let opened = danger?.form == .opened ? lines : "deny"
        let set = danger?.form == .set ? lines : "{ files: [corp.pem] }"
        var shared = ""
        if case .profile = crowd { shared = "  shared:\n    extends: org\n\(lines)\n" }
        return """
            hawser: 1
            default: \(opened)
            anchors:
              corp: { files: [corp.pem] }
              other: { files: [other.pem] }
              bank-ca: \(set)
            \(sets(isNew))pins:
              keys:
                keys: { now: { spki: \(MarkedLint.root.certificate.pin), at: any } }
                backups: { next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
            profiles:
              org:
                revocation: { preset: require }
                tls: { minimum-version: tls1.3 }
                keys: { rsa-minimum: 3072 }
              loose:
                extends: baseline
            \(shared)rules:

            """ + treasury(lines, isNew) + keep + crowd(lines, isNew)
    }

    /// The anchor sets of the crowd.
    private func sets(_ isNew: Bool) -> String {
        guard case .sets(let count) = crowd else { return "" }
        let files = isNew ? "corp.pem, other.pem" : "corp.pem"
        return (0..<count).map { "  c\($0): { files: [\(files)] }\n" }.joined()
    }

    /// Rules that do not change, most of them of profile `org`.
    private var keep: String {
        (0..<4).map { rule("keep-\($0)", "k\($0).keep.example", "owner: keep\n    profile: org") }
            .joined()
    }

    private func treasury(_ lines: String, _ isNew: Bool) -> String {
        guard let danger else { return "" }
        switch danger.form {
        case .edited:
            return rule("treasury", PlantedDanger.host, body(lines, owner: "treasury"))
        case .new:
            return isNew ? rule("treasury", PlantedDanger.host, body(lines, owner: "treasury")) : ""
        case .opened: return ""
        case .set:
            return rule(
                "treasury", PlantedDanger.host, "owner: treasury\n    anchors: [bank-ca]")
        }
    }

    /// The lines of a rule with an owner: the lines of the danger, or the shared profile.
    private func body(_ lines: String, owner: String) -> String {
        if case .profile = crowd { return "owner: \(owner)\n    profile: shared" }
        return "owner: \(owner)\n\(lines)"
    }

    private func rule(_ id: String, _ host: String, _ body: String) -> String {
        let anchors = body.contains("anchors: [") ? "" : "    anchors: [corp]\n"
        // A new rule without a profile of its own takes the usual one, unless that is the danger.
        return "  \(id):\n    hosts: [\"\(host)\"]\n\(anchors)    \(body)\n"
    }

    private func crowd(_ lines: String, _ isNew: Bool) -> String {
        func rules(_ count: Int, _ body: (Int) -> String) -> String {
            (0..<count).map { rule("r\($0)", "s\($0).aaa.example", body($0)) }.joined()
        }
        switch crowd {
        case .none: return ""
        case .harmless(let count):
            return rules(count) { _ in
                "owner: web\n    profile: org\n    keys: { rsa-minimum: \(isNew ? 4096 : 3072) }"
            }
        case .trusted(let count):
            return isNew ? rules(count) { _ in "owner: web\n    profile: org" } : ""
        case .decoys(let count, let sameOwner):
            switch danger?.form {
            case .edited:
                return rules(count) { body(lines, owner: sameOwner ? "treasury" : "o\($0)") }
            case .new:
                return isNew
                    ? rules(count) { body(lines, owner: sameOwner ? "treasury" : "o\($0)") } : ""
            case .set:
                return rules(count) {
                    "owner: \(sameOwner ? "treasury" : "o\($0)")\n    anchors: [bank-ca]"
                }
            case .opened, nil:
                return isNew ? rules(count) { "owner: o\($0)\n    profile: org" } : ""
            }
        case .profile(let count): return rules(count) { body(lines, owner: "o\($0 % 7)") }
        case .sets(let count):
            return rules(count) { "owner: o\($0)\n    profile: org\n    anchors: [c\($0)]" }
        case .others(let count):
            return rules(count) {
                "owner: o\($0)\n    profile: org\n    validity: "
                    + "{ maximum-lifetime: \((isNew ? 400 : 200) + $0)h }"
            }
        }
    }
}

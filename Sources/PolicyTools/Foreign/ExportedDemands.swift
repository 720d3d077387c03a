import PolicyCompiler
import Rendering
import TrustEngine

/// The demands of a body that formats of proxies and clusters have words for: anchors that need no
/// terms, names, and pins of the server's own key.
struct ExportedDemands {
    /// The anchors of a body. A format that has either the system's CAs or certificates takes the
    /// certificates, which is stricter.
    enum Anchors: Hashable {
        /// No path can end, or the anchors are keys that the format cannot name.
        case nothing
        case system
        /// Certificates in DER, in the order of the sets.
        case certificates([[UInt8]])
        /// The body's pins of end entities are its anchors.
        case pinnedLeaves
    }

    let anchors: Anchors
    /// The digests of the first pin set whose entries are all of the end entity; empty without one.
    let leafPins: [(digest: String, isOfCertificate: Bool)]
    /// Whether some check is waived as of the instant.
    let waivesIdentity: Bool
    let waivesPath: Bool
    let waivesExpired: Bool

    /// A tolerance that stands for every age: a hundred years, as imports write it.
    private static let everyAge = 36_500 * 86_400 as Int64

    init(_ body: RuleBody, in policy: ExportedPolicy) {
        var system = false
        var members: [[UInt8]] = []
        for set in policy.anchorSets(of: body) where set.canEndPaths {
            system = system || set.namesSystemStore
            for group in set.groups {
                guard case .members(let certificates) = group.source else { continue }
                members += certificates.filter { !members.contains($0) }
            }
        }
        let sets = policy.pinSets(of: body)
        let leaves = sets.first { set in
            (set.keys + set.backups).allSatisfy { $0.position == .leaf }
        }
        leafPins = leaves.map(Self.digests) ?? []
        if body.anchorsArePinnedKeys {
            anchors = sets.count == 1 && !leafPins.isEmpty ? .pinnedLeaves : .nothing
        } else if !members.isEmpty {
            anchors = .certificates(members)
        } else {
            anchors = system ? .system : .nothing
        }
        let waived = body.waivers.map(\.tolerance)
        waivesIdentity = waived.contains(.identity)
        waivesPath = waived.contains(.path)
        waivesExpired = waived.contains { tolerance in
            guard case .expired(let seconds) = tolerance else { return false }
            return seconds >= Self.everyAge
        }
    }

    /// The digests of a set, without the digest that no key has.
    private static func digests(
        _ set: PinSetContents
    ) -> [(digest: String, isOfCertificate: Bool)] {
        var found: [(digest: String, isOfCertificate: Bool)] = []
        let none = [UInt8](repeating: 0, count: 32)
        for match in (set.keys + set.backups).flatMap(\.matches)
        where match.digest.algorithm == .sha256 && match.digest.bytes != none {
            let isOfCertificate = match.kind != .spki
            let digest =
                isOfCertificate
                ? Hexadecimal.encode(match.digest.bytes) : Base64.encode(match.digest.bytes)
            guard !found.contains(where: { $0.digest == digest }) else { continue }
            found.append((digest, isOfCertificate))
        }
        return found
    }
}

/// An exact host of a policy, with the body that decides it.
struct ExportedHost {
    /// A canonical name or an address.
    let host: String
    let isAddress: Bool
    /// Nil for every port.
    let port: Int?
    let body: RuleBody

    /// The exact hosts of a policy, by their names and ports. Denied hosts, wildcards and networks
    /// are left out: a format that names servers one by one has no words for them.
    static func all(_ policy: ExportedPolicy) -> [ExportedHost] {
        var hosts: [(key: String, host: ExportedHost)] = []
        policy.table.forEachPattern { pattern, rule in
            let name: String
            let isAddress: Bool
            switch pattern.host {
            case .name(let text): (name, isAddress) = (text, false)
            case .address(let address): (name, isAddress) = (address.description, true)
            case .oneLabel, .anyLabels, .network: return
            }
            let decision = DatedRules.Decision(rule: Int(rule), pattern: pattern)
            guard let body = policy.body(of: decision) else { return }
            hosts.append(
                (
                    pattern.canonicalText,
                    ExportedHost(
                        host: name, isAddress: isAddress, port: pattern.port.map(Int.init),
                        body: body)
                ))
        }
        return hosts.sorted { $0.key < $1.key }.map(\.host)
    }
}

/// Parts of YAML that exports write.
enum ExportedYAML {
    /// A text in double quotes. Names, addresses, digests and URIs of a policy need no escape.
    static func quoted(_ text: String) -> String { "\"\(text)\"" }

    /// A name of lower-case letters, digits, `-` and `.`: in quotes if YAML could take it for
    /// another type.
    static func word(_ name: String) -> String {
        let isLetter = name.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
        return isLetter && AmbiguousScalar.problem(of: name) == nil ? name : quoted(name)
    }

    /// A literal block of PEM below a key.
    static func pem(_ key: String, _ ders: [[UInt8]], indent: String) -> [String] {
        let text = String(decoding: PEMText.certificates(ders), as: UTF8.self)
        return ["\(indent)\(key): |"] + text.split(separator: "\n").map { "\(indent)  \($0)" }
    }

    /// The mark of an export as comments.
    static func mark(_ policy: ExportedPolicy) -> [String] {
        ExportMark.lines(policy).map { "# \($0)" }
    }
}

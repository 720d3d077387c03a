import PolicyCompiler
import Rendering
package import TrustEngine

/// `Bundle` of trust-manager as a target of exports: `TrustBundle` is its model.
package struct TrustManagerTarget: ForeignTarget {
    package static let name = "trust-manager"
    package static let title = "a Bundle of trust-manager"
    package static let system = "trust-manager"
    package static let usualFile = "trust-bundle.yaml"
    package static let unstated = TrustBundleExport.unstated

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        try TrustBundle.meaning(of: file)
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        try TrustBundleExport(policy).file(over: existing) { export in
            var lines = [
                "apiVersion: trust.cert-manager.io/v1alpha1", "kind: Bundle", "metadata:",
                "  name: hawser", "spec:",
            ]
            guard export.usesSystem || !export.members.isEmpty else {
                return lines + ["  sources: []"]
            }
            lines.append("  sources:")
            if export.usesSystem { lines.append("    - useDefaultCAs: true") }
            if !export.members.isEmpty {
                let pem = ExportedYAML.pem("inLine", export.members, indent: "      ")
                lines.append("    - " + pem[0].dropFirst(6))
                lines += pem.dropFirst()
            }
            return lines + ["  target:", "    configMap:", "      key: ca.crt"]
        }
    }
}

/// `ClusterTrustBundle` of Kubernetes as a target of exports: `TrustBundle` is its model.
package struct ClusterTrustBundleTarget: ForeignTarget {
    package static let name = "cluster-trust-bundle"
    package static let title = "a ClusterTrustBundle of Kubernetes"
    package static let system = "Kubernetes"
    package static let usualFile = "cluster-trust-bundle.yaml"
    package static let unstated = TrustBundleExport.unstated

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        try TrustBundle.meaning(of: file)
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        try TrustBundleExport(policy).file(over: existing) { export in
            // An object holds certificates and cannot name the system's CAs.
            let lines = [
                "apiVersion: certificates.k8s.io/v1beta1", "kind: ClusterTrustBundle", "metadata:",
                "  name: hawser", "spec:",
            ]
            guard !export.members.isEmpty else { return [] }
            return lines + ExportedYAML.pem("trustBundle", export.members, indent: "  ")
        }
    }
}

/// The anchors of a policy as one bundle: of `default`, or, if that denies, of every
/// exported host together.
struct TrustBundleExport {
    /// What a bundle states for no host.
    static let unstated = [
        "revocation", "transparency", "pins", "tls", "keys", "signatures", "path", "validity",
        "identity", "forbidden-keys", "checks",
    ]

    let usesSystem: Bool
    let members: [[UInt8]]
    private let policy: ExportedPolicy

    init(_ policy: ExportedPolicy) {
        self.policy = policy
        var bodies: [RuleBody] = []
        if let body = policy.body(of: policy.fallback) {
            bodies = [body]
        } else {
            for rule in policy.contents.rules.indices {
                let decision = DatedRules.Decision(rule: rule, pattern: nil)
                if let body = policy.body(of: decision) { bodies.append(body) }
            }
        }
        var system = false
        var members: [[UInt8]] = []
        var seen: Set<[UInt8]> = []
        for body in bodies {
            for set in policy.anchorSets(of: body) where set.canEndPaths {
                system = system || set.namesSystemStore
                for group in set.groups {
                    guard case .members(let certificates) = group.source else { continue }
                    members += certificates.filter { seen.insert($0).inserted }
                }
            }
        }
        usesSystem = system
        self.members = members
    }

    func file(
        over existing: [UInt8]?, _ lines: (TrustBundleExport) -> [String]
    ) throws(ForeignError) -> ExportedFile {
        let text = (ExportedYAML.mark(policy) + lines(self)).map { $0 + "\n" }.joined()
        guard let existing else { return ExportedFile(Array(text.utf8)) }
        _ = try DocumentNode.documents(existing)
        return ExportedFile(Array(text.utf8), wasExported: ExportMark.isIn(existing))
    }
}

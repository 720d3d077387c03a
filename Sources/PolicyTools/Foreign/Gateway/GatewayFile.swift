package import PolicyCompiler
package import TrustEngine

/// What manifests of Kubernetes state about TLS to backends, with the place of each part:
/// `BackendTLSPolicy` of the Gateway API, and the `ConfigMap` and `Service` objects beside it.
package struct GatewayFile: Sendable {
    /// An entry of `targetRefs`.
    package struct Target: Hashable, Sendable {
        package let group: String
        package let kind: String
        package let name: String
        /// The name of a port; nil for the whole target.
        package let section: String?
        let range: Range<Int>
    }

    /// An entry of `caCertificateRefs`.
    package struct Reference: Hashable, Sendable {
        package let group: String
        package let kind: String
        package let name: String
        let range: Range<Int>
    }

    /// An entry of `subjectAltNames`.
    package struct AlternativeName: Hashable, Sendable {
        package let isURI: Bool
        package let text: String
        let range: Range<Int>
    }

    /// The values of `mode` in GEP-4152, which is provisional.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        case strict = "Strict"
        case skipsNames = "InsecureSkipSANVerification"
        case skipsAll = "InsecureSkipVerification"
    }

    /// A `BackendTLSPolicy`.
    package struct Policy: Sendable {
        package let namespace: String
        package let name: String
        /// Nil if the manifest states none, as before it is applied.
        package let created: UTCInstant?
        package let targets: [Target]
        package let hostname: String
        package let references: [Reference]
        /// The value of `wellKnownCACertificates`.
        package let wellKnown: (text: String, range: Range<Int>)?
        package let names: [AlternativeName]
        package let mode: (mode: Mode, range: Range<Int>)?
        /// The place of `options`.
        let options: Range<Int>?
        let range: Range<Int>

        /// `namespace/name`, by which policies of one age are ordered.
        package var path: String { "\(namespace)/\(name)" }
    }

    /// A `ConfigMap`.
    package struct Bundle: Sendable {
        /// The text of `ca.crt`; nil without that key.
        package let text: String?
        let range: Range<Int>
    }

    /// A `Service`.
    package struct Service: Hashable, Sendable {
        /// The ports by their names.
        package let ports: [String: Int]
        /// The name that the service is an alias of, with the type `ExternalName`.
        package let externalName: String?
    }

    /// In the order of the file.
    package internal(set) var policies: [Policy] = []
    /// By `namespace/name`.
    package internal(set) var bundles: [String: Bundle] = [:]
    /// By `namespace/name`.
    package internal(set) var services: [String: Service] = [:]
    /// The fields that the API server drops.
    package internal(set) var findings: [Diagnostic] = []

    /// The references to objects that are not in the file: `namespace/name`.
    package var missing: [String] {
        var names: Set<String> = []
        for policy in policies {
            for reference in policy.references where reference.isConfigMap {
                let name = "\(policy.namespace)/\(reference.name)"
                if bundles[name] == nil { names.insert(name) }
            }
        }
        return names.sorted()
    }
}

extension GatewayFile.Reference {
    /// Whether the reference is of the only kind that every implementation has to read.
    package var isConfigMap: Bool { group.isEmpty && kind == "ConfigMap" }
}

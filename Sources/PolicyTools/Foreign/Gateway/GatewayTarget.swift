import PolicyCompiler
import Rendering
package import TrustEngine

/// `BackendTLSPolicy` objects as a target of exports: `GatewayModel` is its model.
package struct GatewayTarget: ForeignTarget {
    package static let name = "backend-tls-policy"
    package static let title = "BackendTLSPolicy objects"
    package static let system = "a gateway"
    package static let usualFile = "backend-tls.yaml"
    package static let unstated = [
        "revocation", "transparency", "pins", "tls", "keys", "signatures", "path", "validity",
        "forbidden-keys", "checks",
    ]

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        GatewayImport.policy(
            of: try GatewayReader.read(file.source.bytes, emptyIsRefused: false),
            source: file.source)
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        let octets = Array(GatewayExport(policy).text.utf8)
        guard let existing else { return ExportedFile(octets) }
        var dropped: [String] = []
        for document in try DocumentNode.documents(existing) {
            let kind = document.value("kind")?.text ?? ""
            if !["BackendTLSPolicy", "ConfigMap", "Service"].contains(kind) {
                dropped.append("an object of the kind `\(kind.prefix(60))`")
            }
        }
        return ExportedFile(
            octets, dropped: dropped.unrepeated, wasExported: ExportMark.isIn(existing))
    }
}

/// Writes a policy as objects of Kubernetes: for each exact name a `BackendTLSPolicy`, its
/// certificates as a `ConfigMap`, and for a name outside the cluster a `Service` of the type
/// `ExternalName`.
struct GatewayExport {
    private let policy: ExportedPolicy
    private let domain = "cluster.local"

    init(_ policy: ExportedPolicy) { self.policy = policy }

    /// A service that policies target.
    private struct Service {
        let name: String
        let namespace: String
        let isAlias: Bool
    }

    var text: String {
        var lines = ExportedYAML.mark(policy)
        var ids = WrittenIDs()
        var aliases: [String: Service] = [:]
        var ports: [String: [Int]] = [:]
        let hosts = ExportedHost.all(policy).filter { !$0.isAddress }
        for host in hosts {
            if let port = host.port { ports[host.host, default: []].append(port) }
            // No alias takes the name of a service of the cluster.
            if let service = inside(host.host), service.namespace == "default" {
                _ = ids.unused(service.name)
            }
        }
        for host in hosts {
            let demands = ExportedDemands(host.body, in: policy)
            guard let validation = validation(host, demands) else { continue }
            let service: Service
            if let inside = inside(host.host) {
                // The file names a port by the name that the service gives it, which a policy does
                // not know.
                guard host.port == nil else { continue }
                service = inside
            } else if let known = aliases[host.host] {
                service = known
            } else {
                service = Service(name: ids.id(host.host), namespace: "default", isAlias: true)
                aliases[host.host] = service
                lines += self.service(service, host.host, ports[host.host] ?? [])
            }
            let id = host.port.map { ids.unused("\(service.name)-\($0)") } ?? service.name
            lines += object(id, service, host.port, validation.lines)
            if let members = validation.members {
                lines += [
                    "---", "apiVersion: v1", "kind: ConfigMap", "metadata:",
                    "  name: \(ExportedYAML.word("\(id)-ca"))",
                    "  namespace: \(ExportedYAML.word(service.namespace))", "data:",
                ]
                lines += ExportedYAML.pem("ca.crt", members, indent: "  ")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The service that a name of the cluster stands for.
    private func inside(_ host: String) -> Service? {
        let parts = host.split(separator: ".", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[2] == "svc.\(domain)" else { return nil }
        return Service(name: parts[0], namespace: parts[1], isAlias: false)
    }

    private func service(_ service: Service, _ host: String, _ ports: [Int]) -> [String] {
        var lines = [
            "---", "apiVersion: v1", "kind: Service", "metadata:", "  name: \(service.name)",
            "  namespace: \(service.namespace)", "spec:", "  type: ExternalName",
            "  externalName: \(ExportedYAML.word(host))", "  ports:",
        ]
        for port in ports.isEmpty ? [443] : ports {
            lines.append("    - { name: port-\(port), port: \(port) }")
        }
        return lines
    }

    private func object(
        _ name: String, _ service: Service, _ port: Int?, _ validation: [String]
    ) -> [String] {
        var lines = [
            "---", "apiVersion: gateway.networking.k8s.io/v1", "kind: BackendTLSPolicy",
            "metadata:", "  name: \(ExportedYAML.word(name))",
            "  namespace: \(ExportedYAML.word(service.namespace))", "spec:",
            "  targetRefs:", "    - group: \"\"", "      kind: Service",
            "      name: \(ExportedYAML.word(service.name))",
        ]
        if let port { lines.append("      sectionName: port-\(port)") }
        lines.append("  validation:")
        let bundle = ExportedYAML.word("\(name)-ca")
        for line in validation { lines.append("    " + line.replacing("\u{1}", with: bundle)) }
        return lines
    }

    /// The lines of `validation`, in which U+0001 stands for the name of the `ConfigMap`, and the
    /// certificates of it. Nil where the objects would accept more.
    private func validation(
        _ host: ExportedHost, _ demands: ExportedDemands
    ) -> (lines: [String], members: [[UInt8]]?)? {
        let identity = host.body.identity
        var lines: [String] = []
        if identity.reference == .listed {
            // A list has at most five names, and fewer are stricter.
            let uris = identity.uri.filter { !$0.hasSuffix("/*") && !$0.hasSuffix("/**") }
            let names =
                identity.dns.filter(GatewaySchema.isName).map { ("Hostname", "hostname", $0) }
                + uris.filter(GatewaySchema.isURI).map { ("URI", "uri", $0) }
            guard !names.isEmpty else { return nil }
            let name = identity.dns.first(where: GatewaySchema.isName) ?? host.host
            lines.append("hostname: \(ExportedYAML.quoted(name))")
            lines.append("subjectAltNames:")
            for (type, key, text) in names.prefix(5) {
                lines.append("  - { type: \(type), \(key): \(ExportedYAML.quoted(text)) }")
            }
        } else {
            lines.append("hostname: \(ExportedYAML.quoted(host.host))")
        }
        guard GatewaySchema.isName(host.host) else { return nil }
        switch demands.anchors {
        case .nothing, .pinnedLeaves: return nil
        case .system:
            return (lines + ["wellKnownCACertificates: System"], nil)
        case .certificates(let members):
            lines += [
                "caCertificateRefs:",
                "  - { group: \"\", kind: ConfigMap, name: \u{1} }",
            ]
            return (lines, members)
        }
    }
}

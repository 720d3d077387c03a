import PolicyCompiler
import Rendering
package import TrustEngine

/// Clusters of Envoy as a target of exports: `EnvoyModel` is its model.
package struct EnvoyTarget: ForeignTarget {
    package static let name = "envoy"
    package static let title = "clusters of Envoy"
    package static let system = "Envoy"
    package static let usualFile = "envoy.yaml"
    package static let unstated = [
        "revocation", "transparency", "keys", "signatures", "path", "validity", "forbidden-keys",
        "checks", "tls.forward-secrecy", "tls.cipher-suites", "tls.groups",
        "tls.signature-schemes", "tls.alpn",
    ]

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        let read = try EnvoyReader.read(file.source.bytes, emptyIsRefused: false)
        var certificates: [String: [Certificate]] = [:]
        for path in read.paths {
            guard let octets = file.companion(path) else { continue }
            certificates[path] = try ForeignCertificates.read(octets, named: path, at: 0..<0)
        }
        return EnvoyImport.policy(of: read, source: file.source, certificates: certificates)
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        let octets = Array(EnvoyExport(policy).text.utf8)
        guard let existing else { return ExportedFile(octets) }
        var dropped: [String] = []
        for document in try DocumentNode.documents(existing) {
            for entry in document.entries where entry.key != "static_resources" {
                dropped.append("`\(entry.key.prefix(60))`")
            }
            for entry in document.value("static_resources")?.entries ?? []
            where entry.key != "clusters" {
                dropped.append("`\(entry.key.prefix(60))`")
            }
        }
        return ExportedFile(
            octets, dropped: dropped.unrepeated, wasExported: ExportMark.isIn(existing))
    }
}

/// Writes a policy as clusters of Envoy, one for each exact host.
struct EnvoyExport {
    private let policy: ExportedPolicy

    init(_ policy: ExportedPolicy) { self.policy = policy }

    var text: String {
        var lines = ExportedYAML.mark(policy)
        lines.append("# A cluster without `load_assignment` needs its endpoints.")
        let clusters = ExportedHost.all(policy).flatMap(cluster)
        if clusters.isEmpty {
            lines += ["static_resources:", "  clusters: []"]
        } else {
            lines += ["static_resources:", "  clusters:"] + clusters
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The lines of a cluster; empty for a host whose demands have no words here.
    private func cluster(_ host: ExportedHost) -> [String] {
        let demands = ExportedDemands(host.body, in: policy)
        guard let validation = validation(host, demands) else { return [] }
        let port = host.port ?? (host.isAddress ? 443 : nil)
        let name = port.map { "\(host.host):\($0)" } ?? host.host
        var lines = ["    - name: \(ExportedYAML.quoted(name))"]
        if let port {
            lines += [
                "      type: \(host.isAddress ? "STATIC" : "STRICT_DNS")", "      load_assignment:",
                "        cluster_name: \(ExportedYAML.quoted(name))", "        endpoints:",
                "          - lb_endpoints:", "              - endpoint:",
                "                  address:",
                "                    socket_address: { address: "
                    + "\(ExportedYAML.quoted(host.host)), port_value: \(port) }",
            ]
        }
        lines += [
            "      transport_socket:", "        name: envoy.transport_sockets.tls",
            "        typed_config:",
            "          \"@type\": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3"
                + ".UpstreamTlsContext",
        ]
        if !host.isAddress { lines.append("          sni: \(ExportedYAML.quoted(host.host))") }
        let checksName = checksServerName(host, demands)
        if checksName { lines.append("          auto_sni_san_validation: true") }
        lines.append("          common_tls_context:")
        lines += parameters(host.body).map { "            \($0)" }
        if validation.isEmpty {
            lines.append("            validation_context: {}")
        } else {
            lines.append("            validation_context:")
            lines += validation.map { "              \($0)" }
        }
        return lines
    }

    /// Whether the server name takes the place of a list of names.
    private func checksServerName(_ host: ExportedHost, _ demands: ExportedDemands) -> Bool {
        guard !host.isAddress, !demands.waivesIdentity else { return false }
        return host.body.identity.reference != .listed
    }

    /// The lines of the validation context; nil where the file would accept more.
    private func validation(_ host: ExportedHost, _ demands: ExportedDemands) -> [String]? {
        if demands.waivesPath, demands.waivesIdentity, demands.waivesExpired,
            host.body.pins.isEmpty
        {
            return []
        }
        var lines: [String] = []
        switch demands.anchors {
        case .nothing: return nil
        case .system:
            lines.append("trusted_ca: { filename: /etc/ssl/certs/ca-certificates.crt }")
        case .certificates(let members):
            lines += ["trusted_ca:"] + ExportedYAML.pem("inline_string", members, indent: "  ")
        case .pinnedLeaves:
            // Without a CA Envoy looks at neither names nor dates.
            guard demands.waivesIdentity, demands.waivesExpired else { return nil }
            return pins(demands)
        }
        if demands.waivesExpired { lines.append("allow_expired_certificate: true") }
        lines += pins(demands)
        if demands.waivesIdentity || checksServerName(host, demands) { return lines }
        let matchers = matchers(host)
        guard !matchers.isEmpty else { return nil }
        return lines + ["match_typed_subject_alt_names:"] + matchers
    }

    private func pins(_ demands: ExportedDemands) -> [String] {
        var lines: [String] = []
        for (key, isOfCertificate) in [
            ("verify_certificate_spki", false), ("verify_certificate_hash", true),
        ] {
            let digests = demands.leafPins.filter { $0.isOfCertificate == isOfCertificate }
            guard !digests.isEmpty else { continue }
            lines.append("\(key):")
            lines += digests.map { "  - \(ExportedYAML.quoted($0.digest))" }
        }
        return lines
    }

    /// The names of a body, one of which suffices. URIs with a wildcard for one segment are left
    /// out.
    private func matchers(_ host: ExportedHost) -> [String] {
        let identity = host.body.identity
        func line(_ kind: String, _ way: String, _ text: String) -> String {
            "  - { san_type: \(kind), matcher: { \(way): \(ExportedYAML.quoted(text)) } }"
        }
        guard identity.reference == .listed else {
            return [line("IP_ADDRESS", "exact", host.host)]
        }
        var lines = identity.dns.map { line("DNS", "exact", $0) }
        lines += identity.ip.map { line("IP_ADDRESS", "exact", $0.description) }
        lines += identity.email.filter { !$0.contains("\"") && !$0.contains("\\") }
            .map { line("EMAIL", "exact", $0) }
        for uri in identity.uri {
            if uri.hasSuffix("/**") {
                lines.append(line("URI", "prefix", String(uri.dropLast(2))))
            } else if !uri.hasSuffix("/*") {
                lines.append(line("URI", "exact", uri))
            }
        }
        return lines
    }

    private func parameters(_ body: RuleBody) -> [String] {
        let tls = body.requirements.tls
        var minimum = tls.minimumVersion == .tls13 ? "TLSv1_3" : "TLSv1_2"
        for case .tls(let version) in body.waivers.map(\.tolerance) {
            if version == .tls10 { minimum = "TLSv1_0" }
            if version == .tls11 { minimum = "TLSv1_1" }
        }
        // Envoy's own default for servers that it connects to is TLS 1.2.
        let maximum = tls.maximumVersion == .tls13 ? "TLSv1_3" : "TLSv1_2"
        return [
            "tls_params:", "  tls_minimum_protocol_version: \(minimum)",
            "  tls_maximum_protocol_version: \(maximum)",
        ]
    }
}

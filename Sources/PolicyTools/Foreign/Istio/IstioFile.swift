import PolicyCompiler

/// What `DestinationRule` objects of Istio state about TLS to servers, with the place of each part.
///
/// Sources:
///
/// - istio/api, `networking/v1alpha3/destination_rule.proto`: settings of a port replace the
///   settings of the destination. A short name is completed with the namespace of the rule. One of
///   `subjectAltNames` suffices. `caCertificates: system` stands for the CAs of the system.
/// - istio/istio, `pkg/config/analysis/analyzers/destinationrule/ca-certificates.go`: with the
///   modes `SIMPLE` and `MUTUAL` and without `caCertificates` no certificate of the server is
///   verified. A `credentialName` holds CA certificates only for the proxies that
///   `workloadSelector` selects.
///
/// An installation with `VERIFY_CERTIFICATE_AT_CLIENT` takes the CAs of the system instead. The
/// model takes the reading of Istio's own analyzer, which warns in either case.
package struct IstioFile: Sendable {
    /// The values of `mode`.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        case disable = "DISABLE"
        case simple = "SIMPLE"
        case mutual = "MUTUAL"
        case istioMutual = "ISTIO_MUTUAL"
    }

    /// The anchors of a server's chain.
    package enum Trust: Hashable, Sendable {
        /// Any certificate passes.
        case anything
        case system
        case file(String)
        /// A secret of the cluster.
        case secret(String)
        /// The CA of the mesh.
        case mesh
        /// Without TLS.
        case cleartext
    }

    /// The settings of a destination or of a port.
    package struct Level: Sendable {
        /// Nil for the destination.
        package let port: Int?
        package let mode: Mode
        package let trust: Trust
        /// Names of which a certificate must present one; empty for any name.
        package let names: [String]
        package let serverName: String?
        let range: Range<Int>
    }

    /// A `DestinationRule`.
    package struct Rule: Sendable {
        package let name: String
        package let namespace: String
        package let host: String
        package let levels: [Level]
        /// The place of subsets with settings of their own.
        let subsets: Range<Int>?
        let range: Range<Int>
    }

    package private(set) var rules: [Rule] = []

    /// The paths of files with CA certificates. Each once.
    package var paths: [String] {
        var paths: Set<String> = []
        for case .file(let path) in rules.flatMap({ $0.levels.map(\.trust) }) {
            paths.insert(path)
        }
        return paths.sorted()
    }

    /// Reads a file.
    ///
    /// - Throws: HX101 or HX501 with the place of the first fault.
    package static func read(_ bytes: [UInt8]) throws(ForeignError) -> IstioFile {
        var file = IstioFile()
        for document in try DocumentNode.documents(bytes) {
            let objects =
                document.value("kind")?.text?.hasSuffix("List") ?? false
                ? document.value("items")?.items ?? [] : [document]
            for object in objects where object.value("kind")?.text == "DestinationRule" {
                file.rules.append(try rule(object))
            }
        }
        guard !file.rules.isEmpty else {
            throw ForeignError(
                .configurationRefused, "the file has no `DestinationRule`", at: 0..<0)
        }
        return file
    }

    private static func rule(_ node: DocumentNode) throws(ForeignError) -> Rule {
        let metadata = node.value("metadata")
        guard let spec = node.value("spec"), let host = spec.value("host") else {
            throw ForeignError(
                .configurationRefused, "`spec.host` is required", at: node.range.prefix(1))
        }
        let policy = spec.value("trafficPolicy")
        let isSelected = spec.value("workloadSelector") != nil
        var levels: [Level] = []
        if let tls = policy?.value("tls") {
            levels.append(try level(tls, port: nil, isSelected: isSelected))
        }
        let ports = policy?.value("portLevelSettings")
        for item in try ports?.requireItems("portLevelSettings", upTo: 1_000) ?? [] {
            guard let tls = item.value("tls") else { continue }
            guard let number = item.value("port")?.value("number") else {
                throw ForeignError(
                    .configurationRefused, "settings of a port need `port.number`",
                    at: item.range.prefix(1))
            }
            let port = try number.requireKubernetesNumber("number", upTo: 65_535)
            levels.append(try level(tls, port: port, isSelected: isSelected))
        }
        let subsets = spec.value("subsets")
        let isOwn = (subsets?.items ?? []).contains { $0.value("trafficPolicy") != nil }
        return Rule(
            name: try metadata?.value("name")?.requireKubernetesText("name") ?? "",
            namespace: try metadata?.value("namespace")?.requireKubernetesText("namespace")
                ?? "default",
            host: try host.requireKubernetesText("host"), levels: levels,
            subsets: isOwn ? subsets?.range.prefix(1) : nil, range: host.range)
    }

    private static func level(
        _ tls: DocumentNode, port: Int?, isSelected: Bool
    ) throws(ForeignError) -> Level {
        let written = try tls.value("mode")?.requireKubernetesText("mode") ?? "DISABLE"
        guard let mode = Mode(rawValue: written) else {
            throw ForeignError(
                .configurationRefused,
                "`mode` takes `DISABLE`, `SIMPLE`, `MUTUAL` or `ISTIO_MUTUAL`",
                at: tls.value("mode")?.range ?? tls.range.prefix(1))
        }
        let authority =
            try tls.value("caCertificates")?.requireKubernetesText("caCertificates") ?? ""
        let secret = try tls.value("credentialName")?.requireKubernetesText("credentialName") ?? ""
        let skips =
            try tls.value("insecureSkipVerify")?.requireFlag("insecureSkipVerify") ?? false
        let trust: Trust
        switch mode {
        case .disable: trust = .cleartext
        case .istioMutual: trust = .mesh
        case .simple, .mutual:
            if skips {
                trust = .anything
            } else if authority == "system" {
                trust = .system
            } else if !authority.isEmpty {
                trust = .file(authority)
            } else if !secret.isEmpty, isSelected {
                trust = .secret(secret)
            } else {
                trust = .anything
            }
        }
        var names: [String] = []
        let list = tls.value("subjectAltNames")
        for item in try list?.requireItems("subjectAltNames", upTo: 1_000) ?? [] {
            names.append(try item.requireKubernetesText("subjectAltNames"))
        }
        return Level(
            port: port, mode: mode, trust: trust, names: names,
            serverName: try tls.value("sni")?.requireKubernetesText("sni"),
            range: tls.value("mode")?.range ?? tls.range.prefix(1))
    }
}

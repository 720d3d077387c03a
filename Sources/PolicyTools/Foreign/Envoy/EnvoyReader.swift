import PolicyCompiler
import TrustEngine

/// Reads static configuration of Envoy: a bootstrap with `static_resources`, a file of resources
/// with `resources`, a list of resources, or resources as documents of their own. Names of fields
/// are in snake case or in lower camel case, as Envoy takes them.
///
/// In the messages that decide which server is trusted, a field that is not known is refused, as
/// Envoy refuses it in static configuration. Certificates and private keys of Envoy's own are not
/// read.
package struct EnvoyReader {
    private var file = EnvoyFile()

    /// Reads a file.
    ///
    /// - Parameter emptyIsRefused: whether a file without resources is refused.
    /// - Throws: HX101 or HX501 with the place of the first fault.
    package static func read(
        _ bytes: [UInt8], emptyIsRefused: Bool = true
    ) throws(ForeignError) -> EnvoyFile {
        var reader = EnvoyReader()
        for document in try DocumentNode.documents(bytes) {
            try reader.root(document)
        }
        let file = reader.file
        guard
            !emptyIsRefused || !file.clusters.isEmpty || !file.secrets.isEmpty
                || !file.downstream.isEmpty
        else {
            throw ForeignError(
                .configurationRefused, "the file has no cluster, listener or secret of Envoy",
                at: 0..<0,
                help: ["give a bootstrap with `static_resources`, or a list of clusters"])
        }
        return file
    }

    // MARK: Resources

    private mutating func root(_ node: DocumentNode) throws(ForeignError) {
        if node.isList {
            for item in node.items { try resource(item) }
            return
        }
        _ = try node.requireMap("the document")
        if let resources = node.field("static_resources") {
            _ = try resources.requireMap("static_resources")
            for item in try resources.field("clusters")?.requireItems("clusters") ?? [] {
                try cluster(item)
            }
            for item in try resources.field("listeners")?.requireItems("listeners") ?? [] {
                try listener(item)
            }
            for item in try resources.field("secrets")?.requireItems("secrets") ?? [] {
                try secret(item)
            }
        } else if let resources = node.field("resources") {
            for item in try resources.requireItems("resources") { try resource(item) }
        } else {
            try resource(node)
        }
    }

    /// A resource of any type, known by its `@type` or by its fields.
    private mutating func resource(_ node: DocumentNode) throws(ForeignError) {
        _ = try node.requireMap("a resource")
        let type = node.value("@type")?.text ?? ""
        if type.hasSuffix(".Secret") || node.field("validation_context") != nil
            || node.field("tls_certificate") != nil
        {
            try secret(node)
        } else if type.hasSuffix(".Listener") || node.field("filter_chains") != nil
            || node.field("default_filter_chain") != nil
        {
            try listener(node)
        } else if type.hasSuffix(".Cluster")
            || ["load_assignment", "transport_socket", "transport_socket_matches", "tls_context"]
                .contains(where: { node.field($0) != nil })
            || (type.isEmpty && node.field("name") != nil
                && ["connect_timeout", "type", "lb_policy", "eds_cluster_config"]
                    .contains { node.field($0) != nil })
        {
            try cluster(node)
        }
    }

    private mutating func secret(_ node: DocumentNode) throws(ForeignError) {
        _ = try node.requireMap("a secret")
        guard let name = node.field("name"), let context = node.field("validation_context") else {
            return
        }
        let text = try name.requireText("name")
        guard file.secrets[text] == nil else {
            throw ForeignError(
                .configurationRefused, "the secret `\(text.prefix(120))` stands twice",
                at: name.range)
        }
        file.secrets[text] = try validation(context)
    }

    private mutating func listener(_ node: DocumentNode) throws(ForeignError) {
        _ = try node.requireMap("a listener")
        var chains = try node.field("filter_chains")?.requireItems("filter_chains") ?? []
        if let last = node.field("default_filter_chain") { chains.append(last) }
        for chain in chains {
            guard let config = chain.field("transport_socket")?.field("typed_config") else {
                continue
            }
            let context = config.field("downstream_tls_context") ?? config
            guard let common = context.field("common_tls_context"),
                common.field("validation_context") != nil
                    || common.field("combined_validation_context") != nil
                    || common.field("validation_context_sds_secret_config") != nil
            else { continue }
            file.downstream.append(common.range)
        }
    }

    // MARK: Clusters

    private mutating func cluster(_ node: DocumentNode) throws(ForeignError) {
        _ = try node.requireMap("a cluster")
        let name = try node.field("name")?.requireText("name") ?? ""
        if let old = node.entry("tls_context") ?? node.entry("tlsContext") {
            throw ForeignError(
                .configurationRefused,
                "`tls_context` is of version 2 of Envoy's API, which Envoy no longer reads",
                at: old.keyRange,
                help: ["write `transport_socket` with an `UpstreamTlsContext` of version 3"])
        }
        var sockets: [EnvoyFile.Socket] = []
        for match in try node.field("transport_socket_matches")?
            .requireItems("transport_socket_matches", upTo: 1_000) ?? []
        {
            var labels: [String: String] = [:]
            for entry in match.field("match")?.entries ?? [] {
                labels[entry.key] = entry.value.text ?? ""
            }
            let context = try match.field("transport_socket").flatMap {
                (socket) throws(ForeignError) in try self.context(socket)
            }
            sockets.append(EnvoyFile.Socket(context: context, labels: labels))
        }
        let own = try node.field("transport_socket").flatMap { (socket) throws(ForeignError) in
            try context(socket)
        }
        sockets.append(EnvoyFile.Socket(context: own, labels: nil))
        let place = node.field("name")?.range ?? node.range.lowerBound..<node.range.lowerBound
        file.clusters.append(
            EnvoyFile.Cluster(
                name: name, sockets: sockets, endpoints: try endpoints(node), range: place))
    }

    private func endpoints(_ cluster: DocumentNode) throws(ForeignError) -> [EnvoyFile.Endpoint] {
        var found: [EnvoyFile.Endpoint] = []
        let localities =
            try cluster.field("load_assignment")?.field("endpoints")?.requireItems("endpoints")
            ?? []
        for locality in localities {
            let shared = labels(locality)
            for item in try locality.field("lb_endpoints")?.requireItems("lb_endpoints") ?? [] {
                guard let endpoint = item.field("endpoint"),
                    let socket = endpoint.field("address")?.field("socket_address"),
                    let address = socket.field("address")
                else { continue }
                let hostname = try endpoint.field("hostname")?.requireText("hostname")
                found.append(
                    EnvoyFile.Endpoint(
                        address: try address.requireText("address"),
                        port: try socket.field("port_value")?
                            .requireNumber("port_value", upTo: 65_535),
                        hostname: hostname == "" ? nil : hostname, range: address.range,
                        labels: labels(item).merging(shared) { own, _ in own }))
            }
        }
        return found
    }

    private func labels(_ node: DocumentNode) -> [String: String] {
        var labels: [String: String] = [:]
        let written = node.field("metadata")?.field("filter_metadata")?
            .value("envoy.transport_socket_match")
        for entry in written?.entries ?? [] { labels[entry.key] = entry.value.text ?? "" }
        return labels
    }

    /// The context of a transport socket; nil for a socket without TLS.
    private func context(_ socket: DocumentNode) throws(ForeignError) -> EnvoyFile.Context? {
        var socket = socket
        // A socket may hold another one, as the PROXY protocol's does.
        for _ in 0..<8 {
            _ = try socket.requireMap("transport_socket")
            guard let config = socket.field("typed_config") else { return nil }
            let type = config.value("@type")?.text ?? ""
            if type.hasSuffix(".UpstreamTlsContext") { return try upstream(config) }
            if let inner = config.field("upstream_tls_context") { return try upstream(inner) }
            if type.hasSuffix(".RawBuffer") { return nil }
            if let inner = config.field("tls_socket_config") { return try upstream(inner) }
            guard let inner = config.field("transport_socket") else {
                throw ForeignError(
                    .configurationRefused,
                    "a transport socket of the type `\(type.suffix(120))` cannot be read",
                    at: config.range,
                    help: ["take the cluster out of the file that is imported"])
            }
            socket = inner
        }
        return nil
    }

    private func upstream(_ node: DocumentNode) throws(ForeignError) -> EnvoyFile.Context {
        try refuseUnknown(
            node, "UpstreamTlsContext",
            [
                "@type", "common_tls_context", "sni", "auto_host_sni", "auto_sni_san_validation",
                "allow_renegotiation", "max_session_keys", "enforce_rsa_key_usage",
            ])
        var context = EnvoyFile.Context(range: node.range)
        let name = try node.field("sni")?.requireText("sni")
        context.serverName = name == "" ? nil : name
        context.takesNameOfHost =
            try node.field("auto_host_sni")?.requireFlag("auto_host_sni") ?? false
        context.checksServerName =
            try node.field("auto_sni_san_validation")?.requireFlag("auto_sni_san_validation")
            ?? false
        guard let common = node.field("common_tls_context") else { return context }
        try refuseUnknown(
            common, "CommonTlsContext",
            [
                "tls_params", "tls_certificates", "tls_certificate_sds_secret_configs",
                "tls_certificate_provider_instance", "tls_certificate_certificate_provider",
                "tls_certificate_certificate_provider_instance", "custom_tls_certificate_selector",
                "validation_context", "validation_context_sds_secret_config",
                "combined_validation_context", "validation_context_certificate_provider",
                "validation_context_certificate_provider_instance", "alpn_protocols",
                "custom_handshaker", "key_log",
            ])
        if let written = common.field("validation_context") {
            context.validation = try validation(written)
        } else if let secret = common.field("validation_context_sds_secret_config") {
            context.secret = try self.secretName(secret)
        } else if let combined = common.field("combined_validation_context") {
            if let written = combined.field("default_validation_context") {
                context.validation = try validation(written)
            }
            if let secret = combined.field("validation_context_sds_secret_config") {
                context.secret = try self.secretName(secret)
            }
        }
        try parameters(common, &context)
        return context
    }

    private func secretName(
        _ node: DocumentNode
    ) throws(ForeignError) -> (name: String, range: Range<Int>) {
        let name = node.field("name")
        return (try name?.requireText("name") ?? "", name?.range ?? node.range)
    }

    // MARK: Parameters of TLS

    private func parameters(
        _ common: DocumentNode, _ context: inout EnvoyFile.Context
    ) throws(ForeignError) {
        guard let node = common.field("tls_params") else { return }
        try refuseUnknown(
            node, "TlsParameters",
            [
                "tls_minimum_protocol_version", "tls_maximum_protocol_version", "cipher_suites",
                "ecdh_curves", "signature_algorithms", "compliance_policies",
            ])
        context.minimum = try version(node, "tls_minimum_protocol_version")
        context.maximum = try version(node, "tls_maximum_protocol_version")
        (context.cipherSuites, context.cipherRange) = try texts(node, "cipher_suites")
        (context.curves, context.curveRange) = try texts(node, "ecdh_curves")
        (context.signatureAlgorithms, context.signatureRange) = try texts(
            node, "signature_algorithms")
    }

    private func version(
        _ node: DocumentNode, _ name: String
    ) throws(ForeignError) -> EnvoyFile.Version? {
        guard let value = node.field(name) else { return nil }
        let text = try value.requireText(name)
        if text == "TLS_AUTO" || text == "0" { return nil }
        let versions = EnvoyFile.Version.allCases
        if let number = Int(text), (1...versions.count).contains(number) {
            return versions[number - 1]
        }
        guard let version = EnvoyFile.Version(rawValue: text) else {
            throw ForeignError(
                .configurationRefused, "`\(name)` takes `TLSv1_0` to `TLSv1_3` or `TLS_AUTO`",
                at: value.range)
        }
        return version
    }

    private func texts(
        _ node: DocumentNode, _ name: String
    ) throws(ForeignError) -> (texts: [String], range: Range<Int>?) {
        guard let list = node.field(name) else { return ([], nil) }
        var texts: [String] = []
        for item in try list.requireItems(name, upTo: 1_000) {
            texts.append(try item.requireText(name))
        }
        return (texts, texts.isEmpty ? nil : list.range)
    }

    // MARK: Validation

    private func validation(_ node: DocumentNode) throws(ForeignError) -> EnvoyFile.Validation {
        try refuseUnknown(
            node, "CertificateValidationContext",
            [
                "@type", "trusted_ca", "ca_certificate_provider_instance", "system_root_certs",
                "watched_directory", "verify_certificate_spki", "verify_certificate_hash",
                "match_typed_subject_alt_names", "match_subject_alt_names",
                "require_signed_certificate_timestamp", "crl", "allow_expired_certificate",
                "trust_chain_verification", "custom_validator_config", "only_verify_leaf_cert_crl",
                "max_verify_depth",
            ])
        var validation = EnvoyFile.Validation(range: node.range)
        if let provider = node.entry("ca_certificate_provider_instance")
            ?? node.entry("caCertificateProviderInstance")
        {
            throw ForeignError(
                .certificatesMissing, "a plugin provides the CA certificates, which are not here",
                at: provider.keyRange, help: ["write `trusted_ca`"])
        }
        validation.trustedCA = try node.field("trusted_ca").flatMap {
            (node) throws(ForeignError) in try source(node, "trusted_ca")
        }
        validation.usesSystemRoots = node.field("system_root_certs") != nil
        validation.crl = try node.field("crl").flatMap { (node) throws(ForeignError) in
            try source(node, "crl")
        }
        try pins(node, &validation)
        if let typed = node.field("match_typed_subject_alt_names"), !typed.items.isEmpty {
            for item in try typed.requireItems("match_typed_subject_alt_names", upTo: 1_000) {
                validation.matchers.append(try matcher(item))
            }
        } else if let old = node.field("match_subject_alt_names") {
            for item in try old.requireItems("match_subject_alt_names", upTo: 1_000) {
                validation.matchers.append(try stringMatcher(item, .any, item.range))
            }
        }
        if let mode = node.field("trust_chain_verification") {
            let text = try mode.requireText("trust_chain_verification")
            switch text {
            case "VERIFY_TRUST_CHAIN", "0": break
            case "ACCEPT_UNTRUSTED", "1": validation.acceptsUntrusted = true
            default:
                throw ForeignError(
                    .configurationRefused,
                    "`trust_chain_verification` takes `VERIFY_TRUST_CHAIN` or `ACCEPT_UNTRUSTED`",
                    at: mode.range)
            }
        }
        validation.allowsExpired = try flag(node, "allow_expired_certificate")
        validation.requiresTimestamps = try flag(node, "require_signed_certificate_timestamp")
        validation.maximumDepth = try node.field("max_verify_depth")?
            .requireNumber("max_verify_depth", upTo: 100)
        validation.customValidator = node.field("custom_validator_config")?.range
        return validation
    }

    /// A flag. False counts as absent, as in messages of Protocol Buffers.
    private func flag(_ node: DocumentNode, _ name: String) throws(ForeignError) -> Bool? {
        try node.field(name)?.requireFlag(name) ?? false ? true : nil
    }

    private func source(
        _ node: DocumentNode, _ name: String
    ) throws(ForeignError) -> EnvoyFile.Source? {
        _ = try node.requireMap(name)
        if let path = node.field("filename") {
            return EnvoyFile.Source(
                content: .file(try path.requireText("filename")), range: path.range)
        }
        if let text = node.field("inline_string") {
            return EnvoyFile.Source(
                content: .inline(Array(try text.requireText("inline_string").utf8)),
                range: text.range)
        }
        if let text = node.field("inline_bytes") {
            let written = try text.requireText("inline_bytes")
            guard let octets = Base64.decode(Array(written.utf8)[...]) else {
                throw ForeignError(
                    .configurationRefused, "`inline_bytes` takes base64", at: text.range)
            }
            return EnvoyFile.Source(content: .inline(octets), range: text.range)
        }
        if let variable = node.field("environment_variable") {
            return EnvoyFile.Source(
                content: .other(try variable.requireText("environment_variable")),
                range: variable.range)
        }
        return nil
    }

    private func pins(
        _ node: DocumentNode, _ validation: inout EnvoyFile.Validation
    ) throws(ForeignError) {
        let keys = try node.field("verify_certificate_spki")?
            .requireItems("verify_certificate_spki", upTo: 1_000)
        for item in keys ?? [] {
            guard let digest = ForeignHosts.digest(try item.requireText("a key's hash")) else {
                throw ForeignError(
                    .configurationRefused,
                    "`verify_certificate_spki` takes SHA-256 in base64, 44 characters",
                    at: item.range)
            }
            validation.pins.append(
                EnvoyFile.Pin(digest: digest, isOfCertificate: false, range: item.range))
        }
        let hashes = try node.field("verify_certificate_hash")?
            .requireItems("verify_certificate_hash", upTo: 1_000)
        for item in hashes ?? [] {
            var text = try item.requireText("a certificate's hash").lowercased()
            if text.utf8.count == 95 { text = text.filter { $0 != ":" } }
            guard text.utf8.count == 64,
                text.utf8.allSatisfy({ byte in
                    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                })
            else {
                throw ForeignError(
                    .configurationRefused,
                    "`verify_certificate_hash` takes SHA-256 in hexadecimal, with or without colons",
                    at: item.range)
            }
            validation.pins.append(
                EnvoyFile.Pin(digest: text, isOfCertificate: true, range: item.range))
        }
    }

    private func matcher(_ node: DocumentNode) throws(ForeignError) -> EnvoyFile.Matcher {
        try refuseUnknown(node, "SubjectAltNameMatcher", ["san_type", "matcher", "oid"])
        let type = node.field("san_type")
        let text = try type?.requireText("san_type") ?? ""
        let kinds = ["1": "EMAIL", "2": "DNS", "3": "URI", "4": "IP_ADDRESS", "5": "OTHER_NAME"]
        guard let kind = EnvoyFile.Matcher.Kind(rawValue: kinds[text] ?? text), kind != .any else {
            throw ForeignError(
                .configurationRefused,
                "`san_type` takes `DNS`, `URI`, `EMAIL`, `IP_ADDRESS` or `OTHER_NAME`",
                at: type?.range ?? node.range)
        }
        guard let matcher = node.field("matcher") else {
            throw ForeignError(
                .configurationRefused, "a matcher of names needs `matcher`", at: node.range)
        }
        return try stringMatcher(matcher, kind, node.range)
    }

    private func stringMatcher(
        _ node: DocumentNode, _ kind: EnvoyFile.Matcher.Kind, _ range: Range<Int>
    ) throws(ForeignError) -> EnvoyFile.Matcher {
        _ = try node.requireMap("a matcher")
        let ignoresCase = try node.field("ignore_case")?.requireFlag("ignore_case") ?? false
        for way in [EnvoyFile.Matcher.Way.exact, .prefix, .suffix, .contains] {
            guard let value = node.field(way.rawValue) else { continue }
            return EnvoyFile.Matcher(
                kind: kind, way: way, text: try value.requireText(way.rawValue),
                ignoresCase: ignoresCase, range: range)
        }
        let regex = node.field("safe_regex")?.field("regex")
        return EnvoyFile.Matcher(
            kind: kind, way: regex == nil ? .other : .regex,
            text: try regex?.requireText("regex") ?? "", ignoresCase: ignoresCase, range: range)
    }

    private func refuseUnknown(
        _ node: DocumentNode, _ message: String, _ known: Set<String>
    ) throws(ForeignError) {
        _ = try node.requireMap(message)
        for entry in node.entries where !known.contains(Self.snakeCase(entry.key)) {
            throw ForeignError(
                .configurationRefused,
                "`\(message)` has no field `\(entry.key.prefix(60))`", at: entry.keyRange,
                help: ["Envoy refuses unknown fields in static configuration; correct the name"])
        }
    }

    private static func snakeCase(_ name: String) -> String {
        var text = ""
        for character in name {
            if character.isASCII, character.isUppercase { text += "_" }
            text += character.lowercased()
        }
        return text
    }
}

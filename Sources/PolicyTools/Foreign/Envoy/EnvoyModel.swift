import PolicyCompiler

/// What Envoy does for a server under its static configuration.
///
/// Sources, all of envoyproxy/envoy:
///
/// - `source/common/tls/cert_validator/default_validator.cc`: without `trusted_ca` no chain is
///   verified, and dates are not looked at. A key or certificate hash is of the end entity, and one
///   match of either list suffices. One match of any name matcher suffices, too. Without matchers
///   no name is checked. `auto_sni_san_validation` puts the server name in place of the matchers,
///   if a server name is sent. `ACCEPT_UNTRUSTED` permits whatever fails.
///   `X509_V_FLAG_PARTIAL_CHAIN` makes each certificate of `trusted_ca` an anchor.
/// - `source/common/ssl/certificate_validation_context_config_impl.cc`: names, a CRL and
///   `allow_expired_certificate` without `trusted_ca` are refused. Of the two lists of names, the
///   typed one counts.
/// - `api/envoy/extensions/transport_sockets/tls/v3/common.proto`: cipher suites bind TLS 1.0 to
///   1.2 only; the lowest version is TLS 1.2 by default;
///   `require_signed_certificate_timestamp` has no effect.
/// - `api/envoy/extensions/transport_sockets/tls/v3/tls.proto`: `auto_host_sni` takes the name of
///   the endpoint as server name.
/// - `source/common/tls/context_config_impl.cc`: a secret is merged into
///   `default_validation_context` as messages of Protocol Buffers are: fields that the secret
///   states replace, lists are joined.
/// - `api/envoy/config/cluster/v3/cluster.proto`: the first of `transport_socket_matches` whose
///   labels an endpoint has is its socket; else the cluster's `transport_socket`; else none.
///
/// The model covers only what the file decides. The clusters of routes are not part of it: a
/// cluster counts for the server names that it sends, and without one for its endpoints.
package struct EnvoyModel: Sendable {
    /// The anchors of a server's chain.
    package enum Trust: Sendable {
        /// Any certificate passes.
        case anything
        /// The pinned end entities and nothing else. Dates are not looked at.
        case pinnedKeys
        case system
        case certificates(EnvoyFile.Source)
        /// A custom validator judges.
        case custom(Range<Int>)
    }

    /// The names that a certificate must present.
    package enum Names: Sendable {
        case none
        case serverName
        /// One of the matchers.
        case listed([EnvoyFile.Matcher])
    }

    /// What the file decides for a server.
    package struct Behaviour: Sendable {
        package let trust: Trust
        package let names: Names
        /// One must be of the end entity; empty without pins.
        package let pins: [EnvoyFile.Pin]
        package let permitsExpired: Bool
        package let minimumTLS: EnvoyFile.Version
        /// Nil for Envoy's default.
        package let maximumTLS: EnvoyFile.Version?
        /// The suites of TLS 1.2 and below; empty for Envoy's default.
        package let cipherSuites: [String]
        package let crl: EnvoyFile.Source?
        package let maximumDepth: Int?
        /// Whether a server name is sent in any case.
        package let sendsServerName: Bool
    }

    /// The paths of the system's CAs that Envoy's documentation lists (`security/ssl.rst`).
    package static let systemBundles: Set<String> = [
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/usr/local/etc/ssl/cert.pem", "/etc/ssl/cert.pem",
    ]

    let file: EnvoyFile

    package init(_ file: EnvoyFile) { self.file = file }

    // MARK: Hosts

    /// The endpoints that use a socket of a cluster.
    func endpoints(of socket: Int, in cluster: EnvoyFile.Cluster) -> [EnvoyFile.Endpoint] {
        cluster.endpoints.filter { endpoint in
            let first = cluster.sockets.firstIndex { candidate in
                (candidate.labels ?? [:]).allSatisfy { endpoint.labels[$0.key] == $0.value }
            }
            return first == socket
        }
    }

    /// The hosts and ports that a socket of a cluster is for. A port that is nil stands for every
    /// port.
    package func hosts(
        of socket: Int, in cluster: EnvoyFile.Cluster
    ) -> [(host: String, port: Int?)] {
        let used = endpoints(of: socket, in: cluster)
        var hosts: [(host: String, port: Int?)] = []
        func add(_ host: String, _ port: Int?) {
            guard !hosts.contains(where: { $0.host == host && $0.port == port }) else { return }
            hosts.append((host, port))
        }
        let context = cluster.sockets[socket].context
        if let name = context?.serverName, !(context?.takesNameOfHost ?? false) || used.isEmpty {
            if used.isEmpty { add(name, nil) }
            for endpoint in used { add(name, endpoint.port) }
            return hosts
        }
        for endpoint in used { add(endpoint.hostname ?? endpoint.address, endpoint.port) }
        return hosts
    }

    /// What the file decides for a host on a port; nil for a host without a TLS socket. Of two
    /// sockets for one host the first counts.
    package func behaviour(of host: String, port: Int) throws(ForeignError) -> Behaviour? {
        for cluster in file.clusters {
            for (index, socket) in cluster.sockets.enumerated() {
                guard let context = socket.context else { continue }
                for known in hosts(of: index, in: cluster)
                where known.host.lowercased() == host && (known.port ?? port) == port {
                    return try behaviour(of: context)
                }
            }
        }
        return nil
    }

    // MARK: Contexts

    /// What a context comes to.
    ///
    /// - Throws: HX501 for a context that Envoy refuses, HX502 for a secret that is not given.
    package func behaviour(of context: EnvoyFile.Context) throws(ForeignError) -> Behaviour {
        let validation = try self.validation(of: context)
        try refuse(validation, context)
        let isUntrusted = validation?.acceptsUntrusted ?? false
        let pins = validation?.pins ?? []
        let matchers = validation?.matchers ?? []
        let trust: Trust
        if let custom = validation?.customValidator {
            trust = .custom(custom)
        } else if isUntrusted {
            trust = .anything
        } else if let authority = validation?.trustedCA {
            trust = Self.isSystem(authority) ? .system : .certificates(authority)
        } else if validation?.usesSystemRoots ?? false {
            trust = .system
        } else {
            trust = pins.isEmpty ? .anything : .pinnedKeys
        }
        let names: Names
        if context.checksServerName {
            names = .serverName
        } else {
            names = matchers.isEmpty ? .none : .listed(matchers)
        }
        return Behaviour(
            trust: trust, names: isUntrusted ? .none : names, pins: isUntrusted ? [] : pins,
            permitsExpired: validation?.allowsExpired ?? false,
            minimumTLS: context.minimum ?? .tls12, maximumTLS: context.maximum,
            cipherSuites: context.cipherSuites, crl: isUntrusted ? nil : validation?.crl,
            maximumDepth: isUntrusted ? nil : validation?.maximumDepth,
            sendsServerName: context.serverName != nil || context.takesNameOfHost)
    }

    private static func isSystem(_ source: EnvoyFile.Source) -> Bool {
        guard case .file(let path) = source.content else { return false }
        return systemBundles.contains(path)
    }

    /// The validation of a context with its secret merged in.
    package func validation(
        of context: EnvoyFile.Context
    ) throws(ForeignError) -> EnvoyFile.Validation? {
        guard let secret = context.secret else { return context.validation }
        guard let found = file.secrets[secret.name] else {
            throw ForeignError(
                .certificatesMissing,
                "the secret `\(secret.name)` with the validation is not in the file",
                at: secret.range,
                help: [
                    "add the secret to the file, below `static_resources.secrets` or in a document "
                        + "of its own; nothing is fetched"
                ])
        }
        guard let base = context.validation else { return found }
        return Self.merged(base, with: found)
    }

    /// A message with another one merged into it.
    static func merged(
        _ base: EnvoyFile.Validation, with other: EnvoyFile.Validation
    ) -> EnvoyFile.Validation {
        var merged = base
        merged.trustedCA = other.trustedCA ?? base.trustedCA
        merged.usesSystemRoots = base.usesSystemRoots || other.usesSystemRoots
        merged.matchers += other.matchers
        merged.pins += other.pins
        merged.acceptsUntrusted = other.acceptsUntrusted ?? base.acceptsUntrusted
        merged.allowsExpired = other.allowsExpired ?? base.allowsExpired
        merged.crl = other.crl ?? base.crl
        merged.requiresTimestamps = other.requiresTimestamps ?? base.requiresTimestamps
        merged.maximumDepth = other.maximumDepth ?? base.maximumDepth
        merged.customValidator = other.customValidator ?? base.customValidator
        return merged
    }

    /// Throws for what Envoy refuses.
    private func refuse(
        _ validation: EnvoyFile.Validation?, _ context: EnvoyFile.Context
    ) throws(ForeignError) {
        let hasAnchors = validation?.trustedCA != nil || validation?.usesSystemRoots ?? false
        guard !hasAnchors, validation?.customValidator == nil else { return }
        if let matcher = validation?.matchers.first {
            throw ForeignError(
                .configurationRefused,
                "names are verified without `trusted_ca`, and Envoy refuses that",
                at: matcher.range, help: ["write `trusted_ca`: anyone can make a certificate"])
        }
        if let crl = validation?.crl {
            throw ForeignError(
                .configurationRefused, "a CRL without `trusted_ca` is refused by Envoy",
                at: crl.range)
        }
        if validation?.allowsExpired ?? false {
            throw ForeignError(
                .configurationRefused,
                "`allow_expired_certificate` without `trusted_ca` is refused by Envoy, which then "
                    + "looks at no date", at: validation?.range ?? context.range)
        }
        if context.checksServerName {
            throw ForeignError(
                .configurationRefused,
                "`auto_sni_san_validation` without `trusted_ca` is refused by Envoy",
                at: context.range)
        }
    }
}

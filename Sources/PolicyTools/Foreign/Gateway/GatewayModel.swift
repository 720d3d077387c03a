import TrustEngine

/// What a gateway does for a backend under `BackendTLSPolicy` objects.
///
/// Sources, all of kubernetes-sigs/gateway-api:
///
/// - `apis/v1/backendtlspolicy_types.go`, whose comments are the descriptions of the CRD: the
///   host name is the server name that is sent, and the name that is checked unless
///   `subjectAltNames` are given; then one of these must match. The older of two policies of
///   one target and section decides, then the first by `namespace/name`. A reference is invalid if
///   it is of another kind than `ConfigMap`, in another namespace, or if the key `ca.crt` is
///   missing. Connections fail if every reference is invalid.
/// - `conformance/tests/backendtlspolicy-conflict-resolution.yaml`: a policy for a port of a
///   service does not conflict with a policy for the whole service, and decides for its port.
/// - `geps/gep-4152`, provisional, with the fields proposed in pull request 4779: `mode`.
/// - Kubernetes, "DNS for Services and Pods": the name of a service is
///   `NAME.NAMESPACE.svc.CLUSTER-DOMAIN`. One of the type `ExternalName` is an alias of another
///   name.
///
/// The model covers only what the objects decide. Which versions of TLS are used is left to the
/// gateway.
package struct GatewayModel: Sendable {
    /// The anchors of a backend's chain.
    package enum Trust: Sendable {
        /// Any certificate passes.
        case anything
        case system
        /// Texts in PEM, by the names of their objects: at least one.
        case bundles([(name: String, text: String, range: Range<Int>)])
        /// Every connection fails.
        case nothing
        /// An object is not in the file.
        case missing(String, Range<Int>)
    }

    /// The names of which a certificate must present one.
    package enum Names: Hashable, Sendable {
        case none
        case hostname(String)
        case listed([GatewayFile.AlternativeName])
    }

    /// What a policy decides for its targets.
    package struct Behaviour: Sendable {
        package let trust: Trust
        package let names: Names
        package let serverName: String
        /// Why references are invalid, with their places.
        package let invalid: [(reason: String, range: Range<Int>)]
    }

    let file: GatewayFile
    /// The texts of bundles that are not in the file, by `namespace/name`.
    let outside: [String: String]

    package init(_ file: GatewayFile, outside: [String: String] = [:]) {
        self.file = file
        self.outside = outside
    }

    /// The policy that decides for a port of a service; nil if none does. The port is a name of the
    /// service's ports; nil for a port that no policy names.
    package func policy(
        forService service: String, in namespace: String, port: String?
    ) -> GatewayFile.Policy? {
        func decides(_ section: String?) -> GatewayFile.Policy? {
            file.policies.filter { policy in
                policy.namespace == namespace
                    && policy.targets.contains {
                        $0.isService && $0.name == service && $0.section == section
                    }
            }.min(by: Self.precedes)
        }
        if let port, let found = decides(port) { return found }
        return decides(nil)
    }

    /// Whether a policy takes precedence over another one for the same target.
    static func precedes(_ left: GatewayFile.Policy, _ right: GatewayFile.Policy) -> Bool {
        switch (left.created, right.created) {
        case (let first?, let second?) where first != second: return first < second
        case (.some, nil): return true
        case (nil, .some): return false
        default: return left.path < right.path
        }
    }

    /// What a policy comes to.
    package func behaviour(of policy: GatewayFile.Policy) -> Behaviour {
        let mode = policy.mode?.mode ?? .strict
        var invalid: [(reason: String, range: Range<Int>)] = []
        let names: Names
        if mode != .strict {
            names = .none
        } else if policy.names.isEmpty {
            names = .hostname(policy.hostname)
        } else {
            names = .listed(policy.names)
        }
        let trust =
            mode == .skipsAll ? Trust.anything : self.trust(of: policy, invalid: &invalid)
        return Behaviour(
            trust: trust, names: names, serverName: policy.hostname, invalid: invalid)
    }

    private func trust(
        of policy: GatewayFile.Policy, invalid: inout [(reason: String, range: Range<Int>)]
    ) -> Trust {
        if let wellKnown = policy.wellKnown {
            if wellKnown.text == "System" { return .system }
            invalid.append(
                (
                    "`\(wellKnown.text)` is a set of one implementation, and only `System` is known",
                    wellKnown.range
                ))
            return .nothing
        }
        var texts: [(name: String, text: String, range: Range<Int>)] = []
        for reference in policy.references {
            guard reference.isConfigMap else {
                invalid.append(
                    ("`\(reference.kind)` is not a `ConfigMap` (InvalidKind)", reference.range))
                continue
            }
            let name = "\(policy.namespace)/\(reference.name)"
            if let bundle = file.bundles[name] {
                guard let text = bundle.text else {
                    invalid.append(
                        (
                            "the ConfigMap `\(name)` has no key `ca.crt` (InvalidCACertificateRef)",
                            reference.range
                        ))
                    continue
                }
                texts.append((reference.name, text, reference.range))
            } else if let text = outside[name] {
                texts.append((reference.name, text, reference.range))
            } else {
                return .missing(name, reference.range)
            }
        }
        return texts.isEmpty ? .nothing : .bundles(texts)
    }
}

extension GatewayFile.Target {
    /// Whether the target is a service of Kubernetes.
    package var isService: Bool { group.isEmpty && kind == "Service" }
}

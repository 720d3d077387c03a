package import PolicyCompiler

/// Writes what `BackendTLSPolicy` objects mean as a policy, and finds where the two differ.
///
/// Each service that a policy targets has a rule, for its name in the cluster. The default is
/// `deny`.
package struct GatewayImport {
    private let model: GatewayModel
    private let source: SourceFile
    private let domain: String

    private var policy = WrittenPolicy()
    private var ids = WrittenIDs()
    private var anchors = ForeignAnchors()
    private var findings = ForeignFindings()
    private var errors: [Diagnostic] = []

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - source: the file, whose name the policy cites.
    ///   - bundles: the texts of `ConfigMap` objects that are not in the file, by `namespace/name`.
    ///     An absent one is an error.
    ///   - domain: the cluster's domain.
    ///   - owner: the owner of every rule; nil if nobody was named.
    package static func policy(
        of file: GatewayFile, source: SourceFile, bundles: [String: String] = [:],
        domain: String = "cluster.local", owner: String? = nil
    ) -> ForeignImport {
        var imported = GatewayImport(
            model: GatewayModel(file, outside: bundles), source: source, domain: domain)
        imported.policy.owner = owner
        imported.write()
        return ForeignImport(
            policy: imported.policy, files: imported.anchors.files,
            findings: file.findings + imported.errors + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(model: GatewayModel, source: SourceFile, domain: String) {
        self.model = model
        self.source = source
        self.domain = domain
    }

    /// The name of a service in the cluster, or the name that it is an alias of.
    private func host(_ service: String, _ namespace: String) -> String {
        model.file.services["\(namespace)/\(service)"]?.externalName
            ?? "\(service).\(namespace).svc.\(domain)"
    }

    private mutating func write() {
        policy.heading = [
            "Written by `hawser import backend-tls-policy` from \(source.path).",
            "Notes name the lines of that file. `hawser help foreign-files.md` describes the import.",
        ]
        for policy in model.file.policies {
            var patterns: [String] = []
            for target in policy.targets {
                guard let pattern = self.pattern(of: target, policy) else { continue }
                patterns.append(pattern)
            }
            guard !patterns.isEmpty else { continue }
            rule(policy, patterns)
        }
        policy.anchorSets = anchors.sets
        let used = Set(policy.rules.flatMap(\.body.anchors))
        policy.anchorSets.removeAll { !used.contains($0.id) }
    }

    // MARK: Targets

    /// The pattern of a target that a policy decides; nil for a target of another kind, and where
    /// another policy takes precedence.
    private mutating func pattern(
        of target: GatewayFile.Target, _ policy: GatewayFile.Policy
    ) -> String? {
        guard target.isService else {
            findings.add(
                .hostsUnknown,
                "the target is a `\(target.kind)`, and only the hosts of a `Service` are known",
                at: target.range, .policyIsStricter, ForeignFindings.Hosts(),
                help: ["write a rule for its hosts by hand"])
            return nil
        }
        let service = "\(policy.namespace)/\(target.name)"
        var port: Int?
        if let section = target.section {
            guard let found = model.file.services[service]?.ports[section] else {
                let isKnown = model.file.services[service] != nil
                findings.add(
                    .hostsUnknown,
                    isKnown
                        ? "the service has no port `\(section)`, so the policy attaches to nothing"
                        : "the service `\(service)` is not in the file, so the number of its port "
                            + "`\(section)` is not known",
                    at: target.range, isKnown ? .none : .policyIsStricter, ForeignFindings.Hosts(),
                    help: isKnown ? [] : ["add the `Service` to the file"])
                return nil
            }
            port = found
        }
        guard let pattern = ForeignNames.pattern(host(target.name, policy.namespace), port: port)
        else {
            findings.add(
                .hostsUnknown, "`\(target.name.prefix(120))` is not the name of a service",
                at: target.range, .policyIsStricter, ForeignFindings.Hosts())
            return nil
        }
        let deciding = model.policy(
            forService: target.name, in: policy.namespace, port: target.section)
        guard deciding?.path == policy.path, deciding?.range == policy.range else {
            let isDated = policy.created != nil && deciding?.created != nil
            findings.add(
                .sameHostsTwice,
                "the policy `\(deciding?.path ?? "")` has the same target and takes precedence: it is "
                    + (isDated && policy.created != deciding?.created
                        ? "older" : "first by its name") + " (Conflicted)",
                at: target.range, .none, ForeignFindings.Hosts(patterns: [pattern]),
                help: isDated
                    ? []
                    : ["the file states no time of creation, and in a cluster the older counts"])
            return nil
        }
        return pattern
    }

    // MARK: Rules

    private mutating func rule(_ policy: GatewayFile.Policy, _ patterns: [String]) {
        let found = ForeignFindings.Hosts(patterns: patterns)
        let behaviour = model.behaviour(of: policy)
        do throws(ForeignError) {
            var body = WrittenPolicy.Body()
            if let mode = policy.mode {
                findings.add(
                    .provisionalField,
                    "`mode: \(mode.mode.rawValue)` is a proposal (GEP-4152): servers without it drop "
                        + "the field or refuse the object", at: mode.range, .none, found)
            }
            try trust(behaviour, policy, found, &body)
            names(behaviour, policy, patterns, found, &body)
            for fault in behaviour.invalid {
                findings.add(
                    .invalidReference,
                    fault.reason + ", and connections that need it fail", at: fault.range, .none,
                    found)
            }
            if let options = policy.options {
                findings.add(
                    .demandNotTaken,
                    "`options` mean what one implementation says, and are not taken over",
                    at: options, .other, found)
            }
            body.note = "\(source.path):\(source.line(of: policy.range))"
            self.policy.rules.append(
                WrittenPolicy.Rule(id: ids.id(policy.name), hosts: patterns, body: body))
        } catch {
            errors.append(error.diagnostic)
        }
    }

    private mutating func nothing() -> String {
        anchors.nothing("the file names no CA certificate that is valid")
    }

    private mutating func trust(
        _ behaviour: GatewayModel.Behaviour, _ policy: GatewayFile.Policy,
        _ found: ForeignFindings.Hosts, _ body: inout WrittenPolicy.Body
    ) throws(ForeignError) {
        switch behaviour.trust {
        case .system: body.anchors = ["system"]
        case .nothing: body.anchors = [nothing()]
        case .anything:
            let place = policy.mode?.range ?? policy.range
            findings.add(
                .nothingVerified, "any certificate is accepted", at: place, .policyIsStricter,
                found,
                help: [
                    "the policy has it as waivers, and still rejects weak keys and certificates of "
                        + "another use"
                ])
            body.anchors = ["system"]
            body.waivers += source.waivers(
                [.identity, .path, .expired], "InsecureSkipVerification", place)
        case .missing(let name, let range):
            throw ForeignError(
                .certificatesMissing, "the ConfigMap `\(name)` is not given", at: range,
                help: [
                    "add it to the file, or give a folder that holds "
                        + "`\(name.split(separator: "/").last ?? "").pem`: `--certificates FOLDER`"
                ])
        case .bundles(let bundles):
            var sets: [String] = []
            for bundle in bundles { sets += try self.sets(bundle, found) }
            body.anchors = sets.isEmpty ? [nothing()] : sets
        }
    }

    private mutating func sets(
        _ bundle: (name: String, text: String, range: Range<Int>), _ found: ForeignFindings.Hosts
    ) throws(ForeignError) -> [String] {
        switch ForeignCertificates.read(Array(bundle.text.utf8)) {
        case .certificates(let members):
            return anchors.ids(
                of: members, named: bundle.name,
                note: "ConfigMap \(bundle.name), \(source.path):\(source.line(of: bundle.range))",
                &ids)
        case .privateKey:
            throw ForeignError(
                .configurationRefused,
                "a private key stands among the CA certificates of the ConfigMap `\(bundle.name)`; "
                    + "nothing of it was kept", at: bundle.range,
                help: ["take it out of the object, and replace the key"])
        case .unreadable(let words):
            findings.add(
                .invalidReference,
                "the CA certificates of the ConfigMap `\(bundle.name)` cannot be read: \(words)",
                at: bundle.range, .none, found)
            return []
        }
    }

    private mutating func names(
        _ behaviour: GatewayModel.Behaviour, _ policy: GatewayFile.Policy, _ patterns: [String],
        _ found: ForeignFindings.Hosts, _ body: inout WrittenPolicy.Body
    ) {
        if case .anything = behaviour.trust { return }
        switch behaviour.names {
        case .none:
            let place = policy.mode?.range ?? policy.range
            findings.add(
                .noNameChecked,
                "no name is checked: a certificate of the anchors for any other host passes",
                at: place, .none, found, help: ["the policy has it as a waiver of `identity`"])
            body.waivers += source.waivers([.identity], "InsecureSkipSANVerification", place)
        case .hostname(let name):
            let isHost = patterns.allSatisfy { $0 == name || $0.hasPrefix("\(name):") }
            guard !isHost else { return }
            guard let dns = ForeignNames.dns(name) else {
                notTaken("the host name `\(name)`", policy.range, found)
                body.anchors = [nothing()]
                return
            }
            body.names = WrittenPolicy.Names(dns: [dns])
        case .listed(let list):
            var names = WrittenPolicy.Names()
            for name in list {
                if name.isURI, let uri = ForeignNames.uri(name.text) {
                    if !names.uri.contains(uri) { names.uri.append(uri) }
                } else if !name.isURI, let dns = ForeignNames.dns(name.text) {
                    if !names.dns.contains(dns) { names.dns.append(dns) }
                } else {
                    notTaken("`\(name.text.prefix(120))`", name.range, found)
                }
            }
            if names.isEmpty { body.anchors = [nothing()] } else { body.names = names }
        }
    }

    private mutating func notTaken(
        _ name: String, _ range: Range<Int>, _ found: ForeignFindings.Hosts
    ) {
        findings.add(
            .nameNotTaken, "the policy has no words for the name \(name)", at: range,
            .policyIsStricter, found, help: ["list the names exactly, or URIs by whole segments"])
    }
}

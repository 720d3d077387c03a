package import PolicyCompiler
package import TrustEngine

/// Writes what the clusters of Envoy trust as a policy, and finds where the two differ.
///
/// Each cluster with TLS is a rule for the server names that it sends, or for its endpoints. The
/// default is `deny`, because Envoy connects to its clusters only.
package struct EnvoyImport {
    private let model: EnvoyModel
    private let source: SourceFile
    /// The certificates of files that the configuration names, by their paths.
    private let certificates: [String: [Certificate]]

    private var policy = WrittenPolicy()
    private var ids = WrittenIDs()
    private var anchors = ForeignAnchors()
    private var findings = ForeignFindings()
    private var errors: [Diagnostic] = []
    private var pinSets: [[WrittenPolicy.Pin]: String] = [:]
    /// The clusters that have a pattern.
    private var taken: [String: (body: WrittenPolicy.Body, cluster: String)] = [:]

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - source: the file, whose name the policy cites.
    ///   - certificates: of the files that `trusted_ca` names. An absent file is an error.
    ///   - owner: the owner of every rule; nil if nobody was named.
    package static func policy(
        of file: EnvoyFile, source: SourceFile, certificates: [String: [Certificate]] = [:],
        owner: String? = nil
    ) -> ForeignImport {
        var imported = EnvoyImport(
            model: EnvoyModel(file), source: source, certificates: certificates)
        imported.policy.owner = owner
        imported.write()
        return ForeignImport(
            policy: imported.policy, files: imported.anchors.files,
            findings: imported.errors + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(model: EnvoyModel, source: SourceFile, certificates: [String: [Certificate]]) {
        self.model = model
        self.source = source
        self.certificates = certificates
    }

    private mutating func write() {
        policy.heading = [
            "Written by `hawser import envoy` from \(source.path).",
            "Notes name the lines of that file. `hawser help foreign-files.md` describes the import.",
        ]
        for range in model.file.downstream {
            findings.add(
                .clientsJudged,
                "this context judges the certificates of clients, and a policy judges servers",
                at: range.prefix(1), .none, ForeignFindings.Hosts())
        }
        for cluster in model.file.clusters {
            for index in cluster.sockets.indices { rule(cluster, index) }
        }
        policy.anchorSets = anchors.sets
        let used = Set(policy.rules.flatMap(\.body.anchors))
        policy.anchorSets.removeAll { !used.contains($0.id) }
    }

    // MARK: Rules

    private mutating func rule(_ cluster: EnvoyFile.Cluster, _ index: Int) {
        let hosts = model.hosts(of: index, in: cluster)
        guard let context = cluster.sockets[index].context else {
            // The cluster's own socket is not used if each endpoint has labels of another one.
            guard !model.endpoints(of: index, in: cluster).isEmpty || cluster.sockets.count == 1
            else { return }
            findings.add(
                .sendsCleartext,
                "the cluster `\(cluster.name.prefix(120))` connects without TLS, and has no rule",
                at: cluster.range, .none, ForeignFindings.Hosts())
            return
        }
        var patterns: [String] = []
        for host in hosts {
            guard let pattern = ForeignNames.pattern(host.host.lowercased(), port: host.port) else {
                findings.add(
                    .hostsUnknown,
                    "`\(host.host.prefix(120))` is not a host that a request can name",
                    at: context.range.prefix(1), .policyIsStricter, ForeignFindings.Hosts())
                continue
            }
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        guard !patterns.isEmpty else {
            if hosts.isEmpty {
                findings.add(
                    .hostsUnknown,
                    "the cluster `\(cluster.name.prefix(120))` sends no server name and lists no "
                        + "endpoint, so its hosts are not known",
                    at: context.range.prefix(1), .policyIsStricter, ForeignFindings.Hosts(),
                    help: [
                        "write a rule by hand, or add `sni` or `load_assignment` and import again"
                    ]
                )
            }
            return
        }
        do throws(ForeignError) {
            let behaviour = try model.behaviour(of: context)
            let found = ForeignFindings.Hosts(patterns: patterns)
            var body = try self.body(behaviour, context, hosts.map(\.host), found)
            let left = patterns.filter { pattern in
                isFree(pattern, body, cluster.name, context.range.prefix(1))
            }
            guard !left.isEmpty else { return }
            body.note = "\(source.path):\(source.line(of: context.range))"
            let id = ids.id(cluster.name.isEmpty ? left[0] : cluster.name)
            policy.rules.append(WrittenPolicy.Rule(id: id, hosts: left, body: body))
        } catch {
            errors.append(error.diagnostic)
        }
    }

    /// Whether no other cluster has a pattern. Reports a cluster with other demands.
    private mutating func isFree(
        _ pattern: String, _ body: WrittenPolicy.Body, _ cluster: String, _ place: Range<Int>
    ) -> Bool {
        // The lines of two clusters differ. Demands do not depend on them.
        var demands = body
        demands.waivers = body.waivers.map { WrittenPolicy.Waiver(check: $0.check, reason: "") }
        demands.waivedTLSReason = ""
        guard let known = taken[pattern] else {
            taken[pattern] = (demands, cluster)
            return true
        }
        if known.body != demands {
            findings.add(
                .sameHostsTwice,
                "the cluster `\(known.cluster.prefix(120))` has other demands for the same hosts; the "
                    + "policy has the first",
                at: place, .other, ForeignFindings.Hosts(patterns: [pattern]))
        }
        return false
    }

    private mutating func body(
        _ behaviour: EnvoyModel.Behaviour, _ context: EnvoyFile.Context, _ hosts: [String],
        _ found: ForeignFindings.Hosts
    ) throws(ForeignError) -> WrittenPolicy.Body {
        let place = context.range.prefix(1)
        var body = WrittenPolicy.Body()
        try trust(behaviour, context, found, &body)
        names(behaviour, context, hosts, found, &body)
        if !behaviour.pins.isEmpty { body.pins = [pins(behaviour.pins, hosts, place, found)] }
        if behaviour.permitsExpired {
            findings.add(
                .permitsExpired, "expired certificates are accepted", at: place, .none, found,
                help: ["the policy has it as a waiver of `expired` over a hundred years"])
            if !body.waivers.contains(where: { $0.check == .expired }) {
                body.waivers += source.waivers([.expired], "allow_expired_certificate", place)
            }
        }
        parameters(behaviour, context, found, &body)
        return body
    }

    // MARK: Anchors

    private mutating func trust(
        _ behaviour: EnvoyModel.Behaviour, _ context: EnvoyFile.Context,
        _ found: ForeignFindings.Hosts, _ body: inout WrittenPolicy.Body
    ) throws(ForeignError) {
        let place = context.range.prefix(1)
        switch behaviour.trust {
        case .system: body.anchors = ["system"]
        case .certificates(let source): body.anchors = try sets(source)
        case .custom(let range):
            findings.add(
                .nameNotTaken,
                "a custom validator judges these servers, and its rules are not in the file",
                at: range, .policyIsStricter, found,
                help: ["no server is accepted until the rule names its anchors"])
            body.anchors = [nothing()]
        case .anything:
            findings.add(
                .nothingVerified,
                "any certificate is accepted: no CA, name or pin is verified", at: place,
                .policyIsStricter, found,
                help: [
                    "the policy has it as waivers, and still rejects weak keys and certificates of "
                        + "another use; write `trusted_ca` and names instead"
                ])
            body.anchors = ["system"]
            body.waivers += source.waivers(
                [.identity, .path, .expired], "the file verifies nothing", place)
        case .pinnedKeys:
            findings.add(
                .noNameChecked,
                "only the hash of the server's own certificate or key is verified: neither its name "
                    + "nor its dates", at: place, .none, found,
                help: ["the policy has waivers of `identity` and `expired`"])
            body.anchors = ["pinned-keys"]
            body.waivers += source.waivers(
                [.identity, .expired], "the file has no trusted_ca", place)
        }
    }

    private mutating func nothing() -> String {
        anchors.nothing("the file trusts no anchor that a policy can name")
    }

    private mutating func sets(_ authority: EnvoyFile.Source) throws(ForeignError) -> [String] {
        let note = "trusted_ca, \(source.path):\(source.line(of: authority.range))"
        switch authority.content {
        case .file(let path):
            guard let members = certificates[path], !members.isEmpty else {
                throw ForeignError(
                    .certificatesMissing,
                    "the certificates of `\(path.prefix(200))` are not given", at: authority.range,
                    help: ["give the folder with the file: `--certificates FOLDER`"])
            }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let stem = name.split(separator: ".").first.map(String.init) ?? name
            return anchors.ids(of: members, named: stem, note: note, &ids)
        case .inline(let octets):
            switch ForeignCertificates.read(octets) {
            case .certificates(let members):
                return anchors.ids(of: members, named: "trusted-ca", note: note, &ids)
            case .privateKey:
                throw ForeignError(
                    .configurationRefused,
                    "a private key stands among the CA certificates; nothing of it was kept",
                    at: authority.range,
                    help: ["take it out of the file, and replace the key"])
            case .unreadable(let words):
                throw ForeignError(
                    .configurationRefused, "Envoy cannot load these CA certificates: \(words)",
                    at: authority.range)
            }
        case .other(let variable):
            throw ForeignError(
                .certificatesMissing,
                "the CA certificates are in the environment variable `\(variable.prefix(120))`",
                at: authority.range, help: ["write `filename` or `inline_string`"])
        }
    }

    // MARK: Names

    private mutating func names(
        _ behaviour: EnvoyModel.Behaviour, _ context: EnvoyFile.Context, _ hosts: [String],
        _ found: ForeignFindings.Hosts, _ body: inout WrittenPolicy.Body
    ) {
        let place = context.range.prefix(1)
        switch behaviour.trust {
        case .anything, .pinnedKeys, .custom: return
        case .system, .certificates: break
        }
        switch behaviour.names {
        case .none:
            findings.add(
                .noNameChecked,
                "no name is checked: a certificate of the anchors for any other host passes",
                at: place, .none, found,
                help: [
                    "the policy has it as a waiver of `identity`; write "
                        + "`match_typed_subject_alt_names` or `auto_sni_san_validation: true`"
                ])
            body.waivers += source.waivers([.identity], "the file checks no name", place)
        case .serverName:
            guard !behaviour.sendsServerName else { return }
            findings.add(
                .noNameChecked,
                "the server name is checked where one is sent, and the file does not say that one "
                    + "is; the policy checks the host", at: place, .policyIsStricter, found,
                help: ["write `sni` or `auto_host_sni: true`"])
        case .listed(let matchers): listed(matchers, hosts, found, &body)
        }
    }

    private mutating func listed(
        _ matchers: [EnvoyFile.Matcher], _ hosts: [String], _ found: ForeignFindings.Hosts,
        _ body: inout WrittenPolicy.Body
    ) {
        var names = WrittenPolicy.Names()
        for matcher in matchers {
            if !take(matcher, &names) {
                findings.add(
                    .nameNotTaken,
                    "the policy has no words for this matcher of names, "
                        + "`\(matcher.way.rawValue)` of `\(matcher.kind.rawValue)`",
                    at: matcher.range, .policyIsStricter, found,
                    help: ["list the names exactly, or URIs by whole segments"])
            }
        }
        if names.isEmpty {
            body.anchors = [nothing()]
            return
        }
        let isHost =
            names.dns.count == 1 && names.ip.isEmpty && names.email.isEmpty && names.uri.isEmpty
            && hosts.allSatisfy { $0.lowercased() == names.dns[0] }
        if !isHost { body.names = names }
    }

    /// Adds a matcher to the names. Returns whether the language has words for it.
    private func take(_ matcher: EnvoyFile.Matcher, _ names: inout WrittenPolicy.Names) -> Bool {
        func add(_ text: String?, _ list: WritableKeyPath<WrittenPolicy.Names, [String]>) -> Bool {
            guard let text else { return false }
            if !names[keyPath: list].contains(text) { names[keyPath: list].append(text) }
            return true
        }
        switch (matcher.kind, matcher.way) {
        case (.dns, .exact): return add(ForeignNames.dns(matcher.text), \.dns)
        case (.ip, .exact): return add(ForeignNames.ip(matcher.text), \.ip)
        case (.email, .exact):
            return !matcher.ignoresCase && add(ForeignNames.email(matcher.text), \.email)
        case (.uri, .exact):
            return !matcher.ignoresCase && add(ForeignNames.uri(matcher.text), \.uri)
        case (.uri, .prefix):
            return !matcher.ignoresCase && add(ForeignNames.uris(below: matcher.text), \.uri)
        default: return false
        }
    }

    // MARK: Pins

    private mutating func pins(
        _ found: [EnvoyFile.Pin], _ hosts: [String], _ place: Range<Int>,
        _ patterns: ForeignFindings.Hosts
    ) -> String {
        var pins: [WrittenPolicy.Pin] = []
        for pin in found {
            let written = WrittenPolicy.Pin(
                digest: pin.digest, at: "leaf", isOfCertificate: pin.isOfCertificate)
            if !pins.contains(written) { pins.append(written) }
        }
        if pins.count == 1 {
            findings.add(
                .onePin, "the file has only one pin, without a spare key", at: found[0].range,
                .none,
                patterns,
                help: [
                    "the policy has a digest that no key has as its backup, and `hawser lint` "
                        + "reports it (HW409); write the digest of a spare key there"
                ])
        }
        if let known = pinSets[pins] { return known }
        let id = ids.id(hosts.first ?? "server", prefix: "pins-")
        pinSets[pins] = id
        policy.pinSets.append(
            WrittenPolicy.PinSet(
                id: id, pins: pins, end: nil,
                note: "\(source.path):\(source.line(of: found[0].range))"))
        return id
    }

    // MARK: TLS

    private mutating func parameters(
        _ behaviour: EnvoyModel.Behaviour, _ context: EnvoyFile.Context,
        _ found: ForeignFindings.Hosts, _ body: inout WrittenPolicy.Body
    ) {
        let place = context.range.prefix(1)
        switch behaviour.minimumTLS {
        case .tls10, .tls11:
            let version = behaviour.minimumTLS == .tls10 ? "tls1.0" : "tls1.1"
            findings.add(
                .permitsOldTls, "\(version) is permitted", at: place, .none, found,
                help: ["the policy has it as a waiver, which needs an owner and an end"])
            body.waivedTLS = version
            body.waivedTLSReason = "tls_minimum_protocol_version, line \(source.line(of: place))"
        case .tls12: break
        case .tls13: body.needsTLS13 = true
        }
        if let maximum = behaviour.maximumTLS, maximum != .tls13, !body.needsTLS13 {
            body.refusesTLS13 = true
        }
        suites(behaviour, context, found, &body)
        for (range, words) in [
            (context.curveRange, "a list of groups (`ecdh_curves`)"),
            (context.signatureRange, "a list of signature algorithms"),
        ] {
            guard let range else { continue }
            findings.add(
                .demandNotTaken, "\(words) is not taken over", at: range, .policyIsWeaker, found,
                help: ["write `tls.groups` or `tls.signature-schemes` into the rule"])
        }
        if let crl = behaviour.crl {
            findings.add(
                .demandNotTaken,
                "the file holds a CRL, and a policy holds none: the program hands it over",
                at: crl.range, .policyIsWeaker, found,
                help: ["write `revocation: { preset: require, sources: [crl] }` into the rule"])
        }
        if behaviour.maximumDepth != nil {
            findings.add(
                .demandNotTaken, "`max_verify_depth` is not taken over", at: place, .other, found,
                help: ["write `path.maximum-intermediates` into the rule"])
        }
        if context.validation?.requiresTimestamps ?? false {
            findings.add(
                .ignoredByTarget,
                "Envoy does not implement `require_signed_certificate_timestamp`", at: place, .none,
                found)
        }
    }

    /// The suites of TLS 1.3, which the list of Envoy does not bind.
    private static let newSuites = [
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
    ]

    private mutating func suites(
        _ behaviour: EnvoyModel.Behaviour, _ context: EnvoyFile.Context,
        _ found: ForeignFindings.Hosts, _ body: inout WrittenPolicy.Body
    ) {
        guard !behaviour.cipherSuites.isEmpty, let range = context.cipherRange else { return }
        // Nothing is left of the list where TLS 1.3 is the floor.
        if body.needsTLS13 { return }
        var suites: [String] = []
        for written in behaviour.cipherSuites {
            // Suites of equal preference stand in brackets.
            let parts = written.drop { $0 == "[" }.split(separator: "|")
            for part in parts {
                guard let suite = CipherSuiteSpelling.name(for: String(part.filter { $0 != "]" }))
                else {
                    findings.add(
                        .demandNotTaken,
                        "the list of cipher suites has `\(written.prefix(60))`, which is not the "
                            + "name of one suite; the list is not taken over", at: range,
                        .policyIsWeaker, found)
                    return
                }
                if !suites.contains(suite) { suites.append(suite) }
            }
        }
        if !body.refusesTLS13 {
            suites += Self.newSuites.filter { !suites.contains($0) }
        }
        body.cipherSuites = suites
    }
}

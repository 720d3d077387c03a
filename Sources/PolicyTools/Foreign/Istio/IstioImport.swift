package import PolicyCompiler
package import TrustEngine

/// Writes what `DestinationRule` objects trust as a policy, and finds where the two differ.
package struct IstioImport {
    private let source: SourceFile
    private let certificates: [String: [Certificate]]
    private let domain: String

    private var policy = WrittenPolicy()
    private var ids = WrittenIDs()
    private var anchors = ForeignAnchors()
    private var findings = ForeignFindings()
    private var errors: [Diagnostic] = []
    private var taken: Set<String> = []

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - source: the file, whose name the policy cites.
    ///   - certificates: of the files that `caCertificates` names. An absent file is an error.
    ///   - domain: the cluster's domain.
    ///   - owner: the owner of every rule; nil if nobody was named.
    package static func policy(
        of file: IstioFile, source: SourceFile, certificates: [String: [Certificate]] = [:],
        domain: String = "cluster.local", owner: String? = nil
    ) -> ForeignImport {
        var imported = IstioImport(source: source, certificates: certificates, domain: domain)
        imported.policy.owner = owner
        imported.policy.heading = [
            "Written by `hawser import destination-rule` from \(source.path).",
            "Notes name the lines of that file. `hawser help foreign-files.md` describes the import.",
        ]
        for rule in file.rules { imported.write(rule) }
        imported.policy.anchorSets = imported.anchors.sets
        return ForeignImport(
            policy: imported.policy, files: imported.anchors.files,
            findings: imported.errors + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(source: SourceFile, certificates: [String: [Certificate]], domain: String) {
        self.source = source
        self.certificates = certificates
        self.domain = domain
    }

    /// The patterns of a host: a short name is of the rule's namespace, and a wildcard is for every
    /// name below. Nil for a text that is not a host.
    private func pattern(_ rule: IstioFile.Rule, _ port: Int?) -> String? {
        let host = rule.host.lowercased()
        if host.hasPrefix("*.") {
            guard let below = ForeignHosts.below(String(host.dropFirst(2)), "**") else {
                return nil
            }
            return port.map { "\(below):\($0)" } ?? below
        }
        return ForeignNames.pattern(
            host.contains(".") ? host : "\(host).\(rule.namespace).svc.\(domain)", port: port)
    }

    private mutating func write(_ rule: IstioFile.Rule) {
        if let subsets = rule.subsets {
            findings.add(
                .demandNotTaken,
                "settings of subsets are not taken over: a request does not name a subset",
                at: subsets, .other, ForeignFindings.Hosts())
        }
        for level in rule.levels {
            guard let pattern = pattern(rule, level.port) else {
                findings.add(
                    .hostsUnknown, "`\(rule.host.prefix(120))` is not a host that a request names",
                    at: rule.range, .policyIsStricter, ForeignFindings.Hosts())
                continue
            }
            let found = ForeignFindings.Hosts(patterns: [pattern])
            guard taken.insert(pattern).inserted else {
                findings.add(
                    .sameHostsTwice,
                    "an object above is for the same hosts; the policy has that one",
                    at: level.range, .other, found)
                continue
            }
            do throws(ForeignError) {
                guard var body = try body(level, found) else { continue }
                body.note = "\(source.path):\(source.line(of: level.range))"
                let name = level.port.map { "\(rule.name)-\($0)" } ?? rule.name
                policy.rules.append(
                    WrittenPolicy.Rule(id: ids.id(name), hosts: [pattern], body: body))
            } catch {
                errors.append(error.diagnostic)
            }
        }
    }

    /// The body of a level; nil where the policy has no rule for it.
    private mutating func body(
        _ level: IstioFile.Level, _ found: ForeignFindings.Hosts
    ) throws(ForeignError) -> WrittenPolicy.Body? {
        var body = WrittenPolicy.Body()
        switch level.trust {
        case .cleartext:
            findings.add(
                .sendsCleartext, "the proxy connects without TLS, and the policy has no rule",
                at: level.range, .none, found)
            return nil
        case .mesh:
            findings.add(
                .hostsUnknown,
                "`ISTIO_MUTUAL` trusts the CA of the mesh, which is not in the file",
                at: level.range, .policyIsStricter, found,
                help: ["write a rule with the mesh's trust bundle: `hawser import spiffe`"])
            return nil
        case .secret(let name):
            throw ForeignError(
                .certificatesMissing,
                "the CA certificates are in the secret `\(name.prefix(120))`, which is not read",
                at: level.range, help: ["write `caCertificates` with the path of a file"])
        case .anything:
            findings.add(
                .nothingVerified, "any certificate is accepted: no CA is named", at: level.range,
                .policyIsStricter, found,
                help: [
                    "write `caCertificates`; with `VERIFY_CERTIFICATE_AT_CLIENT` Istio takes the "
                        + "system's CAs, and then the rule needs `anchors: [system]` without waivers"
                ])
            body.anchors = ["system"]
            body.waivers = source.waivers(
                [.identity, .path, .expired], "no CA is named", level.range)
            return body
        case .system: body.anchors = ["system"]
        case .file(let path):
            guard let members = certificates[path], !members.isEmpty else {
                throw ForeignError(
                    .certificatesMissing,
                    "the certificates of `\(path.prefix(200))` are not given", at: level.range,
                    help: ["give the folder with the file: `--certificates FOLDER`"])
            }
            let name = path.split(separator: "/").last?.split(separator: ".").first ?? "ca"
            body.anchors = anchors.ids(
                of: members, named: String(name),
                note: "caCertificates, \(source.path):\(source.line(of: level.range))", &ids)
        }
        names(level, found, &body)
        return body
    }

    private mutating func names(
        _ level: IstioFile.Level, _ found: ForeignFindings.Hosts, _ body: inout WrittenPolicy.Body
    ) {
        guard !level.names.isEmpty else {
            findings.add(
                .noNameChecked,
                "no name is checked: a certificate of the anchors for any other host passes",
                at: level.range, .none, found,
                help: ["the policy has it as a waiver of `identity`; write `subjectAltNames`"])
            body.waivers = source.waivers([.identity], "the file checks no name", level.range)
            return
        }
        var names = WrittenPolicy.Names()
        for name in level.names {
            if let uri = ForeignNames.uri(name) {
                names.uri.append(uri)
            } else if let dns = ForeignNames.dns(name) {
                names.dns.append(dns)
            } else {
                findings.add(
                    .nameNotTaken, "the policy has no words for the name `\(name.prefix(120))`",
                    at: level.range, .policyIsStricter, found)
            }
        }
        if names.isEmpty {
            body.anchors = [anchors.nothing("the file names nobody that a policy can name")]
        } else {
            body.names = names
        }
    }
}

package import PolicyCompiler
package import TrustEngine

/// Writes what a Network Security Configuration means as a policy, and finds where the two differ.
///
/// Where the language has no words for the file, the policy accepts less than the file, and a
/// finding says for which hosts. Two cases are weaker, and say so too: a demand for certificate
/// transparency, and `hstsEnforced` where cleartext is permitted.
package struct NSCImport {
    private let model: NSCModel
    private let source: SourceFile
    /// The certificates of the app's resources, by their names: `raw/my_ca`.
    private let resources: [String: [Certificate]]
    private let crypto: any CryptoBackend
    private let zone: Zone

    private var policy = WrittenPolicy()
    private var ids = WrittenIDs()
    private var findings = ForeignFindings()
    private var files: [(name: String, certificates: [[UInt8]])] = []
    private var anchorIDs: [NSCFile.Anchor.Source: [String]] = [:]
    private var pinIDs: [PinKey: String] = [:]
    /// Whether some configuration permits cleartext in so many words.
    private let statesCleartext: Bool

    /// A pin set of the file with the keys of anchors that override it.
    private struct PinKey: Hashable {
        let pins: [WrittenPolicy.Pin]
        let place: Range<Int>
    }

    /// The time zone of the device, where `expiration` depends on it.
    package enum Zone: Hashable, Sendable {
        /// The zone in which pins end first. The policy is then no stricter than any device.
        case first
        /// The zone in which pins end last. The policy is then no weaker than any device.
        case last
    }

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - source: the file, whose name the policy cites.
    ///   - resources: the certificates of its `@raw` resources. An absent one is a finding that is
    ///     an error.
    ///   - owner: the owner of every rule; nil if nobody was named.
    package static func policy(
        of file: NSCFile, app: NSCModel.App, source: SourceFile,
        resources: [String: [Certificate]] = [:], owner: String? = nil, zone: Zone = .last,
        crypto: any CryptoBackend
    ) -> ForeignImport {
        var imported = NSCImport(
            model: NSCModel(file, app), source: source, resources: resources, crypto: crypto,
            zone: zone)
        imported.policy.owner = owner
        imported.write()
        return ForeignImport(
            policy: imported.policy, files: imported.files,
            findings: file.findings + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(
        model: NSCModel, source: SourceFile, resources: [String: [Certificate]],
        crypto: any CryptoBackend, zone: Zone
    ) {
        self.model = model
        self.source = source
        self.resources = resources
        self.crypto = crypto
        self.zone = zone
        let configs = model.file.domainConfigs + [model.file.base].compactMap { $0 }
        statesCleartext = configs.contains { $0.cleartext == true }
    }

    private mutating func write() {
        policy.heading = [
            "Written by `hawser import nsc` from \(source.path), for target SDK "
                + "\(model.app.targetSDK)"
                + (model.app.isDebuggable ? ", for an app that can be debugged." : "."),
            "Notes name the lines of that file. `hawser help foreign-files.md` describes the import.",
        ]
        for (index, config) in model.file.domainConfigs.enumerated() {
            let hosts = patterns(of: config)
            guard let first = hosts.first else { continue }
            let behaviour = model.behaviour(ofConfig: index)
            let id = ids.id(first)
            let body = body(of: behaviour, id, ForeignFindings.Hosts(patterns: hosts), config.range)
            policy.rules.append(WrittenPolicy.Rule(id: id, hosts: hosts, body: body))
        }
        let base = model.behaviour(ofConfig: nil)
        let place = model.file.base?.range ?? 0..<0
        let body = body(of: base, "base", ForeignFindings.Hosts(others: true), place)
        let deniesAll = base.anchors.isEmpty && !base.permitsCleartext
        policy.defaultBody = deniesAll ? nil : body
        let used = Set(policy.rules.flatMap(\.body.anchors) + (policy.defaultBody?.anchors ?? []))
        policy.anchorSets.removeAll { !used.contains($0.id) }
    }

    // MARK: Hosts

    private mutating func patterns(of config: NSCFile.Config) -> [String] {
        var patterns: [String] = []
        for domain in config.domains {
            guard let exact = ForeignHosts.exact(domain.name) else {
                findings.add(
                    .matchesNoHost,
                    "the domain `\(domain.name)` matches no host, and is not taken over",
                    at: domain.range, .none, ForeignFindings.Hosts(),
                    help: [Self.reason(domain.name)])
                continue
            }
            patterns.append(exact)
            if domain.includesSubdomains, let below = ForeignHosts.below(exact, "**") {
                patterns.append(below)
            }
        }
        return patterns
    }

    private static func reason(_ name: String) -> String {
        if name.hasSuffix(".") {
            return "Android takes the dot off the host, and not off the entry: delete the dot"
        }
        if name.contains("*") {
            return "Android has no wildcards: write the name with `includeSubdomains=\"true\"`"
        }
        if name.contains("/") || name.contains(":") {
            return "an entry is a host without scheme, port and path"
        }
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            return "apps ask for names in their ASCII form: write the `xn--` form"
        }
        return "write a host name or an address"
    }

    // MARK: Rules

    private mutating func body(
        of behaviour: NSCModel.Behaviour, _ id: String, _ hosts: ForeignFindings.Hosts,
        _ place: Range<Int>
    ) -> WrittenPolicy.Body {
        var body = WrittenPolicy.Body()
        for anchor in behaviour.anchors { body.anchors += anchors(anchor, hosts, place) }
        if body.anchors.isEmpty {
            if behaviour.anchors.isEmpty {
                findings.add(
                    .hostsWithoutAnchors, "no anchor is trusted, so every TLS connection fails",
                    at: place, .none, hosts)
            }
            body.anchors = [nothing()]
        }
        if let set = pins(behaviour, id, hosts) { body.pins = [set] }
        if behaviour.permitsCleartext {
            findings.add(
                .permitsCleartext,
                "cleartext is permitted"
                    + (statesCleartext
                        ? "" : ", as the default of target SDK \(model.app.targetSDK) is"),
                at: place, .none, hosts,
                help: [
                    "the policy has it as a waiver, which needs an owner and an end; the file "
                        + "states neither"
                ])
            body.cleartextReason = "the file permits cleartext, line \(source.line(of: place))"
        }
        if behaviour.permitsCleartext, behaviour.enforcesHSTS {
            findings.add(
                .doubtfulInTarget,
                "`hstsEnforced` refuses cleartext to hosts that have asked for TLS before, and a "
                    + "policy keeps no memory of hosts", at: place, .policyIsWeaker, hosts)
        }
        if behaviour.demandsTransparency == true {
            findings.add(
                .transparencyNotTaken,
                "the file demands certificate transparency, and the policy does not", at: place,
                .policyIsWeaker, hosts,
                help: [
                    "write `transparency: { preset: chrome, log-list: log_list.json }` into the rule "
                        + "and put Chrome's log list beside the policy"
                ])
        }
        if !hosts.others { body.note = "\(source.path):\(source.line(of: place))" }
        return body
    }

    /// The set that no certificate meets.
    private mutating func nothing() -> String {
        policy.anchorSets.nothing("the file trusts no anchor that a policy can name")
    }

    private mutating func anchors(
        _ anchor: NSCFile.Anchor, _ hosts: ForeignFindings.Hosts, _ place: Range<Int>
    ) -> [String] {
        let range = anchor.range.isEmpty ? place : anchor.range
        switch anchor.source {
        case .system: return ["system"]
        case .user:
            findings.add(
                .userAnchors,
                "the file trusts the CAs that the device's user has added"
                    + (anchor.range.isEmpty
                        ? ", as the default of target SDK \(model.app.targetSDK) is" : ""),
                at: range, .policyIsStricter, hosts,
                help: ["name the CAs in an anchor set of the policy if they have to be trusted"])
            return []
        case .resource(let name): return set(name, anchor)
        }
    }

    /// The sets of a resource: one for each kind of certificate in it.
    private mutating func set(_ name: String, _ anchor: NSCFile.Anchor) -> [String] {
        if let known = anchorIDs[anchor.source] { return known }
        guard let certificates = resources[name] else {
            findings.add(
                .missingResource, "the certificates of `@\(name)` are missing", at: anchor.range,
                .none, ForeignFindings.Hosts(),
                help: ["give the app's folder of resources: `--resources app/src/main/res`"])
            anchorIDs[anchor.source] = []
            return []
        }
        var made: [String] = []
        for (kind, members) in ForeignAnchors.byKind(certificates) {
            let id = ids.id(name.split(separator: "/").last.map(String.init) ?? name)
            let file = "anchors/\(id).pem"
            files.append((file, members.map(\.der)))
            policy.anchorSets.append(
                WrittenPolicy.AnchorSet(
                    id: id, files: [file], kind: kind,
                    note: "@\(name), \(source.path):\(source.line(of: anchor.range))"))
            made.append(id)
        }
        anchorIDs[anchor.source] = made
        return made
    }

    // MARK: Pins

    private mutating func pins(
        _ behaviour: NSCModel.Behaviour, _ id: String, _ hosts: ForeignFindings.Hosts
    ) -> String? {
        guard let set = behaviour.pins else { return nil }
        let overriding = behaviour.anchors.filter(\.overridesPins)
        if !behaviour.anchors.isEmpty, overriding.count == behaviour.anchors.count {
            findings.add(
                .overriddenPins,
                "the pins bind no connection: every anchor has `overridePins`", at: set.range,
                .none, hosts, help: ["the policy has no pins for these hosts"])
            return nil
        }
        var pins = behaviour.digests.map { WrittenPolicy.Pin(digest: $0, at: "any") }
        for anchor in overriding {
            // A chain that ends at an anchor of the app may miss the pins. The anchor's own key is
            // then one of those that satisfy the set, which is the same.
            if case .resource(let name) = anchor.source, let members = resources[name] {
                for digest in members.map({ key(of: $0) })
                where !pins.contains(where: { $0.digest == digest }) {
                    pins.append(WrittenPolicy.Pin(digest: digest, at: "anchor"))
                }
                continue
            }
            findings.add(
                .overriddenPins,
                "the pins do not bind chains to these anchors in the file, and in the policy they "
                    + "bind every chain", at: anchor.range, .policyIsStricter, hosts)
        }
        let end = end(of: set, hosts)
        if pins.count == 1 {
            findings.add(
                .onePin, "the file has only one pin, without a spare key", at: set.range, .none,
                hosts,
                help: [
                    "the policy has a digest that no key has as its backup, and `hawser lint` "
                        + "reports it (HW409); write the digest of a spare key there"
                ])
        }
        let made = WrittenPolicy.PinSet(
            id: id, pins: pins, end: end,
            note: "pin-set, \(source.path):\(source.line(of: set.range))")
        let sameSet = PinKey(pins: pins, place: set.range)
        if let known = pinIDs[sameSet] { return known }
        pinIDs[sameSet] = id
        policy.pinSets.append(made)
        return id
    }

    /// The SHA-256 digest of a certificate's key, in base64.
    private func key(of certificate: Certificate) -> String {
        let der = certificate.der
        let spki = der.span.extracting(certificate.layout.publicKey.spki.indices)
        return Base64.encode(crypto.digest(.sha256, of: spki).bytes)
    }

    private mutating func end(
        of set: NSCFile.PinSet, _ hosts: ForeignFindings.Hosts
    ) -> UTCInstant? {
        guard let day = set.end else { return nil }
        guard let midnights = day.midnights else { return nil }
        let end = zone == .last ? midnights.last : midnights.first
        findings.add(
            .localExpiration,
            "the pins end at midnight of the device's time zone, between \(midnights.first) and "
                + "\(midnights.last), and then any key is accepted", at: day.range,
            .policyIsStricter, hosts,
            help: [
                "the policy has the last of these instants; `on-expiry: unpinned` is what Android "
                    + "does, and without it the pins go on to bind"
            ])
        return end
    }
}

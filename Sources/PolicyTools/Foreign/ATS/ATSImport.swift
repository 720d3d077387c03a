package import PolicyCompiler

/// Writes what the App Transport Security of an `Info.plist` means as a policy, and finds where the
/// two differ.
///
/// Where the language has no words for the file, the policy accepts less than the file, and a
/// finding says for which hosts. A demand for certificate transparency is the exception: the policy
/// is weaker, and a finding says so.
package struct ATSImport {
    private let model: ATSModel
    private let source: SourceFile
    private var policy = WrittenPolicy()
    private var ids = WrittenIDs()
    private var findings = ForeignFindings()
    /// By the position of the pins and the entry.
    private var pinIDs: [String: String] = [:]

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - source: the file, whose name the policy cites.
    ///   - owner: the owner of every rule; nil if nobody was named.
    package static func policy(
        of file: ATSFile, source: SourceFile, owner: String? = nil
    ) -> ForeignImport {
        var imported = ATSImport(model: ATSModel(file), source: source)
        imported.policy.owner = owner
        imported.write()
        return ForeignImport(
            policy: imported.policy, findings: file.findings + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(model: ATSModel, source: SourceFile) {
        self.model = model
        self.source = source
    }

    /// Hosts that the entries treat alike: a pattern, and a host of it.
    private struct Group {
        let pattern: String
        let witness: String
    }

    private mutating func write() {
        policy.heading = [
            "Written by `hawser import ats` from \(source.path).",
            "Notes name the lines of that file. `hawser help foreign-files.md` describes the import.",
        ]
        reportSwitches()
        var rules: [(first: Group, patterns: [String])] = []
        var numbers: [String: Int] = [:]
        for group in groups() {
            let behaviour = model.behaviour(of: group.witness)
            // Hosts with the same two entries are one rule.
            let key = "\(behaviour.exception ?? "") \(behaviour.pinnedBy ?? "")"
            if let known = numbers[key] {
                rules[known].patterns.append(group.pattern)
            } else {
                numbers[key] = rules.count
                rules.append((group, [group.pattern]))
            }
        }
        for rule in rules {
            let id = ids.id(rule.first.pattern)
            let hosts = ForeignFindings.Hosts(patterns: rule.patterns)
            let body = body(of: model.behaviour(of: rule.first.witness), id, hosts)
            policy.rules.append(WrittenPolicy.Rule(id: id, hosts: rule.patterns, body: body))
        }
        // A name of one label is below no entry.
        let names = Set(model.file.exceptions.map(\.domain) + model.file.pinned.map(\.domain))
        var other = "other"
        while names.contains(other) { other += "x" }
        let others = model.behaviour(of: other)
        policy.defaultBody = body(of: others, "default", ForeignFindings.Hosts(others: true))
    }

    // MARK: Hosts

    /// The patterns of all entries, each once, exact ones first.
    private mutating func groups() -> [Group] {
        let entries =
            model.file.exceptions.map {
                ($0.domain, $0.includesSubdomains, $0.range, false, difference(without: $0))
            }
            + model.file.pinned.map {
                ($0.domain, $0.includesSubdomains, $0.range, true, .policyIsWeaker)
            }
        let names = Set(entries.map(\.0))
        var exact: [Group] = []
        var below: [Group] = []
        var seen: Set<String> = []
        for (domain, includesSubdomains, range, isPinned, difference) in entries {
            guard let host = ForeignHosts.exact(domain) else {
                findings.add(
                    .matchesNoHost,
                    "the domain `\(domain)` matches no host that a policy can name, and is not "
                        + "taken over" + (isPinned ? "; its pins are not in the policy" : ""),
                    at: range, difference, Self.hosts(ofNetwork: domain),
                    help: [Self.reason(domain)])
                continue
            }
            if seen.insert(host).inserted {
                exact.append(Group(pattern: host, witness: host))
            }
            if includesSubdomains, let pattern = ForeignHosts.below(host, "*"),
                seen.insert(pattern).inserted
            {
                below.append(
                    Group(pattern: pattern, witness: Self.witness(below: host, besides: names)))
            }
        }
        return exact + below
    }

    /// How the policy differs for the hosts of an entry that it does not have. The default decides
    /// those hosts.
    private func difference(without entry: ATSFile.Exception) -> ForeignDifference {
        if entry.minimumTLS == .tls13 || entry.demandsTransparency || model.isOffByDefault {
            return .policyIsWeaker
        }
        let demandsLess =
            entry.allowsCleartext || entry.minimumTLS != .tls12 || !entry.requiresForwardSecrecy
        return demandsLess ? .policyIsStricter : .none
    }

    /// The hosts of an entry that is a network; none of an entry that matches no host.
    private static func hosts(ofNetwork name: String) -> ForeignFindings.Hosts {
        ForeignFindings.Hosts(patterns: ForeignHosts.network(name) == nil ? [] : [name])
    }

    /// A name with one label more than `host` that no entry names.
    private static func witness(below host: String, besides names: Set<String>) -> String {
        var label = "sub"
        while names.contains("\(label).\(host)") { label += "x" }
        return "\(label).\(host)"
    }

    private static func reason(_ name: String) -> String {
        if name.hasSuffix(".") {
            return "only a host that is written with the dot matches it: delete the dot"
        }
        if name.contains("*") {
            return "wildcards do not exist here: write the name with `NSIncludesSubdomains`"
        }
        if ForeignHosts.network(name) != nil {
            return "networks are not taken over: write a rule for this one by hand"
        }
        if name.contains("/") || name.contains(":") {
            return "an entry is a host without scheme, port and path"
        }
        return "write a host name in lower case, in its ASCII form"
    }

    // MARK: Rules

    private mutating func body(
        of behaviour: ATSModel.Behaviour, _ id: String, _ hosts: ForeignFindings.Hosts
    ) -> WrittenPolicy.Body {
        var body = WrittenPolicy.Body(anchors: ["system"])
        let place =
            behaviour.exceptionRange ?? behaviour.pinnedRange
            ?? model.file.switches.arbitraryLoads?.range ?? model.file.range
        let cite = "\(source.path), line \(source.line(of: place))"
        body.needsForwardSecrecy = behaviour.requiresForwardSecrecy
        switch behaviour.minimumTLS {
        case .tls12: break
        case .tls13: body.needsTLS13 = true
        case .tls10, .tls11:
            body.waivedTLS = behaviour.minimumTLS == .tls10 ? "tls1.0" : "tls1.1"
            body.waivedTLSReason = "the file permits \(behaviour.minimumTLS.rawValue), \(cite)"
            findings.add(
                .permitsOldTls, "TLS is permitted from \(behaviour.minimumTLS.rawValue) on",
                at: place, .none, hosts, help: [Self.waiverHelp])
        }
        if behaviour.permitsCleartext {
            body.cleartextReason = "the file permits cleartext, \(cite)"
            findings.add(
                .permitsCleartext, "cleartext is permitted", at: place, .none, hosts,
                help: [Self.waiverHelp])
        }
        if behaviour.isOff {
            findings.add(
                .switchedOff, "`NSAllowsArbitraryLoads` switches App Transport Security off",
                at: place, .none, hosts,
                help: ["name the hosts that need it in `NSExceptionDomains`, and delete the key"])
        }
        if behaviour.demandsTransparency {
            findings.add(
                .transparencyNotTaken,
                "the file demands certificate transparency, and the policy does not", at: place,
                .policyIsWeaker, hosts,
                help: [
                    "write `transparency: { preset: apple, log-list: log_list.json }` into the rule "
                        + "and put Apple's log list beside the policy"
                ])
        }
        for (pins, position) in [(behaviour.authorityPins, "ca"), (behaviour.leafPins, "leaf")] {
            guard let pins, !pins.isEmpty else { continue }
            body.pins.append(set(pins, position, behaviour, hosts))
        }
        if !hosts.others { body.note = cite }
        return body
    }

    private static let waiverHelp =
        "the policy has it as a waiver, which needs an owner and an end; the file states neither"

    private mutating func set(
        _ digests: [String], _ position: String, _ behaviour: ATSModel.Behaviour,
        _ hosts: ForeignFindings.Hosts
    ) -> String {
        let range = behaviour.pinnedRange ?? model.file.range
        let pins = digests.map { WrittenPolicy.Pin(digest: $0, at: position) }
        if pins.count == 1 {
            findings.add(
                .onePin, "a list of the file has only one pin, without a spare key", at: range,
                .none,
                hosts,
                help: [
                    "the policy has a digest that no key has as its backup, and `hawser lint` "
                        + "reports it (HW409); write the digest of a spare key there"
                ])
        }
        let note =
            "\(position == "leaf" ? "NSPinnedLeafIdentities" : "NSPinnedCAIdentities") of "
            + "\(behaviour.pinnedBy ?? ""), \(source.path):\(source.line(of: range))"
        let key = "\(position) \(behaviour.pinnedBy ?? "")"
        if let same = pinIDs[key] { return same }
        let id = ids.id("\(behaviour.pinnedBy ?? "pins")-\(position)")
        pinIDs[key] = id
        policy.pinSets.append(WrittenPolicy.PinSet(id: id, pins: pins, end: nil, note: note))
        return id
    }

    // MARK: Switches

    private mutating func reportSwitches() {
        let switches = model.file.switches
        let others = ForeignFindings.Hosts(others: true)
        if let off = switches.arbitraryLoads, off.isOn, !model.isOffByDefault {
            findings.add(
                .ignoredByTarget,
                "`NSAllowsArbitraryLoads` has no effect beside a key for a narrower purpose",
                at: off.range, .none, others, help: ["delete it"])
        }
        for (found, what) in [
            (switches.arbitraryLoadsForMedia, "media that AVFoundation loads"),
            (switches.arbitraryLoadsInWebContent, "the content of web views"),
            (switches.localNetworking, "local names and addresses"),
        ] {
            guard let found, found.isOn else { continue }
            findings.add(
                .partlySwitchedOff,
                "the file switches App Transport Security off for \(what), and the policy does not",
                at: found.range, .policyIsStricter, others)
        }
    }
}

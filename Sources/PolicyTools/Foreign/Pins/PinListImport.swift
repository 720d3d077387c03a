package import PolicyCompiler
import TrustEngine

/// Writes what a list of pins means as a policy, and finds where the two differ.
///
/// A host without pins is accepted with the anchors of the system. Where the language has no words
/// for the list, the policy accepts less, and a finding says for which hosts.
package struct PinListImport {
    private let model: any PinListModel
    private let source: SourceFile
    private var policy = WrittenPolicy()
    private var ids = WrittenIDs()
    private var findings = ForeignFindings()
    /// Pin sets by the entries that they come from.
    private var pinIDs: [[Int]: String] = [:]

    /// Hosts that the list treats alike: a pattern, and a host of it.
    private struct Group {
        let pattern: String
        let witness: String
    }

    /// Imports a list.
    ///
    /// - Parameters:
    ///   - command: the words behind `hawser import`, for the heading.
    ///   - source: the file, whose name the policy cites.
    ///   - owner: the owner of every rule; nil if nobody was named.
    package static func policy(
        of model: any PinListModel, command: String, source: SourceFile, owner: String? = nil
    ) -> ForeignImport {
        var imported = PinListImport(model: model, source: source)
        imported.policy.owner = owner
        imported.policy.heading = [
            "Written by `hawser import \(command)` from \(source.path).",
            "Notes name the lines of that file. `hawser help foreign-files.md` describes the import.",
        ]
        imported.write()
        return ForeignImport(
            policy: imported.policy, findings: model.file.findings + imported.findings.diagnostics,
            gaps: imported.findings.gaps)
    }

    private init(model: any PinListModel, source: SourceFile) {
        self.model = model
        self.source = source
    }

    private mutating func write() {
        policy.defaultBody = WrittenPolicy.Body(anchors: ["system"])
        var rules: [(entries: [Int], hosts: [Group])] = []
        var numbers: [[Int]: Int] = [:]
        for group in groups() {
            let entries = model.deciding(group.witness)
            if let known = numbers[entries] {
                rules[known].hosts.append(group)
            } else {
                numbers[entries] = rules.count
                rules.append((entries, [group]))
            }
        }
        for rule in rules where !rule.entries.isEmpty {
            let hosts = ForeignFindings.Hosts(patterns: rule.hosts.map(\.pattern))
            let id = ids.id(rule.hosts[0].pattern)
            let body = body(of: rule.entries, id, hosts)
            policy.rules.append(
                WrittenPolicy.Rule(id: id, hosts: rule.hosts.map(\.pattern), body: body))
        }
        // Rules that demand what the default does are kept only where a wider rule demands more.
        if policy.rules.allSatisfy({ $0.body.pins.isEmpty && $0.body.anchors == ["system"] }) {
            policy.rules = []
        }
    }

    // MARK: Hosts

    /// The patterns of all entries, each once.
    private mutating func groups() -> [Group] {
        // Labels that no entry has, so that a host of them is named by stars only.
        var label = "sub"
        let taken = model.file.entries.compactMap(\.domain)
        while taken.contains(where: { $0.contains(label) }) { label += "x" }
        var groups: [Group] = []
        var seen: Set<String> = []
        func add(_ pattern: String?, _ witness: String) {
            guard let pattern, seen.insert(pattern).inserted else { return }
            groups.append(Group(pattern: pattern, witness: witness))
        }
        for entry in model.file.entries {
            guard let domain = entry.domain else {
                findings.add(
                    .matchesNoHost,
                    "`\(entry.name)` matches no host that a policy can name, and is not taken over",
                    at: entry.range, .none, ForeignFindings.Hosts(),
                    help: entry.help.map { [$0] } ?? [])
                continue
            }
            switch entry.reach {
            case .exact: add(domain, domain)
            case .oneLabel:
                // Old versions of OkHttp take `*.name` for the name itself if it has one label.
                if !domain.contains("."), !model.deciding(domain).isEmpty { add(domain, domain) }
                add(ForeignHosts.below(domain, "*"), "\(label).\(domain)")
            case .apexAndBelow:
                add(domain, domain)
                add(ForeignHosts.below(domain, "**"), "\(label).\(label).\(domain)")
            }
        }
        return groups
    }

    // MARK: Rules

    private mutating func body(
        of indices: [Int], _ id: String, _ hosts: ForeignFindings.Hosts
    ) -> WrittenPolicy.Body {
        var body = WrittenPolicy.Body(anchors: ["system"])
        let entries = indices.map { model.file.entries[$0] }
        guard let first = entries.first else { return body }
        body.note = "\(source.path):\(source.line(of: first.range))"
        for entry in entries where !entry.isEnforced {
            findings.add(
                .pinsOnlyReported, "the pins are reported, and not enforced", at: entry.range,
                .none,
                hosts, help: ["`--enforce` imports them as if they were enforced"])
        }
        let binding = entries.filter { $0.isEnforced && !$0.isExclusion }
        guard !binding.isEmpty else { return body }
        report(binding, hosts)
        var digests: [String] = []
        var seen: Set<String> = []
        for pin in binding.flatMap(\.pins) {
            if let digest = pin.digest, seen.insert(digest).inserted { digests.append(digest) }
        }
        guard !digests.isEmpty else {
            let hasSHA1 = binding.flatMap(\.pins).contains { pin in
                if case .sha1 = pin.kind { true } else { false }
            }
            findings.add(
                .pinNeverMatches,
                hasSHA1
                    ? "the policy has none of the pins, so it refuses every connection"
                    : "no key satisfies the pins, so every connection fails",
                at: first.range, hasSHA1 ? .policyIsStricter : .none, hosts)
            body.anchors = [nothing()]
            return body
        }
        if digests.count == 1 {
            findings.add(
                .onePin, "these hosts have only one pin, without a spare key", at: first.range,
                .none, hosts,
                help: [
                    "the policy has a digest that no key has as its backup, and `hawser lint` "
                        + "reports it (HW409); write the digest of a spare key there"
                ])
        }
        body.pins = [set(digests, binding, indices, id)]
        return body
    }

    /// Reports the pins that the policy leaves out, and ends in local time.
    private mutating func report(_ entries: [PinEntry], _ hosts: ForeignFindings.Hosts) {
        for entry in entries {
            for pin in entry.pins {
                switch pin.kind {
                case .digest: continue
                case .dud(let why): findings.add(.dudPin, why, at: pin.range, .none, hosts)
                case .neverMatches(let why):
                    findings.add(.pinNeverMatches, why, at: pin.range, .none, hosts)
                case .sha1:
                    findings.add(
                        .sha1Pin, "a pin by SHA-1 is not taken over", at: pin.range,
                        .policyIsStricter, hosts,
                        help: ["write the SHA-256 digest of the same key"])
                }
            }
            if let end = entry.end, entry.endIsLocal {
                findings.add(
                    .localExpiration,
                    "the pins end at midnight of the device's time zone, and then any key is "
                        + "accepted; the policy has the last such midnight, \(end)",
                    at: entry.endRange ?? entry.range, .policyIsStricter, hosts)
            }
        }
        if entries.count > 1, Set(entries.map(\.end)).count > 1 {
            findings.add(
                .doubtfulInTarget,
                "two entries name the same host and end at different instants; the policy has the "
                    + "pins of both until the last", at: entries[0].range, .policyIsWeaker, hosts,
                help: ["give both entries the same day"])
        }
        if model.readersDiffer, entries.count > 1,
            Set(entries.map { Set($0.pins.map(\.kind)) }).count > 1
        {
            for entry in entries {
                findings.add(
                    .readersDiffer,
                    "two entries name the same host: OkHttp accepts the pins of both, and TrustKit "
                        + "the pins of the narrower entry", at: entry.range, .none, hosts,
                    help: ["the policy has what OkHttp does"])
            }
        }
    }

    private mutating func set(
        _ digests: [String], _ entries: [PinEntry], _ indices: [Int], _ id: String
    ) -> String {
        if let known = pinIDs[indices] { return known }
        pinIDs[indices] = id
        let lines = entries.prefix(8).map { "\(source.line(of: $0.range))" }.joined(separator: ", ")
        policy.pinSets.append(
            WrittenPolicy.PinSet(
                id: id, pins: digests.map { WrittenPolicy.Pin(digest: $0, at: "any") },
                end: end(of: entries),
                note: "\(source.path), line \(lines)"))
        return id
    }

    /// The last end of entries; nil if one has no end.
    private func end(of entries: [PinEntry]) -> UTCInstant? {
        let ends = entries.compactMap(\.end)
        return ends.count == entries.count ? ends.max() : nil
    }

    /// The set that no certificate meets.
    private mutating func nothing() -> String {
        policy.anchorSets.nothing("the file has pins that no key satisfies")
    }
}

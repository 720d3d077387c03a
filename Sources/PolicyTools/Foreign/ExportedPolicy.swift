package import Rendering
package import TrustEngine

/// A policy as exporters read it: for a host, the demands that hold at an instant.
package struct ExportedPolicy {
    /// The policy file as the mark of an export cites it.
    package let name: String
    /// The instant as of which the policy is exported.
    package let time: UTCInstant
    /// Whether the policy is exported for some hosts, and says nothing of the others.
    package let isPartial: Bool
    /// The table, in which `deny` decides every host that is not exported.
    package let table: PolicyTable
    /// The first instant at which an export is another file; nil if there is none.
    package var nextChange: UTCInstant?
    /// The canonical names of patterns, wildcards by their bases, each once: names with few labels
    /// first, each level in the order of the alphabet.
    package let names: [String]
    /// The addresses of patterns, each once, sorted. Networks are not among them.
    package let addresses: [String]
    package let crypto: any CryptoBackend
    private let rules: DatedRules
    private let behaviours: PolicyBehaviours
    /// The ports of the patterns of each host part, sorted; empty if none names a port.
    private let ports: [String: [UInt16]]
    /// Base names of `*.` and `**.` patterns.
    private let wildcards: Set<String>
    /// The names and every name above them.
    private let taken: Set<String>

    package var contents: PolicyContents { rules.contents }

    /// Prepares a policy.
    ///
    /// - Parameters:
    ///   - name: the policy file as the mark cites it.
    ///   - hosts: the only hosts that are exported; empty for every host.
    /// - Throws: where the patterns part the hosts into too many classes.
    package init(
        _ table: PolicyTable, name: String, hosts: [HostPattern] = [], at time: UTCInstant,
        crypto: any CryptoBackend
    ) throws(AnswerFailure) {
        self.name = name
        self.time = time
        self.crypto = crypto
        isPartial = !hosts.isEmpty
        self.table = try Self.cut(table, to: hosts, crypto: crypto)
        rules = DatedRules(self.table, below: "", crypto: crypto)
        behaviours = PolicyBehaviours(self.table, since: time)
        var names: Set<String> = []
        var addresses: Set<String> = []
        var wildcards: Set<String> = []
        var ports: [String: Set<UInt16>] = [:]
        self.table.forEachPattern { pattern, _ in
            switch pattern.host {
            case .name(let name):
                names.insert(name)
                if let port = pattern.port { ports[name, default: []].insert(port) }
            case .oneLabel(let base), .anyLabels(let base):
                names.insert(base)
                wildcards.insert(base)
                if let port = pattern.port { ports["*.\(base)", default: []].insert(port) }
            case .address(let address):
                addresses.insert(address.description)
                if let port = pattern.port { ports[address.description, default: []].insert(port) }
            case .network: return
            }
        }
        func labels(_ name: String) -> Int { name.utf8.count { $0 == UInt8(ascii: ".") } }
        self.names = names.map { (labels($0), $0) }.sorted { $0 < $1 }.map(\.1)
        self.addresses = addresses.sorted()
        self.wildcards = wildcards
        var taken: Set<String> = []
        for name in names {
            var rest = Substring(name)
            while taken.insert(String(rest)).inserted, let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
            }
        }
        self.taken = taken
        self.ports = ports.mapValues { $0.sorted() }
    }

    /// The same policy as of another instant.
    package func at(_ time: UTCInstant) -> ExportedPolicy {
        ExportedPolicy(self, at: time)
    }

    private init(_ other: ExportedPolicy, at time: UTCInstant) {
        name = other.name
        self.time = time
        isPartial = other.isPartial
        table = other.table
        names = other.names
        addresses = other.addresses
        crypto = other.crypto
        rules = other.rules
        behaviours = PolicyBehaviours(table, since: time)
        ports = other.ports
        wildcards = other.wildcards
        taken = other.taken
    }

    /// A table that decides some hosts as another one does and denies all others. `default`, where
    /// it decides some of the hosts, is the rule `default` of the new table.
    package static func cut(
        _ table: PolicyTable, to hosts: [HostPattern], crypto: any CryptoBackend
    ) throws(AnswerFailure) -> PolicyTable {
        guard !hosts.isEmpty else { return table }
        let mask = HostMask.table(hosts, crypto: crypto)
        let all = try HostClasses([table, mask]).everyClass()
        let contents = table.contents()
        var patterns: [Int: Set<HostPattern>] = [:]
        for one in all where one.deciders[1] != HostClass.byDefault {
            guard let pattern = one.pattern else { continue }
            patterns[one.deciders[0], default: []].insert(
                HostPattern(host: pattern.host, port: one.port ?? pattern.port))
        }
        var rules: [RuleContents] = []
        for (decider, hosts) in patterns.sorted(by: { $0.key < $1.key }) {
            let sorted = hosts.map { ($0.canonicalText, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
            if decider != HostClass.byDefault {
                rules.append(
                    RuleContents(
                        id: contents.rules[decider].id, hosts: sorted,
                        body: contents.rules[decider].body))
            } else if case .body(let body) = contents.defaultRule {
                rules.append(RuleContents(id: "default", hosts: sorted, body: body))
            }
        }
        let isDefaultUsed = contents.rules.contains { $0.id == "default" }
        if isDefaultUsed, rules.count(where: { $0.id == "default" }) > 1 {
            throw AnswerFailure(
                "a rule has the id `default`, so the hosts cannot be cut; give it another id")
        }
        var provenance = table.provenance()
        for (pointer, place) in provenance?.locations ?? [:]
        where pointer == "/default" || pointer.hasPrefix("/default/") {
            provenance?.locations["/rules\(pointer)"] = place
        }
        return PolicyTable.encode(
            PolicyContents(
                defaultRule: .deny, rules: rules.sorted { $0.id < $1.id },
                anchorSets: contents.anchorSets, pinSets: contents.pinSets,
                logLists: contents.logLists),
            provenance: provenance, crypto: crypto)
    }

    // MARK: Hosts

    /// Whether a pattern is for names below a name.
    package func hasWildcard(_ name: String) -> Bool { wildcards.contains(name) }

    /// What decides a name or an address. It is asked for port 443, or, if no pattern of the host
    /// holds there, for the lowest port that one names.
    package func decision(of host: String) -> DatedRules.Decision {
        decision(of: host, key: host) { pattern in
            switch pattern {
            case .name(let name): return name == host
            case .address: return true
            case .oneLabel, .anyLabels, .network: return false
            }
        }
    }

    /// What decides a name with one label more than `name` that no pattern names; with two labels
    /// more for `.anyLabels`.
    package func decision(below name: String, _ depth: Depth) -> DatedRules.Decision {
        var label = "sub"
        while taken.contains("\(label).\(name)") { label += "x" }
        let host =
            switch depth {
            case .oneLabel: "\(label).\(name)"
            case .anyLabels: "\(label).\(label).\(name)"
            }
        return decision(of: host, key: "*.\(name)") { Self.base(of: $0) == name }
    }

    /// How far below a name a host lies.
    package enum Depth: Hashable, Sendable { case oneLabel, anyLabels }

    /// The base of a wildcard; nil for other patterns.
    package static func base(of host: HostPattern.Host?) -> String? {
        switch host {
        case .oneLabel(let base), .anyLabels(let base): return base
        case .name, .address, .network, nil: return nil
        }
    }

    /// Whether a pattern is one name.
    static func isName(_ host: HostPattern.Host?) -> Bool {
        switch host {
        case .name: return true
        case .oneLabel, .anyLabels, .address, .network, nil: return false
        }
    }

    /// What decides the hosts that no pattern matches.
    package var fallback: DatedRules.Decision { DatedRules.Decision(rule: nil, pattern: nil) }

    private func decision(
        of text: String, key: String, isOwn: (HostPattern.Host) -> Bool
    ) -> DatedRules.Decision {
        let host: CanonicalHost =
            IPAddress(text: text).map { CanonicalHost.address($0) } ?? .name(text)
        let usual = rules.decision(host, port: 443)
        guard let named = ports[key], !(usual.pattern.map { isOwn($0.host) } ?? false) else {
            return usual
        }
        for port in named {
            let other = rules.decision(host, port: port)
            if let pattern = other.pattern, isOwn(pattern.host) { return other }
        }
        return usual
    }

    // MARK: Demands

    /// The body that decides as of the instant; nil where the host is denied.
    package func body(of decision: DatedRules.Decision) -> RuleBody? {
        rules.body(of: decision, at: time)
    }

    /// The pin sets that bind as of the instant. None under a waiver of `pins`, and none where
    /// their failure is reported.
    package func pinSets(of body: RuleBody) -> [PinSetContents] {
        let isLenient =
            body.waivers.contains { $0.tolerance == .pins }
            || body.reportOnly.contains { $0.check == .pins }
        guard !isLenient else { return [] }
        return body.pins.compactMap { id in contents.pinSets.first { $0.id == id } }.filter {
            guard let end = $0.enforceUntil, $0.onExpiry != .fail else { return true }
            return DatedTerm.isInForce(until: end, at: time)
        }
    }

    /// The anchor sets of a body.
    package func anchorSets(of body: RuleBody) -> [AnchorSetContents] {
        body.anchors.compactMap { id in contents.anchorSets.first { $0.id == id } }
    }

    /// The decision that a format takes that cannot tell two decisions apart: the stricter one, and
    /// the first one where neither is.
    package func stricter(
        _ first: DatedRules.Decision, _ second: DatedRules.Decision
    ) -> DatedRules.Decision {
        let order = BehaviourOrder()
        let one = behaviours.behaviour(of: first.rule ?? HostClass.byDefault)
        let other = behaviours.behaviour(of: second.rule ?? HostClass.byDefault)
        return order.compare(other, one).relation == .stricter ? second : first
    }

    /// The last instants of what the policy dates, at which a format's file may change. Sorted,
    /// later than the instant, each once.
    package var ends: [UTCInstant] {
        var bodies = contents.rules.map(\.body)
        if case .body(let body) = contents.defaultRule { bodies.append(body) }
        var ends: Set<UTCInstant> = []
        for body in bodies {
            ends.formUnion(body.waivers.map(\.until))
            ends.formUnion(body.reportOnly.map(\.until))
        }
        ends.formUnion(contents.pinSets.compactMap(\.enforceUntil))
        return ends.filter { $0 >= time }.sorted()
    }
}

extension PinSetContents {
    /// The SHA-256 digests of keys in base64, in the order of the entries, each once, without the
    /// digest that no key has.
    package var keyDigests: [String] { digests { _ in true } }

    /// The same of the entries for some positions.
    package func digests(where isWanted: (PinPosition) -> Bool) -> [String] {
        var seen: Set<String> = [Base64.encode([UInt8](repeating: 0, count: 32))]
        return (keys + backups).filter { isWanted($0.position) }.flatMap(\.matches)
            .filter { $0.kind == .spki && $0.digest.algorithm == .sha256 }
            .map { Base64.encode($0.digest.bytes) }.filter { seen.insert($0).inserted }
    }
}

extension AnchorSetContents {
    /// Whether some path can end at the set. A set that permits only names below `.invalid`, which
    /// no host has (RFC 6761 section 6.4), ends none; imports write it for hosts without anchors.
    package var canEndPaths: Bool {
        !groups.allSatisfy { group in
            group.constraints.contains { constraints in
                !constraints.permittedNames.isEmpty
                    && constraints.permittedNames.allSatisfy {
                        $0.canonicalText.hasSuffix(".invalid")
                    }
            }
        }
    }
}

import TrustEngine

/// On which terms an authority is trusted in two anchor sets: whether it may vouch for more in the
/// one.
enum AnchorTermsComparison {
    /// The terms of `own` that are looser than those of `other`, which is the same authority.
    static func looser(
        _ own: TrustedSets.Authority, than other: TrustedSets.Authority
    ) -> [WeakerField] {
        func field(_ name: String, _ here: JSONValue, _ there: JSONValue) -> WeakerField {
            WeakerField("anchors.\(own.set).\(name)", here, there)
        }
        let (here, there) = (own.group, other.group)
        var found: [WeakerField] = []
        // A leaf anchor vouches for itself alone.
        if here.kind != .leaf, there.kind == .leaf {
            found.append(field("kind", .string(here.kind.name), .string(there.kind.name)))
        }
        if here.standard == .rfc5280, there.standard == .webPKI {
            found.append(
                field("standard", .string(here.standard.name), .string(there.standard.name)))
        }
        if !here.ignoredLimits.isSubset(of: there.ignoredLimits) {
            found.append(
                field(
                    "ignore-limits", EffectiveFields.list(here.ignoredLimits.names),
                    EffectiveFields.list(there.ignoredLimits.names)))
        }
        if let limits = lostLimits(own, other) {
            found.append(field("members", limits.0, limits.1))
        }
        found += constraints(here.constraints, there.constraints).map {
            field("constraints.\($0.key)", $0.here, $0.there)
        }
        return found + filters(here.filters, there.filters).map { field($0.key, $0.here, $0.there) }
    }

    /// Limits that the member's own certificate has in the other set and not in this one, where
    /// they bind.
    private static func lostLimits(
        _ own: TrustedSets.Authority, _ other: TrustedSets.Authority
    ) -> (JSONValue, JSONValue)? {
        guard let here = own.certificate, let there = other.certificate, here != there else {
            return nil
        }
        let (ours, theirs) = (here.layout.extensions, there.layout.extensions)
        let lost: [(limit: AnchorLimits, isLost: Bool)] = [
            (
                .nameConstraints,
                ours.nameConstraints.count == 0 && theirs.nameConstraints.count > 0
            ),
            (
                .keyPurposes,
                ours.extendedKeyUsage.count == 0 && theirs.extendedKeyUsage.count > 0
            ),
            (
                .pathLength,
                theirs.pathLength >= 0
                    && (ours.pathLength < 0 || ours.pathLength > theirs.pathLength)
            ),
        ]
        let names = lost.filter { $0.isLost && !other.group.ignoredLimits.contains($0.limit) }
            .flatMap(\.limit.names)
        guard !names.isEmpty else { return nil }
        let list = names.joined(separator: ", ")
        return (.string("a certificate without \(list)"), .string("one with \(list)"))
    }

    private typealias Part = (key: String, here: JSONValue, there: JSONValue)

    /// Constraints are joined by AND: each part that is written there must be met by some part
    /// here.
    private static func constraints(
        _ here: [AnchorConstraints], _ there: [AnchorConstraints]
    ) -> [Part] {
        let excluded = here.flatMap(\.excludedNames)
        var lost: [String] = []
        for theirs in there {
            func isMet(_ key: String, _ isWritten: Bool, _ isAsStrict: (AnchorConstraints) -> Bool)
            {
                if isWritten, !here.contains(where: isAsStrict), !lost.contains(key) {
                    lost.append(key)
                }
            }
            isMet("permitted-names", !theirs.permittedNames.isEmpty) {
                !$0.permittedNames.isEmpty && covers(theirs.permittedNames, $0.permittedNames)
            }
            isMet("excluded-names", !theirs.excludedNames.isEmpty) { _ in
                covers(excluded, theirs.excludedNames)
            }
            isMet("permitted-uris", !theirs.permittedURIs.isEmpty) {
                !$0.permittedURIs.isEmpty
                    && Set($0.permittedURIs).isSubset(of: theirs.permittedURIs)
            }
            isMet("not-before", theirs.notBefore != nil) {
                lies($0.notBefore, in: theirs.notBefore)
            }
            isMet("sct", theirs.sct != nil) { lies($0.sct, in: theirs.sct) }
            isMet("key-purposes", theirs.keyPurposes != nil) {
                let (ours, theirs) = (names($0.keyPurposes), names(theirs.keyPurposes))
                return !ours.isEmpty && ours.isSubset(of: theirs)
            }
            isMet("maximum-lifetime", theirs.maximumLifetime != nil) {
                $0.maximumLifetime ?? .max <= theirs.maximumLifetime ?? .max
            }
        }
        return lost.map { key in
            (key, value(key, of: here), value(key, of: there))
        }
    }

    private static func value(_ key: String, of constraints: [AnchorConstraints]) -> JSONValue {
        constraints.lazy.compactMap { item in
            EffectiveSets.parts(of: item).first { $0.0 == key }?.1
        }.first ?? .null
    }

    private static func names(_ purposes: KeyPurposes?) -> Set<String> {
        Set(purposes.map { EffectiveFields.purposes($0) } ?? [])
    }

    private static func lies(_ here: DateWindow?, in there: DateWindow?) -> Bool {
        guard let here, let there else { return there == nil }
        return here.lies(in: there)
    }

    /// Whether each of some patterns lies inside one of others.
    private static func covers(_ outer: [HostPattern], _ inner: [HostPattern]) -> Bool {
        inner.allSatisfy { pattern in outer.contains { $0.covers(pattern) } }
    }

    /// What keeps members of the machine's store: filters are applied in turn.
    private static func filters(_ here: [AnchorFilter], _ there: [AnchorFilter]) -> [Part] {
        var lost: [Part] = []
        let excluded = Set(here.flatMap(\.exclude))
        for theirs in there {
            if let only = theirs.only,
                !here.contains(where: { $0.only.map { Set($0).isSubset(of: only) } ?? false })
            {
                lost.append(("only", value("only", of: here), value("only", of: there)))
            }
            if !Set(theirs.exclude).isSubset(of: excluded) {
                lost.append(("exclude", value("exclude", of: here), value("exclude", of: there)))
            }
        }
        return lost
    }

    private static func value(_ key: String, of filters: [AnchorFilter]) -> JSONValue {
        EffectiveSets.parts(of: filters).first { $0.0 == key }?.1 ?? .null
    }
}

extension HostPattern {
    /// Whether every name or address that another pattern stands for is one of this pattern's; of
    /// patterns without ports.
    fileprivate func covers(_ other: HostPattern) -> Bool {
        if self == other { return true }
        switch (host, other.host) {
        case (.oneLabel(let base), .name(let name)):
            return name.hasSuffix(".\(base)")
                && !name.dropLast(base.utf8.count + 1).contains(".")
        case (.anyLabels(let base), .name(let name)): return name.hasSuffix(".\(base)")
        case (.anyLabels(let base), .oneLabel(let inner)),
            (.anyLabels(let base), .anyLabels(let inner)):
            return inner == base || inner.hasSuffix(".\(base)")
        case (.network(let network, let prefix), .address(let address)):
            return network.contains(address, prefix: prefix)
        case (.network(let network, let prefix), .network(let inner, let longer)):
            return prefix <= longer && network.contains(inner, prefix: prefix)
        case (.name, _), (.address, _), (.oneLabel, _), (.anyLabels, _), (.network, _): return false
        }
    }
}

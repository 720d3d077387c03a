/// A named set of trust anchors (LANGUAGE section 5) after resolution: `include` has been followed.
/// `only` and `exclude` have been applied to every member that is known when the policy is
/// compiled.
package struct AnchorSetContents: Hashable, Sendable {
    package typealias Kind = AnchorKind

    package var id: String
    /// The groups of members with the same terms; at least one. A set that includes another set has
    /// one group for each group of that set. Sorted, each once.
    package var groups: [AnchorGroup]
    /// DER of certificates that are offered to the path search and never trusted; sorted, each
    /// once. The certificates of included sets are among them.
    package var intermediates: [[UInt8]]
    /// Annotation, not part of the policy's meaning.
    package var owner: String?
    package var note: String?

    package init(
        id: String, groups: [AnchorGroup], intermediates: [[UInt8]] = [], owner: String? = nil,
        note: String? = nil
    ) {
        self.id = id
        self.groups = Set(groups).map { (key: $0.sortKey, group: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.group)
        self.intermediates = intermediates
        self.owner = owner
        self.note = note
    }

    /// The built-in set `system`: the machine's own store, judged by the standard `web-pki`.
    package static let system = AnchorSetContents(id: "system", groups: [.system])
    /// The id that stands for the keys that a rule pins. No set has this id.
    package static let pinnedKeysID = "pinned-keys"

    /// Whether a listed member has a subject, by its RFC 4514 string. Linear in the members, each
    /// of which is parsed.
    package func holds(subject: String) -> Bool {
        groups.contains { group in
            guard case .members(let certificates) = group.source else { return false }
            return certificates.contains { der in
                (try? Certificate(der: der))?.subjectText == subject
            }
        }
    }

    /// Whether some members come from the machine's store.
    package var namesSystemStore: Bool { groups.contains { $0.source == .system } }
}

/// Members of an anchor set that have the same terms.
package struct AnchorGroup: Hashable, Sendable {
    /// Where the members of a group come from.
    package enum Source: Hashable, Sendable {
        /// The table holds the members: DER of each, sorted by octets, each once.
        case members([[UInt8]])
        /// The machine's store holds the members, as far as `filters` keep them.
        case system
    }

    package var source: Source
    package var kind: AnchorKind
    package var standard: Standard
    /// Limits in the anchor's own certificate that do not bind.
    package var ignoredLimits: AnchorLimits
    /// The constraints of each set between this group and the rule. All of them must be met.
    /// Sorted, each once.
    package var constraints: [AnchorConstraints]
    /// The filters that the members from the machine's store must pass, all of them; empty for
    /// members that are known when the policy is compiled. Sorted, each once.
    package var filters: [AnchorFilter]

    package init(
        source: Source, kind: AnchorKind = .root, standard: Standard = .rfc5280,
        ignoredLimits: AnchorLimits = [], constraints: [AnchorConstraints] = [],
        filters: [AnchorFilter] = []
    ) {
        self.source = source
        self.kind = kind
        self.standard = standard
        self.ignoredLimits = ignoredLimits
        self.constraints = AnchorGroup.ordered(constraints, by: \.encoded)
        self.filters = AnchorGroup.ordered(filters, by: \.encoded)
    }

    /// Sorts values by an encoded form and removes repetitions. Neither order nor repetition has a
    /// meaning.
    private static func ordered<Value: Hashable>(
        _ values: [Value], by encoded: (Value) -> [UInt8]
    ) -> [Value] {
        guard values.count > 1 else { return values }
        return Set(values).map { (key: encoded($0), value: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// Whether the members issue certificates to the public: the machine's store, and members that
    /// are judged by `web-pki`.
    package var isPublic: Bool { source == .system || standard == .webPKI }

    /// The machine's store with the terms of the built-in set `system`.
    package static let system = AnchorGroup(source: .system, standard: .webPKI)
}

/// `constraints` of an anchor set. The end entity must meet every part that is written.
package struct AnchorConstraints: Hashable, Sendable {
    /// Patterns without ports, sorted by canonical text; empty for no demand.
    package var permittedNames: [HostPattern] = []
    package var excludedNames: [HostPattern] = []
    /// URI patterns in canonical form, sorted; empty for no demand.
    package var permittedURIs: [String] = []
    /// The window of the end entity's notBefore; nil for no demand.
    package var notBefore: DateWindow? = nil
    /// The window of the end entity's earliest valid SCT; nil for no demand.
    package var sct: DateWindow? = nil
    /// Key purposes, one of which the end entity's extended key usage names; nil for no demand.
    package var keyPurposes: KeyPurposes? = nil
    /// Longest lifetime of the end entity, in seconds; nil for no demand.
    package var maximumLifetime: Int64? = nil

    package init() {}

    /// A key under `constraints`. The raw value is the key in a policy.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case permittedNames = "permitted-names"
        case excludedNames = "excluded-names"
        case permittedURIs = "permitted-uris"
        case notBefore = "not-before"
        case sct
        case keyPurposes = "key-purposes"
        case maximumLifetime = "maximum-lifetime"
    }

    /// The keys that are written, in the order of the language.
    package var keys: [Key] { Key.allCases.filter(writes) }

    private func writes(_ key: Key) -> Bool {
        switch key {
        case .permittedNames: return !permittedNames.isEmpty
        case .excludedNames: return !excludedNames.isEmpty
        case .permittedURIs: return !permittedURIs.isEmpty
        case .notBefore: return notBefore != nil
        case .sct: return sct != nil
        case .keyPurposes: return keyPurposes != nil
        case .maximumLifetime: return maximumLifetime != nil
        }
    }
}

/// A window of time (LANGUAGE section 11). Both ends are inside, and at least one is written.
package struct DateWindow: Hashable, Sendable, BitwiseCopyable {
    /// First second inside the window; nil for no beginning.
    package var from: UTCInstant?
    /// Last second inside the window; nil for no end.
    package var until: UTCInstant?

    package init(from: UTCInstant? = nil, until: UTCInstant? = nil) {
        self.from = from
        self.until = until
    }

    package func contains(_ time: UTCInstant) -> Bool {
        if let from, time < from { return false }
        if let until, time > until { return false }
        return true
    }
}

/// `only` and `exclude` of one anchor set.
package struct AnchorFilter: Hashable, Sendable {
    /// The filter keeps only members that one of these matches; nil where `only` is not written.
    /// Sorted.
    package var only: [KeyMatch]?
    /// The filter removes members that one of these matches. Sorted.
    package var exclude: [KeyMatch]

    package init(only: [KeyMatch]? = nil, exclude: [KeyMatch] = []) {
        self.only = only
        self.exclude = exclude
    }

    /// Whether the filter keeps a certificate.
    package func keeps(_ certificate: Certificate, crypto: some CryptoBackend) -> Bool {
        func isNamed(by match: KeyMatch) -> Bool { match.names(certificate, crypto: crypto) }
        if let only, !only.contains(where: isNamed) { return false }
        return !exclude.contains(where: isNamed)
    }
}

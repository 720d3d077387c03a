/// A named set of trust anchors (LANGUAGE section 5), resolved: `include` is followed, and `only` and
/// `exclude` are applied wherever the members are known when the policy is compiled.
package struct AnchorSetContents: Hashable, Sendable {
    package typealias Kind = AnchorKind

    package var id: String
    /// Members that are trusted on the same terms. At least one; a set that includes another has a
    /// group for each of that set's groups. Made in one order, each once.
    package var groups: [AnchorGroup]
    /// DER of certificates offered to the path search and never trusted; sorted, each once. Those of
    /// included sets are among them.
    package var intermediates: [[UInt8]]
    /// Not part of the meaning.
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

    /// The built-in set: the machine's own store, judged as the web is.
    package static let system = AnchorSetContents(id: "system", groups: [.system])
    /// The id that stands for what a rule pins, which no set has.
    package static let pinnedKeysID = "pinned-keys"

    /// Whether some of its members come from the machine.
    package var namesSystemStore: Bool { groups.contains { $0.source == .system } }
}

/// Members of an anchor set that are trusted on the same terms.
package struct AnchorGroup: Hashable, Sendable {
    /// Where the members come from.
    package enum Source: Hashable, Sendable {
        /// DER of each, sorted by its octets, each once.
        case members([[UInt8]])
        /// The machine's store at load, as far as `filters` leave it.
        case system
    }

    package var source: Source
    package var kind: AnchorKind
    package var standard: Standard
    /// Limits written in the anchor's own certificate that do not bind.
    package var ignoredLimits: AnchorLimits
    /// Each must be met; one for each set between this group and the rule that has constraints. Made
    /// in one order, each once.
    package var constraints: [AnchorConstraints]
    /// What keeps or removes members of the machine's store, applied in turn; empty for members that
    /// are known when the policy is compiled. Made in one order, each once.
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

    /// Each value once, in the order of an encoded form: neither order nor repetition has meaning.
    private static func ordered<Value: Hashable>(
        _ values: [Value], by encoded: (Value) -> [UInt8]
    ) -> [Value] {
        guard values.count > 1 else { return values }
        return Set(values).map { (key: encoded($0), value: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// The machine's store on the terms of the built-in set `system`.
    package static let system = AnchorGroup(source: .system, standard: .webPKI)
}

/// `constraints` of an anchor set: every part that is written must be met by the end entity.
package struct AnchorConstraints: Hashable, Sendable {
    /// Patterns without port, sorted by canonical text; empty for no demand.
    package var permittedNames: [HostPattern] = []
    package var excludedNames: [HostPattern] = []
    /// URI patterns in canonical form, sorted; empty for no demand.
    package var permittedURIs: [String] = []
    /// Of the end entity's notBefore.
    package var notBefore: DateWindow? = nil
    /// Of the earliest valid SCT of the end entity.
    package var sct: DateWindow? = nil
    /// The end entity's extended key usage contains one; nil for no demand.
    package var keyPurposes: KeyPurposes? = nil
    /// Longest lifetime of the end entity, seconds.
    package var maximumLifetime: Int64? = nil

    package init() {}
}

/// A window of time (LANGUAGE section 11): both ends inclusive, at least one written.
package struct DateWindow: Hashable, Sendable, BitwiseCopyable {
    /// First second inside.
    package var from: UTCInstant?
    /// Last second inside.
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

/// `only` and `exclude` of one set.
package struct AnchorFilter: Hashable, Sendable {
    /// A member stays only if one of these matches it; nil where nothing is written. Sorted.
    package var only: [KeyMatch]?
    /// A member that one of these matches is removed. Sorted.
    package var exclude: [KeyMatch]

    package init(only: [KeyMatch]? = nil, exclude: [KeyMatch] = []) {
        self.only = only
        self.exclude = exclude
    }

    /// Whether a certificate stays.
    package func keeps(_ certificate: Certificate, crypto: some CryptoBackend) -> Bool {
        func isMatched(by match: KeyMatch) -> Bool {
            let octets = certificate.der.span
            switch match.kind {
            case .certificate:
                return crypto.digest(match.digest.algorithm, of: octets) == match.digest
            case .spki:
                let spki = octets.extracting(certificate.layout.publicKey.spki.indices)
                return crypto.digest(match.digest.algorithm, of: spki) == match.digest
            }
        }
        if let only, !only.contains(where: isMatched) { return false }
        return !exclude.contains(where: isMatched)
    }
}

// The views that evaluation reads. STUB until the codec lands.

extension PolicyTable {
    /// Encodes a policy and its provenance; deterministic.
    package static func encode(
        _ contents: PolicyContents, provenance: Provenance?, crypto: some CryptoBackend
    ) -> PolicyTable { preconditionFailure("codec") }

    /// Checks bytes and makes a table of them; the policy digest is recomputed, never believed.
    public init(decoding bytes: [UInt8], crypto: some CryptoBackend) throws(TableDecodingError) {
        throw TableDecodingError(code: .notATable, context: "codec")
    }

    /// The whole policy read back (for `inspect`, `show` and tests; evaluation uses the views).
    package func contents() -> PolicyContents { preconditionFailure("codec") }

    /// The provenance section, or nil when it was dropped.
    package func provenance() -> Provenance? { preconditionFailure("codec") }

    /// The same policy without provenance: same policy digest, another file digest.
    package func withoutProvenance(crypto: some CryptoBackend) -> PolicyTable {
        preconditionFailure("codec")
    }

    package var ruleCount: Int { preconditionFailure("codec") }
    package var anchorSetCount: Int { preconditionFailure("codec") }
    package var pinSetCount: Int { preconditionFailure("codec") }

    /// A rule by index; index `ruleCount` is the body of `default` (only when it is not `deny`).
    package func rule(at index: Int) -> RuleRecord { preconditionFailure("codec") }
    /// Whether `default` is `deny`.
    package var deniesByDefault: Bool { preconditionFailure("codec") }
    /// One element of a list of indices.
    package func index(_ list: IndexList, _ position: Int) -> Int { preconditionFailure("codec") }
    /// A text, copied out.
    package func text(_ text: TextReference) -> String { preconditionFailure("codec") }
    /// Distinct flattened requirements; decoded once when an engine is made.
    package var requirementCount: Int { preconditionFailure("codec") }
    package func requirements(at index: Int) -> Requirements { preconditionFailure("codec") }
    package func identity(at index: Int) -> IdentityRequirement { preconditionFailure("codec") }
    /// A waiver; `position` is below `record.waivers.count`. Its texts are empty when dropped.
    package func waiver(_ record: RuleRecord, _ position: Int) -> Waiver {
        preconditionFailure("codec")
    }
    package func anchorSet(at index: Int) -> AnchorSetContents { preconditionFailure("codec") }
    package func pinSet(at index: Int) -> PinSetRecord { preconditionFailure("codec") }
    /// One entry of a pin set, keys first and then backups.
    package func pin(_ set: PinSetRecord, _ position: Int) -> PinRecord {
        preconditionFailure("codec")
    }
    /// Whether one of an entry's matches of a kind is this digest.
    package func pin(_ pin: PinRecord, matches digest: Digest, kind: KeyMatch.Kind) -> Bool {
        preconditionFailure("codec")
    }
    package func keyMatch(_ pin: PinRecord, _ position: Int) -> KeyMatch {
        preconditionFailure("codec")
    }

    /// The most specific pattern for a host, in the total order of LANGUAGE section 11.4; nil when
    /// none matches. Allocation-free; time linear in the host's length, independent of the number of
    /// patterns.
    package func lookUp(_ host: CanonicalHost, port: UInt16) -> PatternMatch? {
        preconditionFailure("codec")
    }
    /// Every pattern that matches a host, the winner first, the others in order of specificity.
    package func candidates(_ host: CanonicalHost, port: UInt16) -> [PatternMatch] {
        preconditionFailure("codec")
    }
    /// A pattern read back.
    package func pattern(at index: Int) -> HostPattern { preconditionFailure("codec") }
}

/// A text in the table.
package struct TextReference: Hashable, Sendable, BitwiseCopyable {
    package let offset: UInt32
    package let count: UInt32
}

/// A list of indices in the table.
package struct IndexList: Hashable, Sendable, BitwiseCopyable {
    package let start: UInt32
    package let count: UInt32
}

/// A rule as the table holds it.
package struct RuleRecord: Hashable, Sendable, BitwiseCopyable {
    /// Empty for `default`.
    package let id: TextReference
    package let profile: TextReference
    /// Indices of anchor sets.
    package let anchors: IndexList
    /// Indices of pin sets.
    package let pins: IndexList
    package let requirements: UInt32
    package let identity: UInt32
    package let waivers: IndexList
}

/// A pin set as the table holds it.
package struct PinSetRecord: Hashable, Sendable, BitwiseCopyable {
    package let id: TextReference
    package let keyCount: UInt32
    package let backupCount: UInt32
    package let match: UInt32
    package let warnFrom: UTCInstant?
    package let enforceUntil: UTCInstant?
    package let onExpiry: PinSetContents.OnExpiry
    /// Position of its first entry in the table's list of pins.
    package let firstPin: UInt32
}

/// A pin as the table holds it.
package struct PinRecord: Hashable, Sendable, BitwiseCopyable {
    package let id: TextReference
    package let position: PinPosition
    /// Position of its first digest, and how many.
    package let firstMatch: UInt32
    package let matchCount: UInt32
}

/// A pattern that matches a host.
package struct PatternMatch: Hashable, Sendable, BitwiseCopyable {
    package let pattern: UInt32
    package let rule: UInt32
}

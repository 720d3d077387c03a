// Between whole policies and tables: encoding, decoding, and reading everything back.

extension PolicyTable {
    /// Encodes a policy and its provenance. Deterministic: the order in which rules, sets and lists
    /// come in has no influence on the bytes.
    package static func encode(
        _ contents: PolicyContents, provenance: Provenance?, crypto: some CryptoBackend
    ) -> PolicyTable {
        TableEncoder.assemble(
            TableEncoder.sections(of: contents, provenance: provenance), crypto: crypto)
    }

    /// Checks bytes and makes a table of them; the policy digest is recomputed, never believed.
    ///
    /// Time linear in the bytes: three digests over them and one pass over every section.
    ///
    /// - Throws: `TableDecodingError`, whose codes say each what was found.
    public init(decoding bytes: [UInt8], crypto: some CryptoBackend) throws(TableDecodingError) {
        self = try TableDecoder.decode(bytes, crypto: crypto, beside: { work in work })
    }

    /// The answer of the checks that ask nothing of the others.
    package struct ChecksBeside: Sendable {
        /// Whether the digests are those of the bytes.
        let digestsHold: Bool
        /// Whether the names that these checks took have the fingerprints that their slots claim.
        let fingerprintsHold: Bool
    }

    /// Begins these checks and gives what waits for their answer. It is asked for exactly once, when the
    /// sections have been checked.
    package typealias Beside = (@escaping @Sendable () -> ChecksBeside) -> () -> ChecksBeside

    /// The same with half of the work where the caller has it run: beside the other half, if it has a
    /// thread to spare.
    package init(
        decoding bytes: [UInt8], crypto: some CryptoBackend, beside: Beside
    ) throws(TableDecodingError) {
        self = try TableDecoder.decode(bytes, crypto: crypto, beside: beside)
    }

    /// The same policy without provenance: same policy digest, another file digest.
    package func withoutProvenance(crypto: some CryptoBackend) -> PolicyTable {
        var sections: [TableSection: [UInt8]] = [:]
        for section in TableSection.allCases where !layout[section].isAbsent {
            sections[section] = Array(bytes[layout[section].range])
        }
        sections[.provenance] = nil
        sections[.provenanceTexts] = nil
        return TableEncoder.assemble(sections, crypto: crypto)
    }

    /// The provenance section, or nil when it was dropped.
    package func provenance() -> Provenance? {
        layout[.provenance].isAbsent ? nil : Provenance(bytes, layout)
    }

    /// The whole policy read back (for `inspect`, `show` and tests; evaluation uses the views), every
    /// list in its canonical order.
    package func contents() -> PolicyContents {
        var hosts = [[HostPattern]](repeating: [], count: ruleCount)
        forEachPattern { pattern, rule in hosts[Int(rule)].append(pattern) }
        return PolicyContents(
            defaultRule: deniesByDefault ? .deny : .body(body(at: ruleCount)),
            rules: (0..<ruleCount).map { index in
                RuleContents(
                    id: text(rule(at: index).id), hosts: PolicyTable.sortedByText(hosts[index]),
                    body: body(at: index))
            },
            anchorSets: (0..<anchorSetCount).map { anchorSet(at: $0) },
            pinSets: (0..<pinSetCount).map { pinSetContents(at: $0) }, logLists: logLists())
    }

    /// Canonical text is made once for each pattern, not once for each comparison.
    private static func sortedByText(_ hosts: [HostPattern]) -> [HostPattern] {
        hosts.map { (text: Array($0.canonicalText.utf8), pattern: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }
            .map(\.pattern)
    }

    private func body(at index: Int) -> RuleBody {
        let record = rule(at: index)
        return RuleBody(
            anchors: (0..<Int(record.anchors.count)).map {
                anchorSetID(at: self.index(record.anchors, $0))
            },
            anchorsArePinnedKeys: record.anchorsArePinnedKeys,
            pins: (0..<Int(record.pins.count)).map {
                text(pinSet(at: self.index(record.pins, $0)).id)
            },
            profile: text(record.profile),
            requirements: requirements(at: Int(record.requirements)),
            identity: identity(at: Int(record.identity)),
            reportOnly: (0..<Int(record.reportModes.count)).map { reportMode(record, $0) },
            waivers: (0..<Int(record.waivers.count)).map { waiver(record, $0) },
            owner: annotation(.owner, of: .rule, index),
            note: annotation(.note, of: .rule, index))
    }

    func pinSetContents(at index: Int) -> PinSetContents {
        let record = pinSet(at: index)
        let pins = (0..<Int(record.keyCount) + Int(record.backupCount)).map { position in
            let pin = pin(record, position)
            return PinContents(
                id: text(pin.id), matches: (0..<Int(pin.matchCount)).map { keyMatch(pin, $0) },
                position: pin.position, certificates: certificates(of: pin),
                note: annotation(.note, of: .pin, Int(record.firstPin) + position))
        }
        return PinSetContents(
            id: text(record.id), keys: Array(pins.prefix(Int(record.keyCount))),
            backups: Array(pins.dropFirst(Int(record.keyCount))), match: Int(record.match),
            warnFrom: record.warnFrom, enforceUntil: record.enforceUntil,
            onExpiry: record.onExpiry, owner: annotation(.owner, of: .pinSet, index),
            note: annotation(.note, of: .pinSet, index))
    }
}

extension PolicyTable {
    /// The id of an anchor set, without copying its members.
    package func anchorSetID(at index: Int) -> String {
        let offset = layout[.anchorSets].start + index * TableFormat.anchorSetSize
        let texts = BlobList(bytes.span, layout[.texts])
        return texts.text(Int(bytes.number32(at: offset)), bytes)
    }
}

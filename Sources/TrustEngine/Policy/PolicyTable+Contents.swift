// Encodes whole policies into tables and reads them back.

extension PolicyTable {
    /// Encodes a policy and its provenance. The same policy gives the same bytes, whatever the
    /// order of its rules, sets and lists.
    package static func encode(
        _ contents: PolicyContents, provenance: Provenance?, crypto: some CryptoBackend
    ) -> PolicyTable {
        TableEncoder.sections(of: contents).table(
            locations: provenance.map { WrittenLocations($0) }, crypto: crypto)
    }

    /// Checks bytes and makes a table of them. The policy digest is computed anew and not taken
    /// from the bytes.
    ///
    /// Time is linear in the bytes: three digests over them and one pass over every section.
    ///
    /// - Throws: `TableDecodingError`; each code says what was found.
    public init(decoding bytes: [UInt8], crypto: some CryptoBackend) throws(TableDecodingError) {
        self = try TableDecoder.decode(bytes, crypto: crypto, beside: { work in work })
    }

    /// Begins the check of digests, which depends on no other check, and returns a function that
    /// waits for its result. The decoder calls that function exactly once, after it has checked the
    /// sections.
    package typealias Beside = (@escaping @Sendable () -> Bool) -> () -> Bool

    /// Checks bytes and makes a table of them. The caller decides through `beside` where half of
    /// the work, the hashing, runs: on a second thread, if it has one, or on this thread.
    package init(
        decoding bytes: [UInt8], crypto: some CryptoBackend, beside: Beside
    ) throws(TableDecodingError) {
        self = try TableDecoder.decode(bytes, crypto: crypto, beside: beside)
    }

    /// The same policy without provenance: the policy digest stays, the file digest changes.
    package func withoutProvenance(crypto: some CryptoBackend) -> PolicyTable {
        var sections: [TableSection: [UInt8]] = [:]
        for section in TableSection.allCases where !layout[section].isAbsent {
            sections[section] = Array(bytes[layout[section].range])
        }
        sections[.provenance] = nil
        sections[.provenanceTexts] = nil
        return TableSections(sections).table(locations: nil, crypto: crypto)
    }

    /// The provenance of the table; nil when the table has none.
    package func provenance() -> Provenance? {
        layout[.provenance].isAbsent ? nil : Provenance(bytes, layout)
    }

    /// The location of one JSON pointer, without reading the other locations. Cost: logarithmic in
    /// the locations.
    package func location(of pointer: String) -> Provenance.Location? {
        layout[.provenance].isAbsent ? nil : Provenance.location(of: pointer, bytes, layout)
    }

    /// The profile that each profile extends, as `Provenance.parents`; nil when the table has no
    /// provenance.
    package func profileParents() -> [String: String]? {
        layout[.provenance].isAbsent ? nil : Provenance.parents(bytes, layout)
    }

    /// The whole policy, read back for `inspect`, `show` and tests. Evaluation uses the views
    /// instead. Every list is in its canonical order.
    ///
    /// - Parameter listsHosts: whether the rules have their hosts; otherwise every list of hosts is
    ///   empty, for callers that ask the table for patterns.
    package func contents(listsHosts: Bool = true) -> PolicyContents {
        var hosts = [[HostPattern]](repeating: [], count: ruleCount)
        if listsHosts { forEachPattern { pattern, rule in hosts[Int(rule)].append(pattern) } }
        var read = PartsRead()
        return PolicyContents(
            defaultRule: deniesByDefault ? .deny : .body(body(at: ruleCount, &read)),
            rules: (0..<ruleCount).map { index in
                RuleContents(
                    id: text(rule(at: index).id), hosts: PolicyTable.sortedByText(hosts[index]),
                    body: body(at: index, &read))
            },
            anchorSets: (0..<anchorSetCount).map { anchorSet(at: $0) },
            pinSets: (0..<pinSetCount).map { pinSetContents(at: $0) }, logLists: logLists())
    }

    /// Sorts patterns by canonical text. The text is made once for each pattern and not once for
    /// each comparison.
    private static func sortedByText(_ hosts: [HostPattern]) -> [HostPattern] {
        guard hosts.count > 1 else { return hosts }
        return hosts.map { (text: Array($0.canonicalText.utf8), pattern: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }
            .map(\.pattern)
    }

    /// The parts of bodies that were read, by their indices. Most rules share a few, and two bodies
    /// that share a part are compared without a look at its lists.
    private struct PartsRead {
        var requirements: [UInt32: Requirements] = [:]
        var identities: [UInt32: IdentityRequirement] = [:]
        var profiles: [TextReference: String] = [:]
    }

    private func body(at index: Int, _ read: inout PartsRead) -> RuleBody {
        func once<Key: Hashable, Part>(
            _ known: inout [Key: Part], _ key: Key, _ read: () -> Part
        ) -> Part {
            if let part = known[key] { return part }
            let part = read()
            known[key] = part
            return part
        }
        let record = rule(at: index)
        return RuleBody(
            anchors: (0..<Int(record.anchors.count)).map {
                anchorSetID(at: self.index(record.anchors, $0))
            },
            anchorsArePinnedKeys: record.anchorsArePinnedKeys,
            pins: (0..<Int(record.pins.count)).map {
                text(pinSet(at: self.index(record.pins, $0)).id)
            },
            profile: once(&read.profiles, record.profile) { text(record.profile) },
            requirements: once(&read.requirements, record.requirements) {
                requirements(at: Int(record.requirements))
            },
            identity: once(&read.identities, record.identity) {
                identity(at: Int(record.identity))
            },
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
    /// The id of an anchor set. Its members are not copied.
    package func anchorSetID(at index: Int) -> String {
        let offset = layout[.anchorSets].start + index * TableFormat.anchorSetSize
        let texts = BlobList(bytes.span, layout[.texts])
        return texts.text(Int(bytes.number32(at: offset)), bytes)
    }
}

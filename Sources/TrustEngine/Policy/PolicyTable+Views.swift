// The views that evaluation reads: records by index, texts and lists by reference. The table was
// checked when it was made, so reading never fails and never traps. A caller that makes up an index
// must see to it that the index is in range.

extension PolicyTable {
    /// Number of rules with an id.
    package var ruleCount: Int { Int(bytes.number32(at: layout[.rules].start)) }
    /// Number of anchor sets, with the built-in sets that rules name.
    package var anchorSetCount: Int { layout[.anchorSets].count / TableFormat.anchorSetSize }
    /// Number of pin sets.
    package var pinSetCount: Int { layout[.pinSets].count / TableFormat.pinSetSize }
    /// Number of host patterns of all rules.
    package var patternCount: Int {
        Int(bytes.number32(at: layout[.nameSlots].start + 12))
            + AddressIndex.patternCount(bytes.span.extracting(layout[.addresses].range))
    }

    /// Octets of the index over host names: its slots and its entries, which hold the names.
    package var indexSize: Int { layout[.nameSlots].count + layout[.names].count }

    /// Whether the policy's `default` is `deny`.
    package var deniesByDefault: Bool { bytes.number32(at: layout[.rules].start + 4) == 0 }

    /// A rule by index. The index `ruleCount` is the body of `default`, which exists only when
    /// `default` is not `deny`.
    package func rule(at index: Int) -> RuleRecord {
        let offset = layout[.rules].start + 8 + index * TableFormat.ruleSize
        return RuleRecord(
            id: text(numbered: bytes.number32(at: offset)),
            profile: text(numbered: bytes.number32(at: offset + 4)),
            anchors: list(at: offset + 8), pins: list(at: offset + 16),
            requirements: bytes.number32(at: offset + 24),
            identity: bytes.number32(at: offset + 28), waivers: list(at: offset + 32),
            reportModes: list(at: offset + 40),
            anchorsArePinnedKeys: bytes.number32(at: offset + 48) == 1)
    }

    /// One element of a list of indices. `position` is below the list's count.
    package func index(_ list: IndexList, _ position: Int) -> Int {
        Int(bytes.number32(at: layout[.lists].start + 4 * (Int(list.start) + position)))
    }

    /// The elements of a list of indices, read where they lie in the table. `addend` is added to
    /// each of them.
    package func indices(_ list: IndexList, addend: Int = 0) -> IndexView {
        IndexView(
            bytes, at: layout[.lists].start + 4 * Int(list.start), count: Int(list.count),
            addend: addend)
    }

    /// A text of the table, copied out.
    package func text(_ text: TextReference) -> String {
        String(decoding: bytes[text.indices], as: UTF8.self)
    }

    /// Number of distinct flattened requirements. They are decoded once, when an engine is made.
    package var requirementCount: Int { BlobList(bytes.span, layout[.requirements]).count }

    /// The names of all checks that rules ask of programs.
    package var checkNames: Set<String> {
        Set((0..<requirementCount).flatMap { requirements(at: $0).checks })
    }

    /// Flattened requirements by index.
    package func requirements(at index: Int) -> Requirements {
        let range = BlobList(bytes.span, layout[.requirements]).range(index, bytes.span)
        do {
            return try Requirements(decoding: bytes.span.extracting(range))
        } catch {
            preconditionFailure("requirements were checked when the table was made")
        }
    }

    /// An identity requirement by index. Its lists are allocated.
    package func identity(at index: Int) -> IdentityRequirement {
        let range = BlobList(bytes.span, layout[.identities]).range(index, bytes.span)
        // Nearly every rule demands only the host, without lists.
        let reference = bytes.number32(at: range.lowerBound)
        if reference == UInt32(IdentityRequirement.Reference.host.rawValue) {
            return IdentityRequirement()
        }
        do {
            return try IdentityRequirement(
                decoding: bytes.span.extracting(range),
                texts: BlobList(bytes.span, layout[.texts]), table: bytes)
        } catch {
            preconditionFailure("identities were checked when the table was made")
        }
    }

    /// A waiver of a rule. `position` is below `record.waivers.count`. Texts that were dropped from
    /// the table are empty.
    package func waiver(_ record: RuleRecord, _ position: Int) -> Waiver {
        let index = Int(record.waivers.start) + position
        let offset = layout[.waivers].start + index * TableFormat.waiverSize
        let tolerance = Waiver.Tolerance(
            number: bytes.number32(at: offset), value: bytes.signed64(at: offset + 8))
        guard let tolerance else {
            preconditionFailure("waivers were checked when the table was made")
        }
        return Waiver(
            tolerance: tolerance,
            until: UTCInstant(secondsSinceEpoch: bytes.signed64(at: offset + 16)),
            reason: annotation(.reason, of: .waiver, index) ?? "",
            owner: annotation(.owner, of: .waiver, index) ?? "",
            ticket: annotation(.ticket, of: .waiver, index))
    }

    /// An entry of `report-only` of a rule. `position` is below `record.reportModes.count`.
    package func reportMode(_ record: RuleRecord, _ position: Int) -> ReportOnly {
        let index = Int(record.reportModes.start) + position
        let offset = layout[.reportModes].start + index * TableFormat.reportModeSize
        let number = Int(bytes.number32(at: offset))
        let check =
            number <= ReportOnly.Check.builtIn.count
            ? ReportOnly.Check.builtIn[number - 1]
            : .custom(text(text(numbered: bytes.number32(at: offset + 4))))
        return ReportOnly(
            check: check, until: UTCInstant(secondsSinceEpoch: bytes.signed64(at: offset + 8)),
            note: annotation(.note, of: .reportMode, index))
    }

    /// An anchor set by index, with its members copied out.
    package func anchorSet(at index: Int) -> AnchorSetContents {
        let offset = layout[.anchorSets].start + index * TableFormat.anchorSetSize
        let groups = list(at: offset + 8)
        return AnchorSetContents(
            id: text(text(numbered: bytes.number32(at: offset))),
            groups: (0..<Int(groups.count)).map { anchorGroup(at: self.index(groups, $0)) },
            intermediates: certificates(list(at: offset + 16)),
            owner: annotation(.owner, of: .anchorSet, index),
            note: annotation(.note, of: .anchorSet, index))
    }

    private func anchorGroup(at index: Int) -> AnchorGroup {
        let range = BlobList(bytes.span, layout[.anchorGroups]).range(index, bytes.span)
        do {
            return try AnchorGroup(
                decoding: Array(bytes[range]), anchors: BlobList(bytes.span, layout[.anchors]),
                table: bytes)
        } catch {
            preconditionFailure("anchor groups were checked when the table was made")
        }
    }

    /// The certificates of a list, copied out.
    private func certificates(_ list: IndexList) -> [[UInt8]] {
        let anchors = BlobList(bytes.span, layout[.anchors])
        return (0..<Int(list.count)).map {
            Array(bytes[anchors.range(index(list, $0), bytes.span)])
        }
    }

    /// The certificates of a pin's file; empty where the policy does not hold them.
    package func certificates(of pin: PinRecord) -> [[UInt8]] { certificates(pin.certificates) }

    /// The log lists of the table, copied out.
    package func logLists() -> [LogListContents] {
        let list = BlobList(bytes.span, layout[.logLists])
        return (0..<list.count).compactMap { index in
            let octets = bytes[list.range(index, bytes.span)]
            return Digest(.sha256, bytes: octets.prefix(32)).map {
                LogListContents(digest: $0, bytes: Array(octets.dropFirst(32)))
            }
        }
    }

    /// A pin set by index.
    package func pinSet(at index: Int) -> PinSetRecord {
        let offset = layout[.pinSets].start + index * TableFormat.pinSetSize
        let flags = bytes[offset + 21]
        func instant(_ bit: UInt8, _ offset: Int) -> UTCInstant? {
            flags & bit == 0 ? nil : UTCInstant(secondsSinceEpoch: bytes.signed64(at: offset))
        }
        return PinSetRecord(
            id: text(numbered: bytes.number32(at: offset)),
            keyCount: bytes.number32(at: offset + 8),
            backupCount: bytes.number32(at: offset + 12),
            match: bytes.number32(at: offset + 16), warnFrom: instant(1, offset + 24),
            enforceUntil: instant(2, offset + 32),
            onExpiry: PinSetContents.OnExpiry(rawValue: bytes[offset + 20]) ?? .fail,
            firstPin: bytes.number32(at: offset + 4))
    }

    /// One entry of a pin set by position: first `keys`, then `backups`.
    package func pin(_ set: PinSetRecord, _ position: Int) -> PinRecord {
        let offset =
            layout[.pins].start + (Int(set.firstPin) + position) * TableFormat.pinSize
        return PinRecord(
            id: text(numbered: bytes.number32(at: offset)),
            position: PinPosition(rawValue: bytes[offset + 4]) ?? .any,
            firstMatch: bytes.number32(at: offset + 8),
            matchCount: bytes.number32(at: offset + 12), certificates: list(at: offset + 16))
    }

    /// Whether a key match of an entry is this digest and this kind. No allocation.
    package func pin(_ pin: PinRecord, matches digest: Digest, kind: KeyMatch.Kind) -> Bool {
        for position in 0..<Int(pin.matchCount) {
            let offset = keyMatchOffset(pin, position)
            guard bytes[offset] == kind.rawValue, bytes[offset + 1] == digest.algorithm.rawValue
            else { continue }
            var index = 0
            while index < digest.algorithm.byteCount,
                bytes[offset + 8 + index] == digest.byte(at: index)
            { index += 1 }
            if index == digest.algorithm.byteCount { return true }
        }
        return false
    }

    /// One key match of an entry. `position` is below `pin.matchCount`.
    package func keyMatch(_ pin: PinRecord, _ position: Int) -> KeyMatch {
        let offset = keyMatchOffset(pin, position)
        guard let kind = KeyMatch.Kind(rawValue: bytes[offset]),
            let algorithm = DigestAlgorithm(rawValue: bytes[offset + 1]),
            let digest = Digest(
                algorithm, bytes: bytes[offset + 8..<offset + 8 + algorithm.byteCount])
        else { preconditionFailure("digests were checked when the table was made") }
        return KeyMatch(kind: kind, digest: digest)
    }

    private func keyMatchOffset(_ pin: PinRecord, _ position: Int) -> Int {
        layout[.keyMatches].start + (Int(pin.firstMatch) + position) * TableFormat.keyMatchSize
    }

    private func text(numbered number: UInt32) -> TextReference {
        guard number != TableFormat.noText else { return TextReference(offset: 0, count: 0) }
        let texts = BlobList(bytes.span, layout[.texts])
        let range = texts.range(Int(number), bytes.span)
        return TextReference(offset: UInt64(range.lowerBound), count: UInt32(range.count))
    }

    private func list(at offset: Int) -> IndexList {
        IndexList(start: bytes.number32(at: offset), count: bytes.number32(at: offset + 4))
    }

    /// The owner that a rule names, free text of the policy; nil when the rule names none. The
    /// index counts as in `rule(at:)`.
    package func owner(ofRule index: Int) -> String? { annotation(.owner, of: .rule, index) }

    /// The note of a rule, free text of the policy; nil when the rule has none. The index counts as
    /// in `rule(at:)`.
    package func note(ofRule index: Int) -> String? { annotation(.note, of: .rule, index) }

    /// The owner that an anchor set names, free text of the policy; nil when the set names none.
    package func owner(ofAnchorSet index: Int) -> String? {
        annotation(.owner, of: .anchorSet, index)
    }

    /// The owner that a pin set names, free text of the policy; nil when the set names none. The
    /// index counts as in `pinSet(at:)`.
    package func owner(ofPinSet index: Int) -> String? { annotation(.owner, of: .pinSet, index) }

    func annotation(
        _ field: AnnotationField, of subject: AnnotationSubject, _ index: Int
    ) -> String? {
        Annotations.text(field, of: subject, index, in: bytes, layout)
    }
}

extension PolicyTable {
    /// The most specific pattern for a host, in the total order of LANGUAGE section 11.4; nil when
    /// no pattern matches. No allocation. Time is linear in the length of the host and does not
    /// depend on the number of patterns. It is inlined in the engine, so that the table is not
    /// copied out of the engine's contents.
    @inline(__always)
    package func lookUp(_ host: CanonicalHost, port: UInt16) -> PatternMatch? {
        let table = bytes.span
        switch host {
        case .name(let name):
            return NameIndex.lookUp(
                name.utf8.span, port: port, slots: table.extracting(layout[.nameSlots].range),
                names: table.extracting(layout[.names].range))
        case .address(let address):
            return AddressIndex.lookUp(
                address, port: port, table.extracting(layout[.addresses].range))
        }
    }

    /// Every pattern that matches a host: first the pattern that decides, then the others, the most
    /// specific first.
    package func candidates(_ host: CanonicalHost, port: UInt16) -> [PatternMatch] {
        let table = bytes.span
        switch host {
        case .name(let name):
            return NameIndex.candidates(
                name.utf8.span, port: port, slots: table.extracting(layout[.nameSlots].range),
                names: table.extracting(layout[.names].range))
        case .address(let address):
            return AddressIndex.candidates(
                address, port: port, table.extracting(layout[.addresses].range))
        }
    }

    /// The pattern of a match. These indices are not consecutive.
    package func pattern(at index: Int) -> HostPattern {
        let table = bytes.span
        if index & Int(AddressIndex.patternBit) != 0 {
            return AddressIndex.pattern(
                at: index & ~Int(AddressIndex.patternBit),
                table.extracting(layout[.addresses].range))
        }
        return NameIndex.pattern(
            at: index, slots: table.extracting(layout[.nameSlots].range),
            names: table.extracting(layout[.names].range))
    }

    /// Calls `body` for every pattern with the index of its rule, in the table's own order.
    package func forEachPattern(_ body: (HostPattern, UInt32) -> Void) {
        NameIndex.forEach(names: bytes.span.extracting(layout[.names].range), body)
        AddressIndex.forEach(bytes.span.extracting(layout[.addresses].range), body)
    }
}

/// A reference to a text in the table.
package struct TextReference: Hashable, Sendable, BitwiseCopyable {
    /// Offset of the text from the start of the table.
    package let offset: UInt64
    /// Octets of the text in UTF-8.
    package let count: UInt32

    var indices: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

/// A reference to a list of indices in the table.
package struct IndexList: Hashable, Sendable, BitwiseCopyable {
    /// Index of the first element among the elements of all lists.
    package let start: UInt32
    /// Number of elements.
    package let count: UInt32
}

/// A rule in the table.
package struct RuleRecord: Hashable, Sendable, BitwiseCopyable {
    /// The rule's id; empty for `default`.
    package let id: TextReference
    /// Id of the profile that the rule names.
    package let profile: TextReference
    /// Indices of the rule's anchor sets.
    package let anchors: IndexList
    /// Indices of the rule's pin sets.
    package let pins: IndexList
    /// Index of the rule's flattened requirements.
    package let requirements: UInt32
    /// Index of the rule's identity requirement.
    package let identity: UInt32
    /// The rule's waivers, which `waiver(_:_:)` reads.
    package let waivers: IndexList
    /// The rule's entries of `report-only`, which `reportMode(_:_:)` reads.
    package let reportModes: IndexList
    /// Whether the keys in the rule's pin sets are its anchors. Then `anchors` is empty.
    package let anchorsArePinnedKeys: Bool
}

/// A pin set in the table.
package struct PinSetRecord: Hashable, Sendable, BitwiseCopyable {
    /// The pin set's id.
    package let id: TextReference
    /// Number of entries of `keys`.
    package let keyCount: UInt32
    /// Number of entries of `backups`, which stand behind the entries of `keys`.
    package let backupCount: UInt32
    /// Number of distinct keys that must match.
    package let match: UInt32
    /// Since when an accept carries a notice; nil for never.
    package let warnFrom: UTCInstant?
    /// Last second of enforcement; nil when the pin set is always enforced.
    package let enforceUntil: UTCInstant?
    /// The effect of a mismatch after `enforceUntil`.
    package let onExpiry: PinSetContents.OnExpiry
    /// Index of the pin set's first entry among all pins of the table.
    package let firstPin: UInt32

    /// Number of entries.
    package var count: Int { Int(keyCount) + Int(backupCount) }
}

/// An entry of a pin set in the table.
package struct PinRecord: Hashable, Sendable, BitwiseCopyable {
    /// The entry's id.
    package let id: TextReference
    /// Where on the path the entry must match.
    package let position: PinPosition
    /// Index of the entry's first key match among all key matches of the table.
    package let firstMatch: UInt32
    /// Number of the entry's key matches.
    package let matchCount: UInt32
    /// The certificates of the entry's file, where the policy holds them. `certificates(of:)` reads
    /// them.
    package let certificates: IndexList
}

/// A pattern that matches a host.
package struct PatternMatch: Hashable, Sendable, BitwiseCopyable {
    /// The pattern's index, for `pattern(at:)`.
    package let pattern: UInt32
    /// Index of the pattern's rule.
    package let rule: UInt32
}

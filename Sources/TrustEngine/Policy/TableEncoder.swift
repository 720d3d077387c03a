// Writes a policy as bytes. It never fails, and the same policy gives the same bytes, whatever the
// order of its rules, sets and lists. The compiler has checked everything that could be wrong with
// a policy. A reference to nothing, or one host pattern in two rules, is a bug of the compiler.

/// Collects a policy's records section by section.
struct TableEncoder {
    private let texts: BlobPool
    private let anchors: BlobPool
    private let anchorGroups: BlobPool
    private let ruleTexts: ArraySlice<Int>
    private let profileTexts: [String: Int]
    private let requirements: (pool: BlobPool, numbers: [Int])
    private let identities: (pool: BlobPool, numbers: [Int])
    private let anchorSetNumbers: [String: Int]
    private let pinSetNumbers: [String: Int]

    private var rules: [UInt8] = []
    private var lists: [UInt8] = []
    private var waivers: [UInt8] = []
    private var reportModes: [UInt8] = []
    private var anchorSets: [UInt8] = []
    private var pinSets: [UInt8] = []
    private var pins: [UInt8] = []
    private var keyMatches: [UInt8] = []
    private var names = NameIndex.Rows()
    private var addresses: [AddressIndex.Row] = []
    private var annotations = AnnotationList()

    /// The sections of a policy, without those of its provenance.
    static func sections(of contents: consuming PolicyContents) -> [TableSection: [UInt8]] {
        let sorted = contents.sortedByID
        var encoder = TableEncoder(sorted)
        for (index, rule) in sorted.rules.enumerated() {
            encoder.add(rule.body, id: encoder.ruleTexts[index], index: index)
            for pattern in rule.hosts.eachOnce { encoder.add(pattern, rule: UInt32(index)) }
        }
        if case .body(let body) = sorted.defaultRule {
            encoder.add(body, id: nil, index: sorted.rules.count)
        }
        for (index, set) in sorted.anchorSets.enumerated() { encoder.add(set, index: index) }
        for (index, set) in sorted.pinSets.enumerated() { encoder.add(set, index: index) }
        return encoder.finished(sorted.rules.count, sorted.logLists)
    }

    private init(_ contents: PolicyContents) {
        let bodies = contents.bodies
        let profiles = contents.profileIDs
        let (texts, textNumbers) = BlobPool.gather(
            contents.meaningTexts(profiles: profiles).lazy.map(\.utf8))
        self.texts = texts
        self.ruleTexts = textNumbers.prefix(contents.rules.count)
        self.profileTexts = Dictionary(
            uniqueKeysWithValues: profiles.map { ($0, texts.number(of: $0)) })
        let anchors = BlobPool(contents.certificates)
        self.anchors = anchors
        self.anchorGroups = BlobPool(
            contents.anchorSets.flatMap(\.groups).map { $0.encoded(anchors: anchors) })
        self.requirements = TableEncoder.requirements(of: bodies)
        self.identities = TableEncoder.identities(of: bodies, texts: texts)
        self.anchorSetNumbers = Dictionary(
            uniqueKeysWithValues: contents.anchorSets.enumerated().map {
                ($0.element.id, $0.offset)
            })
        self.pinSetNumbers = Dictionary(
            uniqueKeysWithValues: contents.pinSets.enumerated().map { ($0.element.id, $0.offset) })
    }

    /// The records of the bodies' requirements, and for each body the number of its record.
    /// Encoding is slow beside comparing, and nearly all rules with one profile have the same
    /// requirements or one of a few, so equal ones are looked for among those of the same profile.
    /// `alpn` alone may hold texts outside ASCII, which are equal to texts of other octets.
    private static func requirements(
        of bodies: some Sequence<RuleBody>
    ) -> (pool: BlobPool, numbers: [Int]) {
        /// The most different requirements of one profile that are compared with.
        let most = 16
        var known: [String: [(requirements: SharedRequirements, number: Int)]] = [:]
        var records: [[UInt8]] = []
        let ofBodies = bodies.map { body -> Int in
            let ofProfile = known[body.profile, default: []]
            let own = body.sharedRequirements
            let equal = ofProfile.first { candidate in
                let other = candidate.requirements
                guard other !== own else { return true }
                return other == own
                    && other.value.tls.alpn.elementsEqual(own.value.tls.alpn) {
                        $0.utf8.elementsEqual($1.utf8)
                    }
            }
            if let equal { return equal.number }
            records.append(own.value.encoded)
            if ofProfile.count < most {
                known[body.profile, default: []].append((own, records.count - 1))
            }
            return records.count - 1
        }
        // Equal records that were encoded more than once get one number here.
        let (pool, numbers) = BlobPool.gather(records)
        return (pool, ofBodies.map { numbers[$0] })
    }

    /// The records of the bodies' identities, each encoded once, and for each body the number of
    /// its record. Their texts are ASCII, so equal identities have equal records.
    private static func identities(
        of bodies: some Sequence<RuleBody>, texts: BlobPool
    ) -> (pool: BlobPool, numbers: [Int]) {
        var known: [IdentityRequirement: Int] = [:]
        var records: [[UInt8]] = []
        // Nearly all rules say nothing of identities.
        let plain = IdentityRequirement()
        var plainNumber: Int?
        let ofBodies = bodies.map { body -> Int in
            let isPlain = body.identity == plain
            if isPlain, let plainNumber { return plainNumber }
            if let number = known[body.identity] { return number }
            if isPlain { plainNumber = records.count }
            records.append(body.identity.encoded(texts: texts))
            known[body.identity] = records.count - 1
            return records.count - 1
        }
        let (pool, numbers) = BlobPool.gather(records)
        return (pool, ofBodies.map { numbers[$0] })
    }

    /// Adds a body. `id` is the number of the rule's id among the texts; nil for `default`.
    private mutating func add(_ body: RuleBody, id: Int?, index: Int) {
        if let id {
            rules.append32(id)
        } else {
            rules.append32(TableFormat.noText)
        }
        rules.append32(profileTexts[body.profile] ?? texts.number(of: body.profile))
        addSets(body.anchors, numberedBy: anchorSetNumbers)
        addSets(body.pins, numberedBy: pinSetNumbers)
        rules.append32(requirements.numbers[index])
        rules.append32(identities.numbers[index])
        rules.append32(waivers.count / TableFormat.waiverSize)
        rules.append32(body.waivers.count)
        rules.append32(reportModes.count / TableFormat.reportModeSize)
        rules.append32(body.reportOnly.count)
        rules.append32(body.anchorsArePinnedKeys ? 1 : 0)
        rules.append32(0)
        annotations.add(body.owner, .owner, of: .rule, index)
        annotations.add(body.note, .note, of: .rule, index)
        for waiver in body.waivers.sorted(by: { $0.tolerance.number < $1.tolerance.number }) {
            add(waiver)
        }
        for mode in body.reportOnly.sorted(by: { $0.check.precedes($1.check) }) { add(mode) }
    }

    private mutating func add(_ mode: ReportOnly) {
        annotations.add(
            mode.note, .note, of: .reportMode, reportModes.count / TableFormat.reportModeSize)
        reportModes.append32(mode.check.number)
        if case .custom(let name) = mode.check {
            reportModes.append32(texts.number(of: name))
        } else {
            reportModes.append32(TableFormat.noText)
        }
        reportModes.append64(mode.until.secondsSinceEpoch)
    }

    private mutating func add(_ waiver: Waiver) {
        let index = waivers.count / TableFormat.waiverSize
        waivers.append32(Int(waiver.tolerance.number))
        waivers.append32(0)
        waivers.append64(waiver.tolerance.value)
        waivers.append64(waiver.until.secondsSinceEpoch)
        annotations.add(waiver.owner, .owner, of: .waiver, index)
        annotations.add(waiver.reason, .reason, of: .waiver, index)
        annotations.add(waiver.ticket, .ticket, of: .waiver, index)
    }

    private mutating func add(_ pattern: HostPattern, rule: UInt32) {
        switch pattern.host {
        case .name(let name):
            names.add(name, .none, port: pattern.port, rule: rule)
        case .oneLabel(let base):
            names.add(base, .oneLabel, port: pattern.port, rule: rule)
        case .anyLabels(let base):
            names.add(base, .anyLabels, port: pattern.port, rule: rule)
        case .address(let address):
            addresses.append(
                AddressIndex.Row(
                    address: address, prefix: address.bitCount, port: pattern.port ?? 0, rule: rule)
            )
        case .network(let address, let prefix):
            addresses.append(
                AddressIndex.Row(
                    address: address.masked(prefix: prefix), prefix: prefix,
                    port: pattern.port ?? 0, rule: rule))
        }
    }

    private mutating func add(_ set: AnchorSetContents, index: Int) {
        anchorSets.append32(texts.number(of: set.id))
        anchorSets.append32(0)
        anchorSets += list(set.groups.map { anchorGroups.number(of: $0.encoded(anchors: anchors)) })
        anchorSets += list(set.intermediates.map { anchors.number(of: $0) })
        annotations.add(set.owner, .owner, of: .anchorSet, index)
        annotations.add(set.note, .note, of: .anchorSet, index)
    }

    private mutating func add(_ set: PinSetContents, index: Int) {
        pinSets.append32(texts.number(of: set.id))
        pinSets.append32(pins.count / TableFormat.pinSize)
        pinSets.append32(set.keys.count)
        pinSets.append32(set.backups.count)
        pinSets.append32(set.match)
        pinSets.append(set.onExpiry.rawValue)
        pinSets.append((set.warnFrom == nil ? 0 : 1) | (set.enforceUntil == nil ? 0 : 2))
        pinSets.append16(0)
        pinSets.append64(set.warnFrom?.secondsSinceEpoch ?? 0)
        pinSets.append64(set.enforceUntil?.secondsSinceEpoch ?? 0)
        annotations.add(set.owner, .owner, of: .pinSet, index)
        annotations.add(set.note, .note, of: .pinSet, index)
        for pin in set.keys { add(pin) }
        for pin in set.backups { add(pin) }
    }

    private mutating func add(_ pin: PinContents) {
        annotations.add(pin.note, .note, of: .pin, pins.count / TableFormat.pinSize)
        let matches = Set(pin.matches.map(\.encoded)).sorted { $0.lexicographicallyPrecedes($1) }
        pins.append32(texts.number(of: pin.id))
        pins.append32(Int(pin.position.rawValue))
        pins.append32(keyMatches.count / TableFormat.keyMatchSize)
        pins.append32(matches.count)
        pins += list(pin.certificates.map { anchors.number(of: $0) })
        for match in matches { keyMatches += match }
    }

    /// Appends a list of indices, each once and ascending. Returns the list's reference in a
    /// record.
    private mutating func list(_ indices: [Int]) -> [UInt8] {
        let distinct = indices.eachOnce.sorted()
        var reference: [UInt8] = []
        reference.append32(lists.count / 4)
        reference.append32(distinct.count)
        for index in distinct { lists.append32(index) }
        return reference
    }

    /// Appends the sets that a rule names: the list to `lists`, its reference to the rule's record.
    /// Nearly all rules name one set or none.
    private mutating func addSets(_ ids: [String], numberedBy numbers: [String: Int]) {
        guard ids.count < 2 else {
            rules += list(ids.map { number(of: $0, in: numbers) })
            return
        }
        rules.append32(lists.count / 4)
        rules.append32(ids.count)
        for id in ids { lists.append32(number(of: id, in: numbers)) }
    }

    private func number(of id: String, in numbers: [String: Int]) -> Int {
        guard let number = numbers[id] else { preconditionFailure("a rule names an absent set") }
        return number
    }

    private func finished(
        _ ruleCount: Int, _ logLists: [LogListContents]
    ) -> [TableSection: [UInt8]] {
        var header: [UInt8] = []
        header.append32(ruleCount)
        header.append32(rules.count / TableFormat.ruleSize - ruleCount)
        let index = NameIndex.encoded(names)
        let notes = annotations.encoded()
        return [
            .annotationTexts: notes.texts, .annotations: notes.records,
            .texts: texts.encoded, .rules: header + rules, .lists: lists,
            .requirements: requirements.pool.encoded, .identities: identities.pool.encoded,
            .waivers: waivers, .anchorSets: anchorSets, .anchors: anchors.encoded,
            .pinSets: pinSets, .pins: pins, .keyMatches: keyMatches,
            .nameSlots: index.slots, .names: index.names,
            .addresses: AddressIndex.encoded(addresses),
            .anchorGroups: anchorGroups.encoded, .reportModes: reportModes,
            .logLists: BlobPool(logLists.map { $0.digest.bytes + $0.bytes }).encoded,
        ]
    }
}

extension TableEncoder {
    /// Makes a table of its sections: the head, the sections aligned to eight bytes, the seal.
    /// Each section is given up when it is copied: together they are as large as the table.
    static func assemble(
        _ sections: consuming [TableSection: [UInt8]], crypto: some CryptoBackend
    ) -> PolicyTable {
        var layout = TableLayout()
        var bytes = [UInt8](repeating: 0, count: TableFormat.sectionsOffset)
        bytes.reserveCapacity(
            sections.values.reduce(bytes.count + TableFormat.sealSize) { $0 + $1.count + 7 })
        var meaningEnd = 0
        for section in TableSection.meaning + TableSection.droppable {
            // The sections that may be dropped stand behind the meaning.
            guard let body = sections.removeValue(forKey: section) else { continue }
            layout[section] = TableLayout.Extent(start: bytes.count, count: body.count)
            bytes += body
            while bytes.count % 8 != 0 { bytes.append(0) }
            if section.rawValue >= 16 { meaningEnd = bytes.count }
        }
        bytes.replace(
            at: 0,
            with: head(
                layout, totalCount: bytes.count + TableFormat.sealSize, meaningEnd: meaningEnd))
        let policyDigest = PolicyDigest.ofMeaning(bytes.span, end: meaningEnd, crypto: crypto)
        bytes.replace(at: TableFormat.policyDigestOffset, with: policyDigest.bytes)
        let seal = PolicyDigest.seal(
            of: bytes.span, meaningEnd: meaningEnd, end: bytes.count, crypto: crypto)
        bytes += seal.bytes
        return PolicyTable(
            bytes: bytes, layout: layout, policyDigest: policyDigest, fileDigest: seal)
    }

    /// The header and the directories. The octets of the policy digest are zero.
    private static func head(
        _ layout: TableLayout, totalCount: Int, meaningEnd: Int
    ) -> [UInt8] {
        var head = TableFormat.magic
        head.append32(TableFormat.version)
        head.append32(0)
        head.append64(UInt64(totalCount))
        head.append64(UInt64(meaningEnd))
        head += [UInt8](repeating: 0, count: 32)
        func appendDirectory(_ sections: [TableSection]) {
            for section in sections {
                head.append32(section.rawValue)
                head.append32(0)
                head.append64(UInt64(layout[section].start))
                head.append64(UInt64(layout[section].count))
            }
        }
        appendDirectory(TableSection.droppable)
        head += TableFormat.meaningMagic
        head.append32(TableFormat.version)
        head.append32(TableSection.meaning.count)
        appendDirectory(TableSection.meaning)
        return head
    }
}

extension Waiver.Tolerance {
    /// The number of the tolerance in tables.
    package var number: UInt32 {
        switch self {
        case .expired: return 1
        case .identity: return 2
        case .path: return 3
        case .pins: return 4
        case .cleartext: return 5
        case .keys: return 6
        case .revocation: return 7
        case .signatures: return 8
        case .tls: return 9
        case .transparency: return 10
        case .issuance: return 11
        }
    }

    /// The value of the waiver's own key: seconds, bits, the number of a hash or version, or a set
    /// of demands; 0 for a waiver without such a key.
    var value: Int64 {
        switch self {
        case .expired(let seconds): return seconds
        case .keys(let rsaMinimum): return Int64(rsaMinimum)
        case .signatures(let minimumHash): return Int64(minimumHash.rawValue)
        case .tls(let minimumVersion): return Int64(minimumVersion.rawValue)
        case .issuance(let demands): return Int64(demands.rawValue)
        case .identity, .path, .pins, .cleartext, .revocation, .transparency: return 0
        }
    }

    /// The tolerance with a number and a value in a table of a format version; nil when a policy
    /// cannot say it, or a table of this version cannot hold it.
    init?(number: UInt32, value: Int64, version: UInt32 = TableFormat.version) {
        switch number {
        case 1 where value >= 0: self = .expired(seconds: value)
        case 2 where value == 0: self = .identity
        case 3 where value == 0: self = .path
        case 4 where value == 0: self = .pins
        case 5 where value == 0: self = .cleartext
        case 6 where (1024...2047).contains(value): self = .keys(rsaMinimum: Int(value))
        case 7 where value == 0: self = .revocation
        case 8 where value == Int64(SignatureHash.sha1.rawValue):
            self = .signatures(minimumHash: .sha1)
        case 9 where value == Int64(TLSVersion.tls10.rawValue): self = .tls(minimumVersion: .tls10)
        case 9 where value == Int64(TLSVersion.tls11.rawValue): self = .tls(minimumVersion: .tls11)
        case 10 where value == 0: self = .transparency
        case 11 where version >= 2:
            guard let bits = UInt64(exactly: value), let demands = IssuanceDemands(rawValue: bits)
            else { return nil }
            self = .issuance(demands)
        default: return nil
        }
    }
}

extension ReportOnly.Check {
    /// The number of the check in tables, from 1. A check that the program registers has 8.
    var number: Int {
        (ReportOnly.Check.builtIn.firstIndex(of: self) ?? ReportOnly.Check.builtIn.count) + 1
    }

    /// The order of checks in tables: by number, then by name.
    package func precedes(_ other: ReportOnly.Check) -> Bool {
        number != other.number
            ? number < other.number : name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
}

extension KeyMatch {
    /// Kind, algorithm, six zero octets, and the digest in 64 octets with zeros behind its end.
    var encoded: [UInt8] {
        let octets = digest.bytes
        return [kind.rawValue, digest.algorithm.rawValue, 0, 0, 0, 0, 0, 0] + octets
            + [UInt8](repeating: 0, count: 64 - octets.count)
    }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in any order. One element needs no set.
    fileprivate var eachOnce: [Element] { count < 2 ? self : Array(Set(self)) }
}

extension PolicyContents {
    /// The same policy with every list that an index refers to in its canonical order.
    fileprivate var sortedByID: PolicyContents {
        func precedes(_ left: String, _ right: String) -> Bool {
            left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        var sorted = self
        // A rule is large, so the sort moves indices and not rules. The compiler's are sorted.
        if !rules.indices.dropFirst().allSatisfy({ precedes(rules[$0 - 1].id, rules[$0].id) }) {
            sorted.rules = rules.indices.sorted { precedes(rules[$0].id, rules[$1].id) }
                .map { rules[$0] }
        }
        sorted.anchorSets.sort { precedes($0.id, $1.id) }
        sorted.pinSets.sort { precedes($0.id, $1.id) }
        for index in sorted.pinSets.indices {
            sorted.pinSets[index].keys.sort { precedes($0.id, $1.id) }
            sorted.pinSets[index].backups.sort { precedes($0.id, $1.id) }
        }
        return sorted
    }

    /// The bodies of the rules and of `default`. Each is made when it is asked for, because a body
    /// is large.
    fileprivate var bodies: LazyMapSequence<Range<Int>, RuleBody> {
        var ofDefault: [RuleBody] = []
        if case .body(let body) = defaultRule { ofDefault = [body] }
        return (0..<rules.count + ofDefault.count).lazy.map { [ofDefault] index in
            index < rules.count ? rules[index].body : ofDefault[index - rules.count]
        }
    }

    /// Every certificate: members of anchor sets, intermediates, pinned certificates.
    fileprivate var certificates: [[UInt8]] {
        var certificates: [[UInt8]] = []
        for set in anchorSets {
            certificates += set.intermediates
            for case .members(let members) in set.groups.map(\.source) { certificates += members }
        }
        for set in pinSets {
            for pin in set.keys + set.backups { certificates += pin.certificates }
        }
        return certificates
    }

    /// The profiles that bodies name, each once.
    fileprivate var profileIDs: [String] { Array(Set(bodies.lazy.map(\.profile))) }

    /// Every text of the meaning: first the ids of the rules in their order, then the other ids,
    /// `profiles`, and the parts of identities that are not addresses.
    fileprivate func meaningTexts(profiles: [String]) -> [String] {
        var texts = rules.map(\.id) + anchorSets.map(\.id) + pinSets.map(\.id) + profiles
        for body in bodies {
            for case .custom(let name) in body.reportOnly.map(\.check) { texts.append(name) }
            texts += body.identity.dns + body.identity.email + body.identity.uri
        }
        for set in pinSets { texts += set.keys.map(\.id) + set.backups.map(\.id) }
        return texts
    }
}

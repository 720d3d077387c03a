// Writes a policy as bytes. It never fails, and the same policy gives the same bytes, whatever the
// order of its rules, sets and lists. The compiler has checked everything that could be wrong with
// a policy. A reference to nothing, or one host pattern in two rules, is a bug of the compiler.

/// Collects a policy's records section by section. Each rule is written when it is added, and then
/// nothing else is kept of it: the rules of a large policy, lowered, would take more memory than
/// its table. So numbers of texts, requirements and identities count in the order in which these
/// were added, until all of them are there and are sorted.
package struct TableEncoder {
    private let sets: (anchors: [AnchorSetContents], pins: [PinSetContents])
    private let anchors: BlobPool
    private let anchorGroups: BlobPool
    private let anchorSetNumbers: [String: Int]
    private let pinSetNumbers: [String: Int]

    private var texts = ByteStrings()
    /// The names of profiles and of registered checks, each with its index in `texts`.
    private var addedNames: [String: Int] = [:]
    private var requirements = RequirementList()
    private var identities = IdentityList()
    private var ruleCount = 0
    /// The id of the last rule.
    private var lastID: String?

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

    /// The sections of a policy, without the sections of its provenance.
    package static func sections(of contents: PolicyContents) -> TableSections {
        let sorted = contents.sortedByID
        var encoder = TableEncoder(anchorSets: sorted.anchorSets, pinSets: sorted.pinSets)
        for rule in sorted.rules { encoder.add(rule) }
        if case .body(let body) = sorted.defaultRule { encoder.addDefault(body) }
        return encoder.sections(logLists: sorted.logLists)
    }

    /// Begins a table with its sets. They are sorted by id, and so are the entries of each pin set.
    package init(anchorSets: [AnchorSetContents], pinSets: [PinSetContents]) {
        sets = (anchorSets, pinSets)
        let certificates = BlobPool(TableEncoder.certificates(anchorSets, pinSets))
        anchors = certificates
        anchorGroups = BlobPool(
            anchorSets.flatMap(\.groups).map { $0.encoded(anchors: certificates) })
        anchorSetNumbers = Dictionary(
            uniqueKeysWithValues: anchorSets.enumerated().map { ($0.element.id, $0.offset) })
        pinSetNumbers = Dictionary(
            uniqueKeysWithValues: pinSets.enumerated().map { ($0.element.id, $0.offset) })
        for set in anchorSets { texts.append(set.id.utf8) }
        for set in pinSets {
            texts.append(set.id.utf8)
            for pin in set.keys + set.backups { texts.append(pin.id.utf8) }
        }
    }

    /// Every certificate: members of anchor sets, intermediates, pinned certificates.
    private static func certificates(
        _ anchorSets: [AnchorSetContents], _ pinSets: [PinSetContents]
    ) -> [[UInt8]] {
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

    /// Adds a rule. Its id sorts behind the ids of the rules before it.
    package mutating func add(_ rule: RuleContents) {
        if let lastID {
            precondition(
                lastID.utf8.lexicographicallyPrecedes(rule.id.utf8), "a rule out of order")
        }
        lastID = rule.id
        rules.append32(texts.append(rule.id.utf8))
        add(rule.body)
        for pattern in rule.hosts.eachOnce { add(pattern, rule: UInt32(ruleCount)) }
        ruleCount += 1
    }

    /// Adds the body of `default`, behind the last rule. Without one the table denies by default.
    package mutating func addDefault(_ body: RuleBody) {
        rules.append32(TableFormat.noText)
        add(body)
    }

    /// Adds what stands behind the id of a rule.
    private mutating func add(_ body: RuleBody) {
        rules.append32(number(ofName: body.profile))
        addSets(body.anchors, numberedBy: anchorSetNumbers)
        addSets(body.pins, numberedBy: pinSetNumbers)
        rules.append32(requirements.number(of: body))
        rules.append32(identities.number(of: body.identity, &texts))
        rules.append32(waivers.count / TableFormat.waiverSize)
        rules.append32(body.waivers.count)
        rules.append32(reportModes.count / TableFormat.reportModeSize)
        rules.append32(body.reportOnly.count)
        rules.append32(body.anchorsArePinnedKeys ? 1 : 0)
        rules.append32(0)
        annotations.add(body.owner, .owner, of: .rule, ruleCount)
        annotations.add(body.note, .note, of: .rule, ruleCount)
        for waiver in body.waivers.sorted(by: { $0.tolerance.number < $1.tolerance.number }) {
            add(waiver)
        }
        for mode in body.reportOnly.sorted(by: { $0.check.precedes($1.check) }) { add(mode) }
    }

    /// The index of a name in `texts`.
    private mutating func number(ofName name: String) -> Int {
        if let number = addedNames[name] { return number }
        let number = texts.append(name.utf8)
        addedNames[name] = number
        return number
    }

    private mutating func add(_ mode: ReportOnly) {
        annotations.add(
            mode.note, .note, of: .reportMode, reportModes.count / TableFormat.reportModeSize)
        reportModes.append32(mode.check.number)
        if case .custom(let name) = mode.check {
            reportModes.append32(number(ofName: name))
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

    private mutating func add(_ set: AnchorSetContents, index: Int, _ texts: BlobPool) {
        anchorSets.append32(texts.number(of: set.id))
        anchorSets.append32(0)
        anchorSets += list(set.groups.map { anchorGroups.number(of: $0.encoded(anchors: anchors)) })
        anchorSets += list(set.intermediates.map { anchors.number(of: $0) })
        annotations.add(set.owner, .owner, of: .anchorSet, index)
        annotations.add(set.note, .note, of: .anchorSet, index)
    }

    private mutating func add(_ set: PinSetContents, index: Int, _ texts: BlobPool) {
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
        for pin in set.keys + set.backups { add(pin, texts) }
    }

    private mutating func add(_ pin: PinContents, _ texts: BlobPool) {
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

    /// The sections of everything that was added, with the log lists that it names, without the
    /// sections of its provenance.
    package consuming func sections(logLists: [LogListContents]) -> TableSections {
        let (texts, textNumbers) = texts.gathered()
        for (index, set) in sets.anchors.enumerated() { add(set, index: index, texts) }
        for (index, set) in sets.pins.enumerated() { add(set, index: index, texts) }
        let requirements = requirements.records.gathered()
        let identities = BlobPool.gather(identities.list.map { $0.encoded(texts: texts) })
        for record in stride(from: 0, to: rules.count, by: TableFormat.ruleSize) {
            rules.renumber(at: record, by: textNumbers)
            rules.renumber(at: record + 4, by: textNumbers)
            rules.renumber(at: record + 24, by: requirements.numbers)
            rules.renumber(at: record + 28, by: identities.numbers)
        }
        for record in stride(from: 0, to: reportModes.count, by: TableFormat.reportModeSize) {
            reportModes.renumber(at: record + 4, by: textNumbers)
        }
        var header: [UInt8] = []
        header.append32(ruleCount)
        header.append32(rules.count / TableFormat.ruleSize - ruleCount)
        let index = NameIndex.encoded(names)
        let notes = annotations.encoded()
        return TableSections([
            .annotationTexts: notes.texts, .annotations: notes.records,
            .texts: texts.encoded, .rules: header + rules, .lists: lists,
            .requirements: requirements.pool.encoded, .identities: identities.pool.encoded,
            .waivers: waivers, .anchorSets: anchorSets, .anchors: anchors.encoded,
            .pinSets: pinSets, .pins: pins, .keyMatches: keyMatches,
            .nameSlots: index.slots, .names: index.names,
            .addresses: AddressIndex.encoded(addresses),
            .anchorGroups: anchorGroups.encoded, .reportModes: reportModes,
            .logLists: BlobPool(logLists.map { $0.digest.bytes + $0.bytes }).encoded,
        ])
    }
}

/// The requirements of the bodies that were added. Encoding is slow beside comparing, and nearly
/// all rules with one profile have the same requirements or one of a few, so equal requirements are
/// searched only among bodies of the same profile. `alpn` alone may hold texts outside ASCII, which
/// are equal to texts of other octets.
private struct RequirementList {
    /// The most different requirements of one profile that are compared with.
    private static let most = 16

    private var known: [String: [(requirements: SharedRequirements, number: Int)]] = [:]
    /// Records in the order in which they were added. Equal ones that were encoded more than once
    /// get one number when they are gathered.
    private(set) var records = ByteStrings()

    /// The index of the record of a body's requirements.
    mutating func number(of body: RuleBody) -> Int {
        let own = body.sharedRequirements
        let ofProfile = known[body.profile, default: []]
        let equal = ofProfile.first { candidate in
            let other = candidate.requirements
            guard other !== own else { return true }
            return other == own
                && other.value.tls.alpn.elementsEqual(own.value.tls.alpn) {
                    $0.utf8.elementsEqual($1.utf8)
                }
        }
        if let equal { return equal.number }
        let number = records.append(own.value.encoded)
        if ofProfile.count < RequirementList.most {
            known[body.profile, default: []].append((own, number))
        }
        return number
    }
}

/// The identities of the bodies that were added, each once. Their texts are ASCII, so equal
/// identities have equal records.
private struct IdentityList {
    private var known: [IdentityRequirement: Int] = [:]
    private(set) var list: [IdentityRequirement] = []
    /// Nearly all rules say nothing of identities.
    private let plain = IdentityRequirement()
    private var plainNumber: Int?

    /// The index of an identity in `list`. The texts of one that is new are added to `texts`.
    mutating func number(
        of identity: IdentityRequirement, _ texts: inout ByteStrings
    ) -> Int {
        let isPlain = identity == plain
        if isPlain, let plainNumber { return plainNumber }
        if let number = known[identity] { return number }
        if isPlain { plainNumber = list.count }
        list.append(identity)
        known[identity] = list.count - 1
        for text in identity.dns + identity.email + identity.uri { texts.append(text.utf8) }
        return list.count - 1
    }
}

extension [UInt8] {
    /// Replaces the index in a record by the number that it has in `numbers`. `TableFormat.noText`
    /// stays.
    fileprivate mutating func renumber(at offset: Int, by numbers: [Int]) {
        let old = number32(at: offset)
        guard old != TableFormat.noText else { return }
        replace32(at: offset, with: UInt32(numbers[Int(old)]))
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
    /// of demands; 0 for a waiver without a key of its own.
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

    /// The tolerance with a number and a value in a table; nil when a policy cannot say it.
    init?(number: UInt32, value: Int64) {
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
        case 11:
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
}

// Values of varying length in one record: a string has its length before it, a list its count. A
// record must be in canonical form. The code that reads a record encodes the value again and
// compares, so order need not be checked here.

/// Writes the parts of a record.
enum RecordWriter {
    /// The count (4), then each string with its length (4).
    static func strings(_ strings: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append32(strings.count)
        for string in strings {
            bytes.append32(string.count)
            bytes += string
        }
        return bytes
    }

    static func texts(_ texts: [String]) -> [UInt8] { strings(texts.map { Array($0.utf8) }) }

    /// For each step its date (8, signed) and its maximum (8, signed).
    static func lifetimeSteps(_ steps: [LifetimeStep]) -> [UInt8] {
        var bytes: [UInt8] = []
        for step in steps.sorted(by: { $0.issuedFrom < $1.issuedFrom }) {
            bytes.append64(step.issuedFrom.secondsSinceEpoch)
            bytes.append64(step.maximum)
        }
        return bytes
    }

    /// Flags (1: has `from` 1, has `until` 2), then each end that is present (8, signed). An absent
    /// window is a zero octet.
    static func window(_ window: DateWindow?) -> [UInt8] {
        var bytes: [UInt8] = [
            (window?.from == nil ? 0 : 1) | (window?.until == nil ? 0 : 2)
        ]
        if let from = window?.from { bytes.append64(from.secondsSinceEpoch) }
        if let until = window?.until { bytes.append64(until.secondsSinceEpoch) }
        return bytes
    }

    /// The count (4), then the key matches in their order.
    static func keyMatches(_ matches: [KeyMatch]) -> [UInt8] {
        let encoded = Set(matches.map(\.encoded)).sorted { $0.lexicographicallyPrecedes($1) }
        var bytes: [UInt8] = []
        bytes.append32(encoded.count)
        for match in encoded { bytes += match }
        return bytes
    }

    /// For each key its id (a string), its window and its key matches, sorted by id.
    static func forbiddenKeys(_ keys: [ForbiddenKey]) -> [UInt8] {
        var bytes: [UInt8] = []
        for key in keys.sorted(by: { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }) {
            bytes.append32(key.id.utf8.count)
            bytes += Array(key.id.utf8)
            bytes += window(key.notBefore)
            bytes += keyMatches(key.matches)
        }
        return bytes
    }

    /// A tag (1: name 0, one label 1, any labels 2, address or network 3). Then the name (a
    /// string), or family (1: 4 or 6), prefix (1) and 16 octets in network order, of which an IPv4
    /// address has the last four.
    static func hostPattern(_ pattern: HostPattern) -> [UInt8] {
        func named(_ tag: UInt8, _ name: String) -> [UInt8] {
            var bytes: [UInt8] = [tag]
            bytes.append32(name.utf8.count)
            return bytes + Array(name.utf8)
        }
        func numbered(_ address: IPAddress, _ prefix: Int) -> [UInt8] {
            [3, address.isIPv4 ? 4 : 6, UInt8(prefix)]
                + [UInt8](repeating: 0, count: address.isIPv4 ? 12 : 0) + address.bytes
        }
        switch pattern.host {
        case .name(let name): return named(0, name)
        case .oneLabel(let base): return named(1, base)
        case .anyLabels(let base): return named(2, base)
        case .address(let address): return numbered(address, address.bitCount)
        case .network(let address, let prefix): return numbered(address, prefix)
        }
    }

    /// The count (4), then the patterns, sorted by their octets.
    static func hostPatterns(_ patterns: [HostPattern]) -> [UInt8] {
        let encoded = Set(patterns.map(hostPattern)).sorted { $0.lexicographicallyPrecedes($1) }
        var bytes: [UInt8] = []
        bytes.append32(encoded.count)
        for pattern in encoded { bytes += pattern }
        return bytes
    }
}

/// Reads the parts of a record. Where the record is cut off the values are empty, and `isWhole` is
/// false.
struct RecordReader {
    private let bytes: [UInt8]
    private var position = 0
    private var isCutOff = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether every part that was read is in the record, and nothing else.
    var isWhole: Bool { !isCutOff && position == bytes.count }

    private mutating func has(_ count: Int) -> Bool {
        if !isCutOff, bytes.count - position >= count { return true }
        isCutOff = true
        return false
    }

    /// Marks the record as a record that cannot be read.
    mutating func fail() { isCutOff = true }

    mutating func octet() -> UInt8 {
        guard has(1) else { return 0 }
        position += 1
        return bytes[position - 1]
    }

    /// Reads a count or index.
    mutating func number() -> Int {
        guard has(4) else { return 0 }
        position += 4
        return Int(bytes.number32(at: position - 4))
    }

    mutating func signed() -> Int64 {
        guard has(8) else { return 0 }
        position += 8
        return bytes.signed64(at: position - 8)
    }

    mutating func octets(_ count: Int) -> [UInt8] {
        guard has(count) else { return [] }
        position += count
        return Array(bytes[position - count..<position])
    }

    mutating func string() -> [UInt8] { octets(number()) }

    mutating func text() -> String {
        let octets = string()
        guard let text = String(validating: octets, as: UTF8.self) else {
            fail()
            return ""
        }
        return text
    }

    /// Reads a count and that number of parts, each of at least one octet.
    mutating func list<Part>(_ part: (inout RecordReader) -> Part) -> [Part] {
        let count = number()
        guard count <= bytes.count - position else {
            fail()
            return []
        }
        var parts: [Part] = []
        for _ in 0..<count where !isCutOff { parts.append(part(&self)) }
        return parts
    }

    mutating func strings() -> [[UInt8]] { list { $0.string() } }
    mutating func texts() -> [String] { list { $0.text() } }

    /// Reads an instant for which a date can be written.
    mutating func instant() -> UTCInstant {
        let seconds = signed()
        if !UTCInstant.calendarSeconds.contains(seconds) { fail() }
        return UTCInstant(secondsSinceEpoch: seconds)
    }

    mutating func lifetimeSteps() -> [LifetimeStep] {
        var steps: [LifetimeStep] = []
        while !isCutOff, position < bytes.count {
            let from = instant()
            let maximum = signed()
            if let last = steps.last, last.issuedFrom >= from { fail() }
            if maximum <= 0 { fail() }
            steps.append(LifetimeStep(issuedFrom: from, maximum: maximum))
        }
        return steps
    }

    mutating func window() -> DateWindow? {
        let flags = octet()
        guard flags < 4 else {
            fail()
            return nil
        }
        guard flags != 0 else { return nil }
        let from = flags & 1 == 0 ? nil : instant()
        let until = flags & 2 == 0 ? nil : instant()
        if let from, let until, from > until { fail() }
        return DateWindow(from: from, until: until)
    }

    mutating func keyMatches() -> [KeyMatch] {
        list { record in
            let octets = record.octets(TableFormat.keyMatchSize)
            if let match = KeyMatch(decoding: octets) { return match }
            record.fail()
            return nil
        }.compactMap { $0 }
    }

    mutating func forbiddenKeys() -> [ForbiddenKey] {
        var keys: [ForbiddenKey] = []
        while !isCutOff, position < bytes.count {
            let id = text()
            let window = window()
            let matches = keyMatches()
            if matches.isEmpty || keys.last.map({ $0.id == id }) ?? false { fail() }
            keys.append(ForbiddenKey(id: id, matches: matches, notBefore: window))
        }
        return keys
    }

    mutating func hostPatterns() -> [HostPattern] {
        list { $0.hostPattern() }.compactMap { $0 }
    }

    private mutating func hostPattern() -> HostPattern? {
        let tag = octet()
        guard tag < 3 else { return addressPattern(tag) }
        let name = text()
        guard (try? CanonicalHost(text: name)) == .name(name) else {
            fail()
            return nil
        }
        switch tag {
        case 0: return HostPattern(host: .name(name), port: nil)
        case 1: return HostPattern(host: .oneLabel(base: name), port: nil)
        default: return HostPattern(host: .anyLabels(base: name), port: nil)
        }
    }

    private mutating func addressPattern(_ tag: UInt8) -> HostPattern? {
        let family = octet()
        let prefix = Int(octet())
        let octets = self.octets(16)
        guard tag == 3, octets.count == 16, family == 4 || family == 6 else {
            fail()
            return nil
        }
        func number(_ octets: some Sequence<UInt8>) -> UInt64 {
            octets.reduce(0) { $0 << 8 | UInt64($1) }
        }
        let address = IPAddress(
            high: number(octets.prefix(8)), low: number(octets.suffix(8)), isIPv4: family == 4)
        guard prefix <= address.bitCount, address.masked(prefix: prefix) == address,
            family == 6 || octets.prefix(12).allSatisfy({ $0 == 0 })
        else {
            fail()
            return nil
        }
        return HostPattern(
            host: prefix == address.bitCount
                ? .address(address) : .network(address, prefix: prefix), port: nil)
    }
}

extension KeyMatch {
    /// Reads a key match from its 72 octets; nil when they are not a key match.
    init?(decoding record: [UInt8]) {
        guard record.count == TableFormat.keyMatchSize, let kind = Kind(rawValue: record[0]),
            let algorithm = DigestAlgorithm(rawValue: record[1]),
            let digest = Digest(algorithm, bytes: record[8..<8 + algorithm.byteCount])
        else { return nil }
        self.init(kind: kind, digest: digest)
        if encoded != record { return nil }
    }
}

// Requirements in a table: the fields that differ from the baseline, each with its number, in the
// order of the numbers. A later version adds numbers. A table with a number that this version does
// not know is refused, because this version cannot enforce the field.
//
// A field is a number (two octets), a type (one octet: 1 integer, 2 octets), a zero octet, and a
// value: eight octets, or a length of four octets and as many octets. A number is never used again
// for another field. The fields, their numbers and their ranges come from the schema
// (`ProfileField`).

/// A field's value as the table holds it.
private enum EncodedValue: Equatable {
    case integer(Int64)
    case octets([UInt8])
}

extension Requirements {
    /// The record's bytes. The record of the baseline is four zero octets.
    var encoded: [UInt8] {
        var count = 0
        var bytes: [UInt8] = []
        for (number, fields) in ProfileField.byNumber {
            guard fields.contains(where: { value(of: $0) != Requirements.baseline.value(of: $0) }),
                let value = encodedValue(of: fields)
            else { continue }
            count += 1
            bytes.append16(number)
            switch value {
            case .integer(let integer):
                bytes.append16(1)
                bytes.append64(integer)
            case .octets(let octets):
                bytes.append16(2)
                bytes.append32(octets.count)
                bytes += octets
            }
        }
        var record: [UInt8] = []
        record.append32(count)
        return record + bytes
    }

    /// The value of the fields with one number; nil for no value.
    private func encodedValue(of fields: [ProfileField]) -> EncodedValue? {
        if let field = fields.first, fields.count == 1 { return value(of: field).encoded }
        return .octets(
            fields.map { field in
                if case .word(let number) = value(of: field) { return UInt8(number) }
                return UInt8.max
            })
    }

    /// Reads the requirements in a record. A field that the record does not hold has the value of
    /// the baseline.
    ///
    /// - Throws: `unknown-requirement` for a field number that this version does not know;
    ///   `malformed` for a record that is cut off or out of order, and for a value that a policy
    ///   cannot say.
    init(decoding bytes: Span<UInt8>) throws(TableDecodingError) {
        self = Requirements.baseline
        guard bytes.count >= 4 else { throw .malformed("requirements: no room for a count") }
        var position = 4
        var previous: UInt16 = 0
        for _ in 0..<bytes.number32(at: 0) {
            guard bytes.count - position >= 8 else {
                throw .malformed("requirements: a field is cut off")
            }
            let number = bytes.number16(at: position)
            let type = bytes.number16(at: position + 2)
            guard number > previous else {
                throw .malformed("requirements: field \(number) is out of order")
            }
            guard let fields = ProfileField.byNumber.first(where: { $0.number == number })?.fields,
                let field = fields.first
            else {
                throw TableDecodingError(
                    code: .unknownRequirement,
                    context: "field \(number): a newer version wrote this table")
            }
            previous = number
            position += 4
            let name = fields.count == 1 ? field.rawValue : field.section
            let value: EncodedValue
            switch type {
            case 1 where bytes.count - position >= 8:
                value = .integer(Int64(bitPattern: bytes.number64(at: position)))
                position += 8
            case 2 where bytes.count - position - 4 >= Int(bytes.number32(at: position)):
                let count = Int(bytes.number32(at: position))
                var octets: [UInt8] = []
                for index in 0..<count { octets.append(bytes[position + 4 + index]) }
                value = .octets(octets)
                position += 4 + count
            default:
                throw .malformed("requirements: `\(name)` is cut off or of unknown type")
            }
            // The value is encoded again and compared. That shows whether it is in canonical form:
            // sorted, and without octets behind it.
            guard decode(fields, value), encodedValue(of: fields) == value,
                value != Requirements.baseline.encodedValue(of: fields)
            else { throw .malformed("requirements: `\(name)` has a value it cannot have") }
        }
        guard position == bytes.count else {
            throw .malformed("requirements: bytes behind the last field")
        }
    }

    /// Sets the fields of one number. Returns false when a policy cannot say the value.
    private mutating func decode(_ fields: [ProfileField], _ value: EncodedValue) -> Bool {
        if let field = fields.first, fields.count == 1 {
            guard let value = FieldValue(value, of: field.descriptor.kind),
                field.descriptor.admits(value)
            else { return false }
            assign(field, value)
            return true
        }
        guard case .octets(let octets) = value, octets.count == fields.count else { return false }
        for (field, octet) in zip(fields, octets) {
            guard field.descriptor.admits(.word(Int(octet))) else { return false }
            assign(field, .word(Int(octet)))
        }
        return true
    }
}

extension FieldValue {
    /// The value as a table holds it; nil for a value that is not written.
    fileprivate var encoded: EncodedValue? {
        switch self {
        case .unwritten: return nil
        case .integer(let number), .word(let number), .words(let number):
            return .integer(Int64(number))
        case .seconds(let seconds): return .integer(seconds)
        case .ranking(let numbers): return .octets(numbers.map { UInt8(truncatingIfNeeded: $0) })
        case .purposes(let purposes): return .octets(purposes.encoded)
        case .objectIdentifiers(let identifiers):
            return .octets(RecordWriter.strings(identifiers))
        case .steps(let steps): return .octets(RecordWriter.lifetimeSteps(steps))
        case .digest(let digest): return .octets(digest.bytes)
        case .names(let names): return .octets(RecordWriter.texts(Set(names).sorted()))
        case .preferences(let names): return .octets(RecordWriter.texts(names))
        case .forbiddenKeys(let keys): return .octets(RecordWriter.forbiddenKeys(keys))
        }
    }

    /// The value of a kind that a table holds; nil for octets that are not a value of this kind.
    fileprivate init?(_ value: EncodedValue, of kind: FieldKind) {
        switch (kind, value) {
        case (.integer, .integer(let number)):
            guard let number = Int(exactly: number) else { return nil }
            self = .integer(number)
        case (.seconds, .integer(let seconds)): self = .seconds(seconds)
        case (.word, .integer(let number)):
            guard let number = Int(exactly: number) else { return nil }
            self = .word(number)
        case (.words, .integer(let bits)):
            guard let bits = Int(exactly: bits) else { return nil }
            self = .words(bits)
        case (.ranking, .octets(let octets)): self = .ranking(octets.map(Int.init))
        case (.purposes, .octets(let octets)):
            guard let purposes = KeyPurposes(decoding: octets) else { return nil }
            self = .purposes(purposes)
        case (.digest, .octets(let octets)):
            guard let digest = Digest(.sha256, bytes: octets[...]) else { return nil }
            self = .digest(digest)
        case (_, .octets(let octets)):
            var record = RecordReader(octets)
            switch kind {
            case .objectIdentifiers: self = .objectIdentifiers(record.strings())
            case .steps: self = .steps(record.lifetimeSteps())
            case .names: self = .names(record.texts())
            case .preferences: self = .preferences(record.texts())
            case .forbiddenKeys: self = .forbiddenKeys(record.forbiddenKeys())
            case .integer, .seconds, .word, .words, .ranking, .purposes, .digest: return nil
            }
            guard record.isWhole else { return nil }
        case (_, .integer): return nil
        }
    }
}

extension KeyPurposes {
    /// An octet of flags (1 `server-auth`, 2 `client-auth`), then each other object identifier with
    /// its length in two octets, sorted.
    var encoded: [UInt8] {
        var bytes: [UInt8] = [(serverAuth ? 1 : 0) | (clientAuth ? 2 : 0)]
        for other in Set(others).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes.append16(UInt16(other.count))
            bytes += other
        }
        return bytes
    }

    init?(decoding bytes: [UInt8]) {
        guard let flags = bytes.first, flags < 4, flags != 0 || bytes.count > 1 else { return nil }
        self.init(serverAuth: flags & 1 != 0, clientAuth: flags & 2 != 0)
        var position = 1
        while position < bytes.count {
            guard bytes.count - position >= 2 else { return nil }
            let count = Int(bytes.number16(at: position))
            guard count > 0, bytes.count - position - 2 >= count else { return nil }
            let other = Array(bytes[position + 2..<position + 2 + count])
            if let last = others.last, !last.lexicographicallyPrecedes(other) { return nil }
            others.append(other)
            position += 2 + count
        }
    }
}

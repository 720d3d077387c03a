// Requirements in a table: the fields that differ from the baseline, each with its number, in the
// order of the numbers. A later version adds numbers; a table that has one this version does not know
// is refused, because what it demands could not be held to.
//
// A field is a number (two octets), a type (one octet: 1 integer, 2 octets), a zero octet, and a
// value: eight octets, or a length of four octets and that many. Numbers are never used again.

/// A field of `Requirements`, by its number in tables.
enum RequirementField: UInt16, CaseIterable {
    case maximumIntermediates = 1
    case keyPurposes = 2
    case keyTypes = 3
    case leafKeyTypes = 4
    case rsaMinimum = 5
    case minimumHash = 6
    case signatureSchemes = 7
    case clockSkew = 8
    case maximumLifetime = 9
    case revocation = 10
    case minimumTLSVersion = 11
    case maximumTLSVersion = 12

    /// The field's name in a policy.
    var name: String {
        switch self {
        case .maximumIntermediates: return "path.maximum-intermediates"
        case .keyPurposes: return "path.key-purposes"
        case .keyTypes: return "keys.types"
        case .leafKeyTypes: return "keys.leaf-types"
        case .rsaMinimum: return "keys.rsa-minimum"
        case .minimumHash: return "signatures.minimum-hash"
        case .signatureSchemes: return "signatures.schemes"
        case .clockSkew: return "validity.clock-skew"
        case .maximumLifetime: return "validity.maximum-lifetime"
        case .revocation: return "revocation.preset"
        case .minimumTLSVersion: return "tls.minimum-version"
        case .maximumTLSVersion: return "tls.maximum-version"
        }
    }
}

/// A value of a field as the table holds it.
private enum FieldValue: Equatable {
    case integer(Int64)
    case octets([UInt8])
}

extension Requirements {
    /// The record; the baseline is four zero octets.
    var encoded: [UInt8] {
        let fields = RequirementField.allCases.compactMap { field in
            let value = value(of: field)
            return value == Requirements().value(of: field)
                ? nil : value.map { (field.rawValue, $0) }
        }
        var bytes: [UInt8] = []
        bytes.append32(fields.count)
        for (number, value) in fields {
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
        return bytes
    }

    /// The requirements in a record.
    ///
    /// - Throws: `unknown-requirement` for a field number that this version does not know;
    ///   `malformed` for a record that is cut off or out of order, and for a value that a policy
    ///   cannot say.
    init(decoding bytes: Span<UInt8>) throws(TableDecodingError) {
        self.init()
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
            guard let field = RequirementField(rawValue: number) else {
                throw TableDecodingError(
                    code: .unknownRequirement,
                    context: "field \(number): a newer version wrote this table")
            }
            previous = number
            position += 4
            let value: FieldValue
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
                throw .malformed("requirements: `\(field.name)` is cut off or of unknown type")
            }
            guard set(field, value), self.value(of: field) == value,
                value != Requirements().value(of: field)
            else { throw .malformed("requirements: `\(field.name)` has a value it cannot have") }
        }
        guard position == bytes.count else {
            throw .malformed("requirements: bytes behind the last field")
        }
    }

    /// The value of a field; nil for none.
    private func value(of field: RequirementField) -> FieldValue? {
        switch field {
        case .maximumIntermediates: return .integer(Int64(maximumIntermediates))
        case .keyPurposes: return .octets(keyPurposes.encoded)
        case .keyTypes: return .integer(Int64(keyTypes.rawValue))
        case .leafKeyTypes: return .integer(Int64(leafKeyTypes.rawValue))
        case .rsaMinimum: return .integer(Int64(rsaMinimum))
        case .minimumHash: return .integer(Int64(minimumHash.rawValue))
        case .signatureSchemes: return .integer(Int64(signatureSchemes.rawValue))
        case .clockSkew: return .integer(clockSkew)
        case .maximumLifetime: return maximumLifetime.map { .integer($0) }
        case .revocation: return .integer(Int64(revocation.rawValue))
        case .minimumTLSVersion: return .integer(Int64(minimumTLSVersion.rawValue))
        case .maximumTLSVersion: return .integer(Int64(maximumTLSVersion.rawValue))
        }
    }

    /// Sets a field if a policy can say the value: the ranges of LANGUAGE section 8, where the
    /// baseline is the floor.
    private mutating func set(_ field: RequirementField, _ value: FieldValue) -> Bool {
        switch (field, value) {
        case (.maximumIntermediates, .integer(0...32)):
            maximumIntermediates = value.integer
        case (.keyPurposes, .octets(let octets)):
            guard let purposes = KeyPurposes(decoding: octets) else { return false }
            keyPurposes = purposes
        case (.keyTypes, .integer(1...0b11_1111)):
            keyTypes = KeyTypeSet(rawValue: UInt8(value.integer))
        case (.leafKeyTypes, .integer(1...0b11_1111)):
            leafKeyTypes = KeyTypeSet(rawValue: UInt8(value.integer))
        case (.rsaMinimum, .integer(2048...16384)):
            rsaMinimum = value.integer
        case (.minimumHash, .integer(1...3)):
            minimumHash = SignatureHash(rawValue: UInt8(value.integer)) ?? minimumHash
        case (.signatureSchemes, .integer(1...0b1_1111)):
            signatureSchemes = SignatureSchemeSet(rawValue: UInt8(value.integer))
        case (.clockSkew, .integer(0...86_400)):
            clockSkew = Int64(value.integer)
        case (.maximumLifetime, .integer(0...Int64.max)):
            maximumLifetime = Int64(value.integer)
        case (.revocation, .integer(0...1)):
            revocation = RevocationPreset(rawValue: UInt8(value.integer)) ?? revocation
        case (.minimumTLSVersion, .integer(0x0303...0x0304)):
            minimumTLSVersion = TLSVersion(rawValue: UInt16(value.integer)) ?? minimumTLSVersion
        case (.maximumTLSVersion, .integer(0x0303...0x0304)):
            maximumTLSVersion = TLSVersion(rawValue: UInt16(value.integer)) ?? maximumTLSVersion
        default:
            return false
        }
        return true
    }
}

extension FieldValue {
    /// The number; 0 for octets.
    fileprivate var integer: Int {
        if case .integer(let integer) = self { return Int(integer) }
        return 0
    }
}

extension KeyPurposes {
    /// An octet of flags (1 `server-auth`, 2 `client-auth`), then each further object identifier
    /// with its length in two octets, sorted.
    fileprivate var encoded: [UInt8] {
        var bytes: [UInt8] = [(serverAuth ? 1 : 0) | (clientAuth ? 2 : 0)]
        for other in Set(others).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            bytes.append16(UInt16(other.count))
            bytes += other
        }
        return bytes
    }

    fileprivate init?(decoding bytes: [UInt8]) {
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

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
    case revocationPreset = 10
    case minimumTLSVersion = 11
    case maximumTLSVersion = 12
    case certificatePolicies = 13
    case explicitPolicy = 14
    case policyMapping = 15
    case anyPolicy = 16
    case lifetimeSteps = 17
    case revocationCauses = 18
    case revocationSources = 19
    case revocationScope = 20
    case revocationNetwork = 21
    case revocationMaximumAge = 22
    case revocationShortLived = 23
    case transparencyPreset = 24
    case minimumSCTs = 25
    case minimumOperators = 26
    case logList = 27
    case logListMaximumAge = 28
    case whenStale = 29
    case exemptAnchors = 30
    case forwardSecrecy = 31
    case cipherSuites = 32
    case groups = 33
    case tlsSignatureSchemes = 34
    case alpn = 35
    case forbiddenKeys = 36
    case checks = 37

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
        case .revocationPreset: return "revocation.preset"
        case .minimumTLSVersion: return "tls.minimum-version"
        case .maximumTLSVersion: return "tls.maximum-version"
        case .certificatePolicies: return "path.certificate-policies"
        case .explicitPolicy: return "path.explicit-policy"
        case .policyMapping: return "path.policy-mapping"
        case .anyPolicy: return "path.any-policy"
        case .lifetimeSteps: return "validity.lifetime-steps"
        case .revocationCauses: return "revocation.causes"
        case .revocationSources: return "revocation.sources"
        case .revocationScope: return "revocation.scope"
        case .revocationNetwork: return "revocation.network"
        case .revocationMaximumAge: return "revocation.maximum-age"
        case .revocationShortLived: return "revocation.short-lived"
        case .transparencyPreset: return "transparency.preset"
        case .minimumSCTs: return "transparency.minimum-scts"
        case .minimumOperators: return "transparency.minimum-operators"
        case .logList: return "transparency.log-list"
        case .logListMaximumAge: return "transparency.log-list-maximum-age"
        case .whenStale: return "transparency.when-stale"
        case .exemptAnchors: return "transparency.exempt-anchors"
        case .forwardSecrecy: return "tls.forward-secrecy"
        case .cipherSuites: return "tls.cipher-suites"
        case .groups: return "tls.groups"
        case .tlsSignatureSchemes: return "tls.signature-schemes"
        case .alpn: return "tls.alpn"
        case .forbiddenKeys: return "forbidden-keys"
        case .checks: return "checks"
        }
    }
}

/// A value of a field as the table holds it.
private enum FieldValue: Equatable {
    case integer(Int64)
    case octets([UInt8])

    static func flag(_ flag: Bool) -> FieldValue { .integer(flag ? 1 : 0) }
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
        case .keyTypes: return .integer(Int64(keyTypes.intersection(.all).rawValue))
        case .leafKeyTypes: return .integer(Int64(leafKeyTypes.intersection(.all).rawValue))
        case .rsaMinimum: return .integer(Int64(rsaMinimum))
        case .minimumHash: return .integer(Int64(minimumHash.rawValue))
        case .signatureSchemes:
            return .integer(Int64(signatureSchemes.intersection(.all).rawValue))
        case .clockSkew: return .integer(clockSkew)
        case .maximumLifetime: return maximumLifetime.map { .integer($0) }
        case .minimumTLSVersion: return .integer(Int64(tls.minimumVersion.rawValue))
        case .maximumTLSVersion: return .integer(Int64(tls.maximumVersion.rawValue))
        case .certificatePolicies: return .octets(RecordWriter.strings(certificatePolicies))
        case .explicitPolicy: return .flag(requiresExplicitPolicy)
        case .policyMapping: return .flag(inhibitsPolicyMapping)
        case .anyPolicy: return .flag(inhibitsAnyPolicy)
        case .lifetimeSteps: return .octets(RecordWriter.lifetimeSteps(lifetimeSteps))
        case .revocationPreset: return .integer(Int64(revocation.preset.rawValue))
        case .revocationCauses:
            return .octets(RevocationCause.allCases.map { revocation.causes[$0].rawValue })
        case .revocationSources: return .octets(revocation.sources.map(\.rawValue))
        case .revocationScope: return .integer(Int64(revocation.scope.rawValue))
        case .revocationNetwork: return .integer(Int64(revocation.network.rawValue))
        case .revocationMaximumAge: return revocation.maximumAge.map { .integer($0) }
        case .revocationShortLived: return revocation.shortLived.map { .integer($0) }
        case .transparencyPreset: return .integer(Int64(transparency.preset.rawValue))
        case .minimumSCTs: return transparency.minimumSCTs.map { .integer(Int64($0)) }
        case .minimumOperators: return transparency.minimumOperators.map { .integer(Int64($0)) }
        case .logList: return transparency.logList.map { .octets($0.bytes) }
        case .logListMaximumAge: return .integer(transparency.logListMaximumAge)
        case .whenStale: return .integer(Int64(transparency.whenStale.rawValue))
        case .exemptAnchors:
            return .octets(RecordWriter.texts(Set(transparency.exemptAnchors).sorted()))
        case .forwardSecrecy: return .flag(tls.requiresForwardSecrecy)
        case .cipherSuites: return .octets(RecordWriter.texts(tls.cipherSuites))
        case .groups: return .octets(RecordWriter.texts(tls.groups))
        case .tlsSignatureSchemes: return .octets(RecordWriter.texts(tls.signatureSchemes))
        case .alpn: return .octets(RecordWriter.texts(tls.alpn))
        case .forbiddenKeys: return .octets(RecordWriter.forbiddenKeys(forbiddenKeys))
        case .checks: return .octets(RecordWriter.texts(Set(checks).sorted()))
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
        case (.minimumTLSVersion, .integer(0x0303...0x0304)):
            tls.minimumVersion = TLSVersion(rawValue: UInt16(value.integer)) ?? .tls12
        case (.maximumTLSVersion, .integer(0x0303...0x0304)):
            tls.maximumVersion = TLSVersion(rawValue: UInt16(value.integer)) ?? .tls13
        case (.explicitPolicy, .integer(0...1)): requiresExplicitPolicy = value.integer == 1
        case (.policyMapping, .integer(0...1)): inhibitsPolicyMapping = value.integer == 1
        case (.anyPolicy, .integer(0...1)): inhibitsAnyPolicy = value.integer == 1
        case (.revocationPreset, .integer(0...1)):
            revocation.preset = RevocationPreset(rawValue: UInt8(value.integer)) ?? .require
        case (.revocationScope, .integer(0...2)):
            revocation.scope = RevocationScope(rawValue: UInt8(value.integer)) ?? .chain
        case (.revocationNetwork, .integer(0...2)):
            revocation.network = RevocationNetwork(rawValue: UInt8(value.integer)) ?? .never
        case (.revocationMaximumAge, .integer(0...Int64.max)):
            revocation.maximumAge = Int64(value.integer)
        case (.revocationShortLived, .integer(0...Int64.max)):
            revocation.shortLived = Int64(value.integer)
        case (.transparencyPreset, .integer(0...2)):
            transparency.preset = TransparencyPreset(rawValue: UInt8(value.integer)) ?? .apple
        case (.minimumSCTs, .integer(1...10)): transparency.minimumSCTs = value.integer
        case (.minimumOperators, .integer(1...10)): transparency.minimumOperators = value.integer
        case (.logListMaximumAge, .integer(0...Int64.max)):
            transparency.logListMaximumAge = Int64(value.integer)
        case (.whenStale, .integer(0...2)):
            transparency.whenStale = CauseAction(rawValue: UInt8(value.integer)) ?? .fail
        case (.forwardSecrecy, .integer(0...1)): tls.requiresForwardSecrecy = value.integer == 1
        case (_, .octets(let octets)): return set(field, octets)
        default:
            return false
        }
        return true
    }

    /// Sets a field whose value is octets. That a value is in its one form, sorted and without
    /// anything behind it, is seen by encoding it again.
    private mutating func set(_ field: RequirementField, _ octets: [UInt8]) -> Bool {
        var record = RecordReader(octets)
        switch field {
        case .certificatePolicies: certificatePolicies = record.strings()
        case .lifetimeSteps: lifetimeSteps = record.lifetimeSteps()
        case .revocationCauses:
            guard octets.count == RevocationCause.allCases.count else { return false }
            for (cause, octet) in zip(RevocationCause.allCases, octets) {
                guard let action = CauseAction(rawValue: octet) else { return false }
                revocation.causes[cause] = action
            }
            return true
        case .revocationSources:
            let sources = octets.compactMap { RevocationSource(rawValue: $0) }
            guard !sources.isEmpty, Set(sources).count == octets.count else { return false }
            revocation.sources = sources
            return true
        case .logList:
            guard let digest = Digest(.sha256, bytes: octets[...]) else { return false }
            transparency.logList = digest
            return true
        case .exemptAnchors: transparency.exemptAnchors = record.texts()
        case .cipherSuites: tls.cipherSuites = record.texts()
        case .groups: tls.groups = record.texts()
        case .tlsSignatureSchemes: tls.signatureSchemes = record.texts()
        case .alpn: tls.alpn = record.texts()
        case .forbiddenKeys: forbiddenKeys = record.forbiddenKeys()
        case .checks: checks = record.texts()
        default: return false
        }
        return record.isWhole
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

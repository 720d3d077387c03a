internal import TrustEngine

/// The fields of LANGUAGE section 8 that this version builds, by their dotted paths.
enum ProfileField: String, Hashable, Sendable, CaseIterable {
    case maximumIntermediates = "path.maximum-intermediates"
    case keyPurposes = "path.key-purposes"
    case keyTypes = "keys.types"
    case leafKeyTypes = "keys.leaf-types"
    case rsaMinimum = "keys.rsa-minimum"
    case minimumHash = "signatures.minimum-hash"
    case signatureSchemes = "signatures.schemes"
    case clockSkew = "validity.clock-skew"
    case maximumLifetime = "validity.maximum-lifetime"

    /// The field as the end of a JSON pointer: `keys/rsa-minimum`.
    var pointer: String {
        String(rawValue.map { $0 == "." ? "/" : $0 })
    }
}

/// A field with its value.
enum FieldValue: Hashable, Sendable {
    case maximumIntermediates(Int)
    case keyPurposes(KeyPurposes)
    case keyTypes(KeyTypeSet)
    case leafKeyTypes(KeyTypeSet)
    case rsaMinimum(Int)
    case minimumHash(SignatureHash)
    case signatureSchemes(SignatureSchemeSet)
    /// Seconds.
    case clockSkew(Int64)
    /// Seconds.
    case maximumLifetime(Int64)

    var field: ProfileField {
        switch self {
        case .maximumIntermediates: return .maximumIntermediates
        case .keyPurposes: return .keyPurposes
        case .keyTypes: return .keyTypes
        case .leafKeyTypes: return .leafKeyTypes
        case .rsaMinimum: return .rsaMinimum
        case .minimumHash: return .minimumHash
        case .signatureSchemes: return .signatureSchemes
        case .clockSkew: return .clockSkew
        case .maximumLifetime: return .maximumLifetime
        }
    }

    /// Writes the value over what a farther layer wrote.
    func apply(to requirements: inout Requirements) {
        switch self {
        case .maximumIntermediates(let value): requirements.maximumIntermediates = value
        case .keyPurposes(let value): requirements.keyPurposes = value
        case .keyTypes(let value): requirements.keyTypes = value
        case .leafKeyTypes(let value): requirements.leafKeyTypes = value
        case .rsaMinimum(let value): requirements.rsaMinimum = value
        case .minimumHash(let value): requirements.minimumHash = value
        case .signatureSchemes(let value): requirements.signatureSchemes = value
        case .clockSkew(let value): requirements.clockSkew = value
        case .maximumLifetime(let value): requirements.maximumLifetime = value
        }
    }
}

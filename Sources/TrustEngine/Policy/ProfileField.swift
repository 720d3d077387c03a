/// The fields of LANGUAGE section 8 by their dotted paths, in the order of the language. An entry of
/// `forbidden-keys` is a field of its own and has no case here.
package enum ProfileField: String, Hashable, Sendable, CaseIterable {
    case maximumIntermediates = "path.maximum-intermediates"
    case keyPurposes = "path.key-purposes"
    case certificatePolicies = "path.certificate-policies"
    case explicitPolicy = "path.explicit-policy"
    case policyMapping = "path.policy-mapping"
    case anyPolicy = "path.any-policy"
    case keyTypes = "keys.types"
    case leafKeyTypes = "keys.leaf-types"
    case rsaMinimum = "keys.rsa-minimum"
    case minimumHash = "signatures.minimum-hash"
    case signatureSchemes = "signatures.schemes"
    case clockSkew = "validity.clock-skew"
    case maximumLifetime = "validity.maximum-lifetime"
    case lifetimeSteps = "validity.lifetime-steps"
    case revocationPreset = "revocation.preset"
    case unknownCause = "revocation.causes.unknown"
    case noEndpointCause = "revocation.causes.no-endpoint"
    case unreachableCause = "revocation.causes.unreachable"
    case staleCause = "revocation.causes.stale"
    case malformedCause = "revocation.causes.malformed"
    case notCoveredCause = "revocation.causes.not-covered"
    case revocationSources = "revocation.sources"
    case revocationScope = "revocation.scope"
    case revocationNetwork = "revocation.network"
    case revocationMaximumAge = "revocation.maximum-age"
    case revocationShortLived = "revocation.short-lived"
    case transparencyPreset = "transparency.preset"
    case minimumSCTs = "transparency.minimum-scts"
    case minimumOperators = "transparency.minimum-operators"
    case logList = "transparency.log-list"
    case logListMaximumAge = "transparency.log-list-maximum-age"
    case whenStale = "transparency.when-stale"
    case exemptAnchors = "transparency.exempt-anchors"
    case minimumVersion = "tls.minimum-version"
    case maximumVersion = "tls.maximum-version"
    case forwardSecrecy = "tls.forward-secrecy"
    case cipherSuites = "tls.cipher-suites"
    case groups = "tls.groups"
    case tlsSignatureSchemes = "tls.signature-schemes"
    case alpn = "tls.alpn"
    case checks = "checks"

    /// The key that holds the field: the last part of its path.
    package var key: String { ProfileField.lastPart(of: rawValue) }

    /// What stands behind the last dot of a dotted path.
    package static func lastPart(of path: String) -> String {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return path }
        return String(path[path.utf8.index(after: dot)...])
    }

    /// The field as the end of a JSON pointer: `keys/rsa-minimum`.
    package var pointer: String {
        String(rawValue.map { $0 == "." ? "/" : $0 })
    }

    /// The field of a cause.
    package static func cause(_ cause: RevocationCause) -> ProfileField {
        switch cause {
        case .unknown: return .unknownCause
        case .noEndpoint: return .noEndpointCause
        case .unreachable: return .unreachableCause
        case .stale: return .staleCause
        case .malformed: return .malformedCause
        case .notCovered: return .notCoveredCause
        }
    }
}

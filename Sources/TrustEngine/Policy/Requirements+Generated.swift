// Made by `swift run generate-tables` from grammar/policy.schema.json. Do not edit.
// swift-format-ignore-file

/// The fields of a flattened profile (LANGUAGE section 8). `Requirements()` is the baseline.
package struct Requirements: Hashable, Sendable {
    /// `path.maximum-intermediates`: Certificates between leaf and anchor.
    package var maximumIntermediates: Int = 8
    /// `path.key-purposes`: Purposes, one of which must be allowed along the whole path.
    package var keyPurposes: KeyPurposes = KeyPurposes(serverAuth: true)
    /// `path.certificate-policies`: Certificate policies, one of which the path must be valid for (RFC 5280 section 6.1.1(c)).
    package var certificatePolicies: [[UInt8]] = []
    /// `path.explicit-policy`: Whether the path must be valid for a certificate policy (RFC 5280 section 6.1.1(f)).
    package var requiresExplicitPolicy: Bool = false
    /// `path.policy-mapping`: Whether an authority may map one certificate policy to another (RFC 5280 section 6.1.1(e)).
    package var inhibitsPolicyMapping: Bool = false
    /// `path.any-policy`: Whether anyPolicy counts for every certificate policy (RFC 5280 section 6.1.1(g)).
    package var inhibitsAnyPolicy: Bool = false
    /// `path.issuance`: The standards also make demands on those who issue certificates; the page `demands.md` lists them.
    package var enforcesIssuance: Bool = false
    /// `keys.types`: Key types allowed on the path, anchor included.
    package var keyTypes: KeyTypeSet = .all
    /// `keys.leaf-types`: Key types allowed in the leaf, a part of `types`; by default the same.
    package var leafKeyTypes: KeyTypeSet = .all
    /// `keys.rsa-minimum`: Bits of every RSA key of the path, anchor included.
    package var rsaMinimum: Int = 2048
    /// `signatures.minimum-hash`: The weakest hash that a signature on the path may use.
    package var minimumHash: SignatureHash = .sha256
    /// `signatures.schemes`: Signature schemes allowed below the anchor.
    package var signatureSchemes: SignatureSchemeSet = .all
    /// `validity.clock-skew`: Widens certificate and evidence windows at both ends; at most 24h.
    package var clockSkew: Int64 = 0
    /// `validity.maximum-lifetime`: Longest time from the leaf's notBefore to its notAfter, such as `398d`.
    package var maximumLifetime: Int64? = nil
    /// `validity.lifetime-steps`: Maximum lifetimes by the day of issue.
    package var lifetimeSteps: [LifetimeStep] = []
    /// The fields of `revocation`.
    package var revocation = RevocationRequirement()
    /// The fields of `transparency`.
    package var transparency = TransparencyRequirement()
    /// The fields of `tls`.
    package var tls = TLSRequirement()
    /// `forbidden-keys`: Keys that no accepted path may hold; entries of every layer add up.
    package var forbiddenKeys: [ForbiddenKey] = []
    /// `checks`: Checks that the program registers by name.
    package var checks: [String] = []

    /// Makes the baseline.
    package init() {}
}

/// The fields of `revocation`. The value of `init()` is the baseline.
package struct RevocationRequirement: Hashable, Sendable {
    /// `revocation.preset`: How hard missing evidence is taken; sets every cause.
    package var preset: RevocationPreset = .bestEffort
    /// The fields of `revocation.causes`.
    package var causes = RevocationCauses()
    /// `revocation.sources`: In order of preference; `revoked` from any wins.
    package var sources: [RevocationSource] = [.stapled, .crl, .ocsp]
    /// `revocation.scope`: Which certificates need evidence; `chain` adds an anchor of kind intermediate.
    package var scope: RevocationScope = .leafAndIntermediates
    /// `revocation.network`: Whether the program may fetch evidence: `never`, `prefetch` in the background, or `wait` for it.
    package var network: RevocationNetwork = .never
    /// `revocation.maximum-age`: Longest time since an answer's thisUpdate, such as `26h`, besides its nextUpdate.
    package var maximumAge: Int64? = nil
    /// `revocation.short-lived`: Certificates that live no longer than this need no evidence, such as `7d`.
    package var shortLived: Int64? = nil
    /// `revocation.crlite.maximum-age`: Longest time since the newest time that a filter covers, such as `3d`.
    package var crliteMaximumAge: Int64 = 604_800
    /// `revocation.crlite.grace`: How long a new leaf passes that no filter covers yet; at most 30d.
    package var crliteGrace: Int64 = 0

    /// Makes the baseline.
    package init() {}
}

/// The fields of `transparency`. The value of `init()` is the baseline.
package struct TransparencyRequirement: Hashable, Sendable {
    /// `transparency.preset`: Whose demand on certificate transparency holds; `none` undoes a profile's.
    package var preset: TransparencyPreset = .none
    /// `transparency.minimum-scts`: Valid timestamps needed.
    package var minimumSCTs: Int? = nil
    /// `transparency.minimum-operators`: Different log operators needed.
    package var minimumOperators: Int? = nil
    /// `transparency.log-list`: The path of a log_list.json, version 3, which is compiled in.
    package var logList: Digest? = nil
    /// `transparency.log-list-maximum-age`: How old the log list may be at the validation time, such as `70d`.
    package var logListMaximumAge: Int64 = 6_048_000
    /// `transparency.when-stale`: What a log list older than that does: `fail` rejects, `report` lists it, `pass` says nothing.
    package var whenStale: CauseAction = .fail
    /// `transparency.exempt-anchors`: Sets of the rule whose paths need no timestamps.
    package var exemptAnchors: [String] = []

    /// Makes the baseline.
    package init() {}
}

/// The fields of `tls`. The value of `init()` is the baseline.
package struct TLSRequirement: Hashable, Sendable {
    /// `tls.minimum-version`: The oldest TLS version that is taken; below `tls1.2` only a waiver goes.
    package var minimumVersion: TLSVersion = .tls12
    /// `tls.maximum-version`: The newest TLS version that is taken.
    package var maximumVersion: TLSVersion = .tls13
    /// `tls.forward-secrecy`: Whether the key exchange must have forward secrecy.
    package var requiresForwardSecrecy: Bool = false
    /// `tls.cipher-suites`: IANA names of cipher suites, in order of preference.
    package var cipherSuites: [String] = []
    /// `tls.groups`: IANA names of key exchange groups, in order of preference.
    package var groups: [String] = []
    /// `tls.signature-schemes`: IANA names of signature schemes, in order of preference.
    package var signatureSchemes: [String] = []
    /// `tls.alpn`: Application protocols, in order of preference.
    package var alpn: [String] = []

    /// Makes the baseline.
    package init() {}
}

/// What a failure does.
package enum CauseAction: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case fail = 0
    case report = 1
    case pass = 2

    /// The word as a policy writes it.
    package var name: String {
        switch self {
        case .fail: return "fail"
        case .report: return "report"
        case .pass: return "pass"
        }
    }
}

/// How hard missing evidence is taken; sets every cause.
package enum RevocationPreset: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case bestEffort = 0
    case require = 1

    /// The word as a policy writes it.
    package var name: String {
        switch self {
        case .bestEffort: return "best-effort"
        case .require: return "require"
        }
    }
}

/// Which certificates need evidence.
package enum RevocationScope: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case leaf = 0
    case leafAndIntermediates = 1
    case chain = 2

    /// The word as a policy writes it.
    package var name: String {
        switch self {
        case .leaf: return "leaf"
        case .leafAndIntermediates: return "leaf-and-intermediates"
        case .chain: return "chain"
        }
    }
}

/// Whether the program may fetch evidence.
package enum RevocationNetwork: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case never = 0
    case prefetch = 1
    case wait = 2

    /// The word as a policy writes it.
    package var name: String {
        switch self {
        case .never: return "never"
        case .prefetch: return "prefetch"
        case .wait: return "wait"
        }
    }
}

/// Whose demand on certificate transparency holds.
package enum TransparencyPreset: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case none = 0
    case chrome = 1
    case apple = 2

    /// The word as a policy writes it.
    package var name: String {
        switch self {
        case .none: return "none"
        case .chrome: return "chrome"
        case .apple: return "apple"
        }
    }
}

extension FieldWords {
    /// A kind of public key.
    package static let keyType = FieldWords(
        "key-type", [("rsa", 0), ("p256", 1), ("p384", 2), ("p521", 3), ("ed25519", 4), ("ed448", 5), ("mldsa44", 6), ("mldsa65", 7), ("mldsa87", 8)])
    /// A hash inside a signature, from weak to strong.
    package static let signatureHash = FieldWords(
        "signature-hash", [("sha256", 1), ("sha384", 2), ("sha512", 3)])
    /// A signature scheme.
    package static let signatureScheme = FieldWords(
        "signature-scheme", [("rsa-pkcs1", 0), ("rsa-pss", 1), ("ecdsa", 2), ("ed25519", 3), ("ed448", 4), ("ml-dsa", 5)])
    /// A TLS version at or above the baseline.
    package static let tlsVersion = FieldWords(
        "tls-version", [("tls1.2", 771), ("tls1.3", 772)])
    /// What a failure does.
    package static let action = FieldWords(
        "action", [("fail", 0), ("report", 1), ("pass", 2)])
    /// Whether something is demanded.
    package static let demand = FieldWords(
        "demand", [("required", 1), ("not-required", 0)])
    /// Whether something is allowed.
    package static let permission = FieldWords(
        "permission", [("allowed", 0), ("inhibited", 1)])
    /// What a breach of an issuance demand does.
    package static let issuanceWord = FieldWords(
        "issuance-word", [("report", 0), ("enforce", 1)])
    /// How hard missing evidence is taken; sets every cause.
    package static let revocationPreset = FieldWords(
        "revocation-preset", [("best-effort", 0), ("require", 1)])
    /// Where evidence of revocation comes from.
    package static let revocationSource = FieldWords(
        "revocation-source", [("stapled", 0), ("ocsp", 1), ("crl", 2), ("crlite", 3)])
    /// Which certificates need evidence.
    package static let revocationScope = FieldWords(
        "revocation-scope", [("leaf", 0), ("leaf-and-intermediates", 1), ("chain", 2)])
    /// Whether the program may fetch evidence.
    package static let revocationNetwork = FieldWords(
        "revocation-network", [("never", 0), ("prefetch", 1), ("wait", 2)])
    /// Whose demand on certificate transparency holds.
    package static let transparencyPreset = FieldWords(
        "transparency-preset", [("none", 0), ("chrome", 1), ("apple", 2)])
}

/// The fields of LANGUAGE section 8, in the order of the language. The raw value is the path.
package enum ProfileField: String, Hashable, Sendable, CaseIterable {
    case maximumIntermediates = "path.maximum-intermediates"
    case keyPurposes = "path.key-purposes"
    case certificatePolicies = "path.certificate-policies"
    case requiresExplicitPolicy = "path.explicit-policy"
    case inhibitsPolicyMapping = "path.policy-mapping"
    case inhibitsAnyPolicy = "path.any-policy"
    case enforcesIssuance = "path.issuance"
    case keyTypes = "keys.types"
    case leafKeyTypes = "keys.leaf-types"
    case rsaMinimum = "keys.rsa-minimum"
    case minimumHash = "signatures.minimum-hash"
    case signatureSchemes = "signatures.schemes"
    case clockSkew = "validity.clock-skew"
    case maximumLifetime = "validity.maximum-lifetime"
    case lifetimeSteps = "validity.lifetime-steps"
    case revocationPreset = "revocation.preset"
    case revocationCausesUnknown = "revocation.causes.unknown"
    case revocationCausesNoEndpoint = "revocation.causes.no-endpoint"
    case revocationCausesUnreachable = "revocation.causes.unreachable"
    case revocationCausesStale = "revocation.causes.stale"
    case revocationCausesMalformed = "revocation.causes.malformed"
    case revocationCausesNotCovered = "revocation.causes.not-covered"
    case revocationCausesNotEnrolled = "revocation.causes.not-enrolled"
    case revocationSources = "revocation.sources"
    case revocationScope = "revocation.scope"
    case revocationNetwork = "revocation.network"
    case revocationMaximumAge = "revocation.maximum-age"
    case revocationShortLived = "revocation.short-lived"
    case revocationCrliteMaximumAge = "revocation.crlite.maximum-age"
    case revocationCrliteGrace = "revocation.crlite.grace"
    case transparencyPreset = "transparency.preset"
    case transparencyMinimumSCTs = "transparency.minimum-scts"
    case transparencyMinimumOperators = "transparency.minimum-operators"
    case transparencyLogList = "transparency.log-list"
    case transparencyLogListMaximumAge = "transparency.log-list-maximum-age"
    case transparencyWhenStale = "transparency.when-stale"
    case transparencyExemptAnchors = "transparency.exempt-anchors"
    case tlsMinimumVersion = "tls.minimum-version"
    case tlsMaximumVersion = "tls.maximum-version"
    case tlsRequiresForwardSecrecy = "tls.forward-secrecy"
    case tlsCipherSuites = "tls.cipher-suites"
    case tlsGroups = "tls.groups"
    case tlsSignatureSchemes = "tls.signature-schemes"
    case tlsAlpn = "tls.alpn"
    case forbiddenKeys = "forbidden-keys"
    case checks = "checks"
}

extension ProfileField {
    /// The declaration of the field in the schema.
    package var descriptor: FieldDescriptor {
        switch self {
        case .maximumIntermediates:
            return FieldDescriptor(
                number: 1, kind: .integer(0...32), isOptional: false, stricter: .smaller, evidence: .vouches)
        case .keyPurposes:
            return FieldDescriptor(
                number: 2, kind: .purposes, isOptional: false, stricter: .subset)
        case .certificatePolicies:
            return FieldDescriptor(
                number: 13, kind: .objectIdentifiers, isOptional: false, stricter: .subset, evidence: .vouches)
        case .requiresExplicitPolicy:
            return FieldDescriptor(
                number: 14, kind: .word(.demand), isOptional: false, stricter: .larger, evidence: .vouches)
        case .inhibitsPolicyMapping:
            return FieldDescriptor(
                number: 15, kind: .word(.permission), isOptional: false, stricter: .larger, evidence: .vouches)
        case .inhibitsAnyPolicy:
            return FieldDescriptor(
                number: 16, kind: .word(.permission), isOptional: false, stricter: .larger, evidence: .vouches)
        case .enforcesIssuance:
            return FieldDescriptor(
                number: 38, kind: .word(.issuanceWord), isOptional: false, stricter: .larger, evidence: .vouches)
        case .keyTypes:
            return FieldDescriptor(
                number: 3, kind: .words(.keyType), isOptional: false, stricter: .subset, evidence: .vouches)
        case .leafKeyTypes:
            return FieldDescriptor(
                number: 4, kind: .words(.keyType), isOptional: false, stricter: .subset)
        case .rsaMinimum:
            return FieldDescriptor(
                number: 5, kind: .integer(2048...16_384), isOptional: false, stricter: .larger, evidence: .vouches)
        case .minimumHash:
            return FieldDescriptor(
                number: 6, kind: .word(.signatureHash), isOptional: false, stricter: .larger, evidence: .vouches)
        case .signatureSchemes:
            return FieldDescriptor(
                number: 7, kind: .words(.signatureScheme), isOptional: false, stricter: .subset, evidence: .vouches)
        case .clockSkew:
            return FieldDescriptor(
                number: 8, kind: .seconds(0...86_400), isOptional: false, stricter: .smaller, evidence: .revokes)
        case .maximumLifetime:
            return FieldDescriptor(
                number: 9, kind: .seconds(1...315_569_520_000), isOptional: true, stricter: .together)
        case .lifetimeSteps:
            return FieldDescriptor(
                number: 17, kind: .steps, isOptional: false, stricter: .together)
        case .revocationPreset:
            return FieldDescriptor(
                number: 10, kind: .word(.revocationPreset), isOptional: false, stricter: .none)
        case .revocationCausesUnknown:
            return FieldDescriptor(
                number: 18, kind: .word(.action), isOptional: false, stricter: .smaller)
        case .revocationCausesNoEndpoint:
            return FieldDescriptor(
                number: 18, kind: .word(.action), isOptional: false, stricter: .smaller)
        case .revocationCausesUnreachable:
            return FieldDescriptor(
                number: 18, kind: .word(.action), isOptional: false, stricter: .smaller)
        case .revocationCausesStale:
            return FieldDescriptor(
                number: 18, kind: .word(.action), isOptional: false, stricter: .smaller)
        case .revocationCausesMalformed:
            return FieldDescriptor(
                number: 18, kind: .word(.action), isOptional: false, stricter: .smaller)
        case .revocationCausesNotCovered:
            return FieldDescriptor(
                number: 18, kind: .word(.action), isOptional: false, stricter: .smaller)
        case .revocationCausesNotEnrolled:
            return FieldDescriptor(
                number: 18, kind: .word(.action), isOptional: false, stricter: .smaller)
        case .revocationSources:
            return FieldDescriptor(
                number: 19, kind: .ranking(.revocationSource), isOptional: false, stricter: .together)
        case .revocationScope:
            return FieldDescriptor(
                number: 20, kind: .word(.revocationScope), isOptional: false, stricter: .larger)
        case .revocationNetwork:
            return FieldDescriptor(
                number: 21, kind: .word(.revocationNetwork), isOptional: false, stricter: .none)
        case .revocationMaximumAge:
            return FieldDescriptor(
                number: 22, kind: .seconds(1...315_569_520_000), isOptional: true, stricter: .smaller, evidence: .vouches)
        case .revocationShortLived:
            return FieldDescriptor(
                number: 23, kind: .seconds(1...315_569_520_000), isOptional: true, stricter: .smaller, unwritten: .strictest)
        case .revocationCrliteMaximumAge:
            return FieldDescriptor(
                number: 39, kind: .seconds(1...315_569_520_000), isOptional: false, stricter: .smaller)
        case .revocationCrliteGrace:
            return FieldDescriptor(
                number: 40, kind: .seconds(0...2_592_000), isOptional: false, stricter: .smaller)
        case .transparencyPreset:
            return FieldDescriptor(
                number: 24, kind: .word(.transparencyPreset), isOptional: false, stricter: .together)
        case .transparencyMinimumSCTs:
            return FieldDescriptor(
                number: 25, kind: .integer(1...10), isOptional: true, stricter: .together)
        case .transparencyMinimumOperators:
            return FieldDescriptor(
                number: 26, kind: .integer(1...10), isOptional: true, stricter: .together)
        case .transparencyLogList:
            return FieldDescriptor(
                number: 27, kind: .digest, isOptional: true, stricter: .together)
        case .transparencyLogListMaximumAge:
            return FieldDescriptor(
                number: 28, kind: .seconds(1...315_569_520_000), isOptional: false, stricter: .together)
        case .transparencyWhenStale:
            return FieldDescriptor(
                number: 29, kind: .word(.action), isOptional: false, stricter: .together)
        case .transparencyExemptAnchors:
            return FieldDescriptor(
                number: 30, kind: .names, isOptional: false, stricter: .together)
        case .tlsMinimumVersion:
            return FieldDescriptor(
                number: 11, kind: .word(.tlsVersion), isOptional: false, stricter: .larger)
        case .tlsMaximumVersion:
            return FieldDescriptor(
                number: 12, kind: .word(.tlsVersion), isOptional: false, stricter: .smaller)
        case .tlsRequiresForwardSecrecy:
            return FieldDescriptor(
                number: 31, kind: .word(.demand), isOptional: false, stricter: .larger)
        case .tlsCipherSuites:
            return FieldDescriptor(
                number: 32, kind: .preferences, isOptional: false, stricter: .subset)
        case .tlsGroups:
            return FieldDescriptor(
                number: 33, kind: .preferences, isOptional: false, stricter: .subset)
        case .tlsSignatureSchemes:
            return FieldDescriptor(
                number: 34, kind: .preferences, isOptional: false, stricter: .subset)
        case .tlsAlpn:
            return FieldDescriptor(
                number: 35, kind: .preferences, isOptional: false, stricter: .subset)
        case .forbiddenKeys:
            return FieldDescriptor(
                number: 36, kind: .forbiddenKeys, isOptional: false, stricter: .superset)
        case .checks:
            return FieldDescriptor(
                number: 37, kind: .names, isOptional: false, stricter: .superset)
        }
    }
}

extension Requirements {
    /// The value of a field.
    package func value(of field: ProfileField) -> FieldValue {
        switch field {
        case .maximumIntermediates: return .integer(maximumIntermediates)
        case .keyPurposes: return .purposes(keyPurposes)
        case .certificatePolicies: return .objectIdentifiers(certificatePolicies)
        case .requiresExplicitPolicy: return .word(requiresExplicitPolicy ? 1 : 0)
        case .inhibitsPolicyMapping: return .word(inhibitsPolicyMapping ? 1 : 0)
        case .inhibitsAnyPolicy: return .word(inhibitsAnyPolicy ? 1 : 0)
        case .enforcesIssuance: return .word(enforcesIssuance ? 1 : 0)
        case .keyTypes: return .words(Int(keyTypes.intersection(.all).rawValue))
        case .leafKeyTypes: return .words(Int(leafKeyTypes.intersection(.all).rawValue))
        case .rsaMinimum: return .integer(rsaMinimum)
        case .minimumHash: return .word(Int(minimumHash.rawValue))
        case .signatureSchemes: return .words(Int(signatureSchemes.intersection(.all).rawValue))
        case .clockSkew: return .seconds(clockSkew)
        case .maximumLifetime: return maximumLifetime.map { .seconds($0) } ?? .unwritten
        case .lifetimeSteps: return .steps(lifetimeSteps)
        case .revocationPreset: return .word(Int(revocation.preset.rawValue))
        case .revocationCausesUnknown: return .word(Int(revocation.causes[.unknown].rawValue))
        case .revocationCausesNoEndpoint: return .word(Int(revocation.causes[.noEndpoint].rawValue))
        case .revocationCausesUnreachable: return .word(Int(revocation.causes[.unreachable].rawValue))
        case .revocationCausesStale: return .word(Int(revocation.causes[.stale].rawValue))
        case .revocationCausesMalformed: return .word(Int(revocation.causes[.malformed].rawValue))
        case .revocationCausesNotCovered: return .word(Int(revocation.causes[.notCovered].rawValue))
        case .revocationCausesNotEnrolled: return .word(Int(revocation.causes[.notEnrolled].rawValue))
        case .revocationSources: return .ranking(revocation.sources.map { Int($0.rawValue) })
        case .revocationScope: return .word(Int(revocation.scope.rawValue))
        case .revocationNetwork: return .word(Int(revocation.network.rawValue))
        case .revocationMaximumAge: return revocation.maximumAge.map { .seconds($0) } ?? .unwritten
        case .revocationShortLived: return revocation.shortLived.map { .seconds($0) } ?? .unwritten
        case .revocationCrliteMaximumAge: return .seconds(revocation.crliteMaximumAge)
        case .revocationCrliteGrace: return .seconds(revocation.crliteGrace)
        case .transparencyPreset: return .word(Int(transparency.preset.rawValue))
        case .transparencyMinimumSCTs: return transparency.minimumSCTs.map { .integer($0) } ?? .unwritten
        case .transparencyMinimumOperators: return transparency.minimumOperators.map { .integer($0) } ?? .unwritten
        case .transparencyLogList: return transparency.logList.map { .digest($0) } ?? .unwritten
        case .transparencyLogListMaximumAge: return .seconds(transparency.logListMaximumAge)
        case .transparencyWhenStale: return .word(Int(transparency.whenStale.rawValue))
        case .transparencyExemptAnchors: return .names(transparency.exemptAnchors)
        case .tlsMinimumVersion: return .word(Int(tls.minimumVersion.rawValue))
        case .tlsMaximumVersion: return .word(Int(tls.maximumVersion.rawValue))
        case .tlsRequiresForwardSecrecy: return .word(tls.requiresForwardSecrecy ? 1 : 0)
        case .tlsCipherSuites: return .preferences(tls.cipherSuites)
        case .tlsGroups: return .preferences(tls.groups)
        case .tlsSignatureSchemes: return .preferences(tls.signatureSchemes)
        case .tlsAlpn: return .preferences(tls.alpn)
        case .forbiddenKeys: return .forbiddenKeys(forbiddenKeys)
        case .checks: return .names(checks)
        }
    }

    /// Sets a field. A value that is not of the field's kind changes nothing.
    mutating func assign(_ field: ProfileField, _ value: FieldValue) {
        switch field {
        case .maximumIntermediates:
            if case .integer(let value) = value { maximumIntermediates = value }
        case .keyPurposes:
            if case .purposes(let value) = value { keyPurposes = value }
        case .certificatePolicies:
            if case .objectIdentifiers(let value) = value { certificatePolicies = value }
        case .requiresExplicitPolicy:
            if case .word(let value) = value { requiresExplicitPolicy = value == 1 }
        case .inhibitsPolicyMapping:
            if case .word(let value) = value { inhibitsPolicyMapping = value == 1 }
        case .inhibitsAnyPolicy:
            if case .word(let value) = value { inhibitsAnyPolicy = value == 1 }
        case .enforcesIssuance:
            if case .word(let value) = value { enforcesIssuance = value == 1 }
        case .keyTypes:
            if case .words(let value) = value { keyTypes = KeyTypeSet(rawValue: .init(value)) }
        case .leafKeyTypes:
            if case .words(let value) = value { leafKeyTypes = KeyTypeSet(rawValue: .init(value)) }
        case .rsaMinimum:
            if case .integer(let value) = value { rsaMinimum = value }
        case .minimumHash:
            if case .word(let value) = value, let word = SignatureHash(rawValue: .init(value)) {
                minimumHash = word
            }
        case .signatureSchemes:
            if case .words(let value) = value { signatureSchemes = SignatureSchemeSet(rawValue: .init(value)) }
        case .clockSkew:
            if case .seconds(let value) = value { clockSkew = value }
        case .maximumLifetime:
            if case .seconds(let value) = value { maximumLifetime = value }
            if value == .unwritten { maximumLifetime = nil }
        case .lifetimeSteps:
            if case .steps(let value) = value { lifetimeSteps = value }
        case .revocationPreset:
            if case .word(let value) = value, let word = RevocationPreset(rawValue: .init(value)) {
                revocation.preset = word
            }
        case .revocationCausesUnknown:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                revocation.causes[.unknown] = word
            }
        case .revocationCausesNoEndpoint:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                revocation.causes[.noEndpoint] = word
            }
        case .revocationCausesUnreachable:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                revocation.causes[.unreachable] = word
            }
        case .revocationCausesStale:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                revocation.causes[.stale] = word
            }
        case .revocationCausesMalformed:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                revocation.causes[.malformed] = word
            }
        case .revocationCausesNotCovered:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                revocation.causes[.notCovered] = word
            }
        case .revocationCausesNotEnrolled:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                revocation.causes[.notEnrolled] = word
            }
        case .revocationSources:
            if case .ranking(let value) = value { revocation.sources = value.compactMap { RevocationSource(rawValue: .init($0)) } }
        case .revocationScope:
            if case .word(let value) = value, let word = RevocationScope(rawValue: .init(value)) {
                revocation.scope = word
            }
        case .revocationNetwork:
            if case .word(let value) = value, let word = RevocationNetwork(rawValue: .init(value)) {
                revocation.network = word
            }
        case .revocationMaximumAge:
            if case .seconds(let value) = value { revocation.maximumAge = value }
            if value == .unwritten { revocation.maximumAge = nil }
        case .revocationShortLived:
            if case .seconds(let value) = value { revocation.shortLived = value }
            if value == .unwritten { revocation.shortLived = nil }
        case .revocationCrliteMaximumAge:
            if case .seconds(let value) = value { revocation.crliteMaximumAge = value }
        case .revocationCrliteGrace:
            if case .seconds(let value) = value { revocation.crliteGrace = value }
        case .transparencyPreset:
            if case .word(let value) = value, let word = TransparencyPreset(rawValue: .init(value)) {
                transparency.preset = word
            }
        case .transparencyMinimumSCTs:
            if case .integer(let value) = value { transparency.minimumSCTs = value }
            if value == .unwritten { transparency.minimumSCTs = nil }
        case .transparencyMinimumOperators:
            if case .integer(let value) = value { transparency.minimumOperators = value }
            if value == .unwritten { transparency.minimumOperators = nil }
        case .transparencyLogList:
            if case .digest(let value) = value { transparency.logList = value }
            if value == .unwritten { transparency.logList = nil }
        case .transparencyLogListMaximumAge:
            if case .seconds(let value) = value { transparency.logListMaximumAge = value }
        case .transparencyWhenStale:
            if case .word(let value) = value, let word = CauseAction(rawValue: .init(value)) {
                transparency.whenStale = word
            }
        case .transparencyExemptAnchors:
            if case .names(let value) = value { transparency.exemptAnchors = value }
        case .tlsMinimumVersion:
            if case .word(let value) = value, let word = TLSVersion(rawValue: .init(value)) {
                tls.minimumVersion = word
            }
        case .tlsMaximumVersion:
            if case .word(let value) = value, let word = TLSVersion(rawValue: .init(value)) {
                tls.maximumVersion = word
            }
        case .tlsRequiresForwardSecrecy:
            if case .word(let value) = value { tls.requiresForwardSecrecy = value == 1 }
        case .tlsCipherSuites:
            if case .preferences(let value) = value { tls.cipherSuites = value }
        case .tlsGroups:
            if case .preferences(let value) = value { tls.groups = value }
        case .tlsSignatureSchemes:
            if case .preferences(let value) = value { tls.signatureSchemes = value }
        case .tlsAlpn:
            if case .preferences(let value) = value { tls.alpn = value }
        case .forbiddenKeys:
            if case .forbiddenKeys(let value) = value { forbiddenKeys = value }
        case .checks:
            if case .names(let value) = value { checks = value }
        }
    }

    /// The fields that are stored otherwise than in another value, in the order of the
    /// language. A field whose value differs is among them.
    func differences(from other: Requirements) -> [ProfileField] {
        var found: [ProfileField] = []
        if maximumIntermediates != other.maximumIntermediates { found.append(.maximumIntermediates) }
        if keyPurposes != other.keyPurposes { found.append(.keyPurposes) }
        if certificatePolicies != other.certificatePolicies { found.append(.certificatePolicies) }
        if requiresExplicitPolicy != other.requiresExplicitPolicy { found.append(.requiresExplicitPolicy) }
        if inhibitsPolicyMapping != other.inhibitsPolicyMapping { found.append(.inhibitsPolicyMapping) }
        if inhibitsAnyPolicy != other.inhibitsAnyPolicy { found.append(.inhibitsAnyPolicy) }
        if enforcesIssuance != other.enforcesIssuance { found.append(.enforcesIssuance) }
        if keyTypes != other.keyTypes { found.append(.keyTypes) }
        if leafKeyTypes != other.leafKeyTypes { found.append(.leafKeyTypes) }
        if rsaMinimum != other.rsaMinimum { found.append(.rsaMinimum) }
        if minimumHash != other.minimumHash { found.append(.minimumHash) }
        if signatureSchemes != other.signatureSchemes { found.append(.signatureSchemes) }
        if clockSkew != other.clockSkew { found.append(.clockSkew) }
        if maximumLifetime != other.maximumLifetime { found.append(.maximumLifetime) }
        if lifetimeSteps != other.lifetimeSteps { found.append(.lifetimeSteps) }
        if revocation.preset != other.revocation.preset { found.append(.revocationPreset) }
        if revocation.causes[.unknown] != other.revocation.causes[.unknown] { found.append(.revocationCausesUnknown) }
        if revocation.causes[.noEndpoint] != other.revocation.causes[.noEndpoint] { found.append(.revocationCausesNoEndpoint) }
        if revocation.causes[.unreachable] != other.revocation.causes[.unreachable] { found.append(.revocationCausesUnreachable) }
        if revocation.causes[.stale] != other.revocation.causes[.stale] { found.append(.revocationCausesStale) }
        if revocation.causes[.malformed] != other.revocation.causes[.malformed] { found.append(.revocationCausesMalformed) }
        if revocation.causes[.notCovered] != other.revocation.causes[.notCovered] { found.append(.revocationCausesNotCovered) }
        if revocation.causes[.notEnrolled] != other.revocation.causes[.notEnrolled] { found.append(.revocationCausesNotEnrolled) }
        if revocation.sources != other.revocation.sources { found.append(.revocationSources) }
        if revocation.scope != other.revocation.scope { found.append(.revocationScope) }
        if revocation.network != other.revocation.network { found.append(.revocationNetwork) }
        if revocation.maximumAge != other.revocation.maximumAge { found.append(.revocationMaximumAge) }
        if revocation.shortLived != other.revocation.shortLived { found.append(.revocationShortLived) }
        if revocation.crliteMaximumAge != other.revocation.crliteMaximumAge { found.append(.revocationCrliteMaximumAge) }
        if revocation.crliteGrace != other.revocation.crliteGrace { found.append(.revocationCrliteGrace) }
        if transparency.preset != other.transparency.preset { found.append(.transparencyPreset) }
        if transparency.minimumSCTs != other.transparency.minimumSCTs { found.append(.transparencyMinimumSCTs) }
        if transparency.minimumOperators != other.transparency.minimumOperators { found.append(.transparencyMinimumOperators) }
        if transparency.logList != other.transparency.logList { found.append(.transparencyLogList) }
        if transparency.logListMaximumAge != other.transparency.logListMaximumAge { found.append(.transparencyLogListMaximumAge) }
        if transparency.whenStale != other.transparency.whenStale { found.append(.transparencyWhenStale) }
        if transparency.exemptAnchors != other.transparency.exemptAnchors { found.append(.transparencyExemptAnchors) }
        if tls.minimumVersion != other.tls.minimumVersion { found.append(.tlsMinimumVersion) }
        if tls.maximumVersion != other.tls.maximumVersion { found.append(.tlsMaximumVersion) }
        if tls.requiresForwardSecrecy != other.tls.requiresForwardSecrecy { found.append(.tlsRequiresForwardSecrecy) }
        if tls.cipherSuites != other.tls.cipherSuites { found.append(.tlsCipherSuites) }
        if tls.groups != other.tls.groups { found.append(.tlsGroups) }
        if tls.signatureSchemes != other.tls.signatureSchemes { found.append(.tlsSignatureSchemes) }
        if tls.alpn != other.tls.alpn { found.append(.tlsAlpn) }
        if forbiddenKeys != other.forbiddenKeys { found.append(.forbiddenKeys) }
        if checks != other.checks { found.append(.checks) }
        return found
    }
}

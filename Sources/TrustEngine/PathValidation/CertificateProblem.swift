/// What is wrong with one certificate at its place on a path, without words: cheap to find, so that
/// the search can pass over a certificate, and turned into a `PathViolation` only when someone
/// asks.
package enum CertificateProblem: Hashable, Sendable, BitwiseCopyable {
    case expired
    case notYetValid
    case notACertificateAuthority
    case noCertSign
    case endEntityKeyUsage
    case pathLengthExceeded(limit: Int32, actual: Int32)
    case unknownCriticalExtension
    case preCertificate
    case algorithmMismatch
    case keyTypeNotAllowed
    case keyTooSmall
    case hashTooWeak
    case schemeNotAllowed
    case purposeNotAllowed
}

/// The rules of RFC 5280 section 6.1.3 and 6.1.4 that look at one certificate alone.
package enum CertificateRules {
    /// Section 6.1.3(a)(2): validity, inclusive at both ends, widened by the clock skew.
    package static func validity(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let layout = certificate.layout
        if parameters.time < layout.notBefore.advanced(bySeconds: -parameters.clockSkew) {
            return .notYetValid
        }
        return parameters.time > layout.notAfter.advanced(bySeconds: parameters.clockSkew)
            ? .expired : nil
    }

    /// Section 6.1.4(k): an issuer is a version 3 certificate with cA true. `ignoredLimits` are an
    /// anchor's.
    package static func basicConstraints(
        _ certificate: Certificate, isEndEntity: Bool, ignoring ignoredLimits: AnchorLimits = []
    ) -> CertificateProblem? {
        guard !isEndEntity, !ignoredLimits.contains(.authority) else { return nil }
        if ignoredLimits.contains(.basicConstraintsPresence),
            !certificate.layout.extensions.present.contains(.basicConstraints)
        {
            return nil
        }
        return certificate.layout.version == 3 && certificate.layout.extensions.isCA
            ? nil : .notACertificateAuthority
    }

    /// Section 6.1.4(l), (m): `below` counts the intermediates under it that are not self-issued.
    package static func pathLength(
        _ certificate: Certificate, below: Int
    ) -> CertificateProblem? {
        let limit = certificate.layout.extensions.pathLength
        guard limit >= 0, below > Int(limit) else { return nil }
        return .pathLengthExceeded(limit: limit, actual: Int32(truncatingIfNeeded: below))
    }

    /// Section 6.1.4(n) for issuers. An end entity with a key usage must allow a bit that its
    /// purpose can use (section 4.2.1.12): digitalSignature or keyAgreement, or keyEncipherment for
    /// a server. A CA certificate in the end entity's place is spared that: its bits speak of
    /// signing others.
    package static func keyUsage(
        _ certificate: Certificate, isEndEntity: Bool, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let extensions = certificate.layout.extensions
        guard extensions.present.contains(.keyUsage) else { return nil }
        guard isEndEntity else {
            return extensions.keyUsage & KeyUsageBit.keyCertSign != 0 ? nil : .noCertSign
        }
        guard parameters.endEntityKeyUsage == .ofPurpose else { return nil }
        let purposes = parameters.keyPurposes
        guard purposes.serverAuth || purposes.clientAuth, purposes.others.isEmpty, !extensions.isCA
        else { return nil }
        var wanted = KeyUsageBit.digitalSignature | KeyUsageBit.keyAgreement
        if purposes.serverAuth { wanted |= KeyUsageBit.keyEncipherment }
        return extensions.keyUsage & wanted != 0 ? nil : .endEntityKeyUsage
    }

    /// Section 6.1.4(o), 6.1.5(f): no critical extension is left unprocessed. cRLDistributionPoints
    /// is processed with revocation, authorityInfoAccess may not be critical at all
    /// (`StandardDemand`), and nothing acts on issuerAltName. A pre-certificate is no certificate
    /// (RFC 6962 section 3.1).
    package static func criticalExtensions(_ certificate: Certificate) -> CertificateProblem? {
        let extensions = certificate.layout.extensions
        if extensions.present.contains(.preCertificatePoison) { return .preCertificate }
        return extensions.unknownCritical.isEmpty
            && !extensions.critical.contains(.issuerAltName)
            ? nil : .unknownCriticalExtension
    }

    /// Section 4.1.1.2: the signed algorithm identifier equals the one beside the signature.
    package static func algorithmAgreement(_ certificate: Certificate) -> CertificateProblem? {
        certificate.algorithmsAgree ? nil : .algorithmMismatch
    }

    /// The policy's key types.
    package static func keyType(
        _ certificate: Certificate, isEndEntity: Bool, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let allowed = isEndEntity ? parameters.leafKeyTypes : parameters.keyTypes
        guard let type = certificate.layout.publicKey.type, allowed.contains(KeyTypeSet(type)),
            parameters.keyTypes.contains(KeyTypeSet(type))
        else { return .keyTypeNotAllowed }
        return nil
    }

    /// The policy's floor for RSA keys.
    package static func keySize(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let key = certificate.layout.publicKey
        return key.type == .rsa && Int(key.bits) < parameters.rsaMinimum ? .keyTooSmall : nil
    }

    /// The policy's signature schemes. An algorithm that the engine does not have fails as a
    /// signature, not here.
    package static func signatureScheme(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        guard let scheme = certificate.layout.signatureAlgorithm.scheme else { return nil }
        return parameters.signatureSchemes.contains(scheme) ? nil : .schemeNotAllowed
    }

    /// The policy's floor for hashes: message hash and, for PSS, mask hash.
    package static func signatureHash(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        guard let hash = certificate.layout.signatureAlgorithm.weakestHash else { return nil }
        return hash < parameters.minimumHash ? .hashTooWeak : nil
    }

    /// Section 4.2.1.12: whether some demanded purpose is allowed by this certificate alone. Who
    /// signs CRLs is asked for none, and so are public vectors without a purpose; a policy always
    /// demands one.
    package static func purpose(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let purposes = parameters.keyPurposes.identifiers
        return purposes.isEmpty || purposes.contains { certificate.allows(purpose: $0) }
            ? nil : .purposeNotAllowed
    }
}

/// Bits of the key usage extension (RFC 5280 section 4.2.1.3), bit 0 in the least significant
/// place.
package enum KeyUsageBit {
    package static let digitalSignature: UInt16 = 1 << 0
    package static let nonRepudiation: UInt16 = 1 << 1
    package static let keyEncipherment: UInt16 = 1 << 2
    package static let keyAgreement: UInt16 = 1 << 4
    package static let keyCertSign: UInt16 = 1 << 5
    package static let cRLSign: UInt16 = 1 << 6
}

extension SignatureAlgorithm {
    /// The scheme that a policy allows or not; nil for an algorithm that the engine does not have.
    package var scheme: SignatureSchemeSet? {
        switch self {
        case .rsaPKCS1: return .rsaPKCS1
        case .rsaPSS: return .rsaPSS
        case .ecdsa: return .ecdsa
        case .ed25519: return .ed25519
        case .ed448: return .ed448
        case .dsa: return .dsa
        case .unsupported: return nil
        }
    }

    /// The weaker of message hash and mask hash; nil where the scheme has its own.
    package var weakestHash: SignatureHash? {
        switch self {
        case .rsaPKCS1(let hash), .ecdsa(let hash), .dsa(let hash): return hash
        case .rsaPSS(let hash, let mask, _): return min(hash, mask)
        case .ed25519, .ed448, .unsupported: return nil
        }
    }
}

extension KeyPurposes {
    /// Content octets of every demanded purpose's object identifier.
    package var identifiers: [[UInt8]] {
        var identifiers: [[UInt8]] = []
        if serverAuth { identifiers.append(ObjectIdentifier.serverAuth) }
        if clientAuth { identifiers.append(ObjectIdentifier.clientAuth) }
        return identifiers + others
    }
}

extension Certificate {
    /// Whether the certificate demands a stapled OCSP response: TLS feature status_request, 5 (RFC
    /// 7633 section 4.2.3.1). An extension that cannot be read demands one.
    package var requiresStaple: Bool {
        guard layout.extensions.present.contains(.tlsFeatures) else { return false }
        let bytes = der.span
        var reader = DERReader(layout.extensions.tlsFeatures)
        do throws(DERError) {
            while !reader.isAtEnd {
                let feature = try reader.next(.integer, in: bytes)
                if try feature.nonNegativeInteger(in: bytes) == 5 { return true }
            }
            return false
        } catch {
            return true
        }
    }
}

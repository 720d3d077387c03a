/// A problem of one certificate at its position on a path. The value is cheap to make, so the path
/// search can find a problem and skip the certificate. The path validator makes a `PathViolation`
/// from a problem only when the violation is needed.
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

/// The rules of RFC 5280 sections 6.1.3 and 6.1.4, and of the policy, that judge one certificate
/// without the other certificates of the path.
package enum CertificateRules {
    /// Section 6.1.3(a)(2): the validation time is in the validity period. Both ends are inclusive.
    /// The clock skew moves both ends outward.
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

    /// Section 6.1.4(k): an issuer has a version 3 certificate with cA true. `ignoredLimits` are
    /// the limits in an anchor's certificate that do not bind.
    package static func basicConstraints(
        _ certificate: Certificate, isEndEntity: Bool, ignoring ignoredLimits: AnchorLimits = []
    ) -> CertificateProblem? {
        guard !isEndEntity, !ignoredLimits.contains(.authority) else { return nil }
        if ignoredLimits.contains(.basicConstraintsPresence),
            !certificate.layout.extensions.present.contains(.basicConstraints)
        {
            return nil
        }
        if ignoredLimits.contains(.version1) { return nil }
        return certificate.layout.version == 3 && certificate.layout.extensions.isCA
            ? nil : .notACertificateAuthority
    }

    /// Section 6.1.4(l), (m): the path length constraint. `below` is the number of intermediates
    /// between the certificate and the end entity that are not self-issued.
    package static func pathLength(
        _ certificate: Certificate, below: Int
    ) -> CertificateProblem? {
        let limit = certificate.layout.extensions.pathLength
        guard limit >= 0, below > Int(limit) else { return nil }
        return .pathLengthExceeded(limit: limit, actual: Int32(truncatingIfNeeded: below))
    }

    /// Section 6.1.4(n): an issuer with a key usage has keyCertSign. An end entity with a key usage
    /// has a bit that the demanded purpose can use (section 4.2.1.12): digitalSignature or
    /// keyAgreement, or keyEncipherment for a server; digitalSignature alone where the key only
    /// signs (`PublicKey.onlySigns`). The end entity's rule does not
    /// apply to a CA certificate as end entity, because the key usage of a CA is about signing
    /// other certificates.
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
        var wanted = KeyUsageBit.digitalSignature
        if !certificate.layout.publicKey.onlySigns {
            wanted |= KeyUsageBit.keyAgreement
            if purposes.serverAuth { wanted |= KeyUsageBit.keyEncipherment }
        }
        return extensions.keyUsage & wanted != 0 ? nil : .endEntityKeyUsage
    }

    /// Sections 6.1.4(o), 6.1.5(f): the engine processes every critical extension. The revocation
    /// check processes cRLDistributionPoints. `StandardDemand` forbids a critical
    /// authorityInfoAccess. The engine does not process issuerAltName, so a critical issuerAltName
    /// is a problem. A pre-certificate is not a certificate (RFC 6962 section 3.1).
    package static func criticalExtensions(_ certificate: Certificate) -> CertificateProblem? {
        let extensions = certificate.layout.extensions
        if extensions.present.contains(.preCertificatePoison) { return .preCertificate }
        return extensions.unknownCritical.isEmpty
            && !extensions.critical.contains(.issuerAltName)
            ? nil : .unknownCriticalExtension
    }

    /// Section 4.1.1.2: the algorithm identifier in the signed part equals the algorithm identifier
    /// beside the signature.
    package static func algorithmAgreement(_ certificate: Certificate) -> CertificateProblem? {
        certificate.algorithmsAgree ? nil : .algorithmMismatch
    }

    /// The key's type is allowed by the policy. The policy can allow fewer types for an end entity.
    package static func keyType(
        _ certificate: Certificate, isEndEntity: Bool, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let allowed = isEndEntity ? parameters.leafKeyTypes : parameters.keyTypes
        guard let type = certificate.layout.publicKey.type, allowed.contains(KeyTypeSet(type)),
            parameters.keyTypes.contains(KeyTypeSet(type))
        else { return .keyTypeNotAllowed }
        return nil
    }

    /// An RSA key has at least the policy's minimum of bits.
    package static func keySize(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let key = certificate.layout.publicKey
        return key.type == .rsa && Int(key.bits) < parameters.rsaMinimum ? .keyTooSmall : nil
    }

    /// The signature's scheme is allowed by the policy. A signature algorithm that the engine does
    /// not support passes here: the check of signatures rejects it.
    package static func signatureScheme(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        guard let scheme = certificate.layout.signatureAlgorithm.scheme else { return nil }
        return parameters.signatureSchemes.contains(scheme) ? nil : .schemeNotAllowed
    }

    /// The message hash, and for RSA-PSS also the mask hash, is not weaker than the policy's
    /// minimum.
    package static func signatureHash(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        guard let hash = certificate.layout.signatureAlgorithm.weakestHash else { return nil }
        return hash < parameters.minimumHash ? .hashTooWeak : nil
    }

    /// Section 4.2.1.12: the certificate allows at least one demanded purpose. When no purpose is
    /// demanded, every certificate passes. No purpose is demanded of the signer of a CRL, nor by
    /// public test vectors that name no purpose. A policy always demands a purpose.
    package static func purpose(
        _ certificate: Certificate, _ parameters: PathParameters
    ) -> CertificateProblem? {
        let purposes = parameters.keyPurposes
        return purposes.isEmpty || purposes.contains { certificate.allows(purpose: $0) }
            ? nil : .purposeNotAllowed
    }
}

/// Bits of the key usage extension (RFC 5280 section 4.2.1.3). Bit 0 of the extension is the least
/// significant bit.
package enum KeyUsageBit {
    package static let digitalSignature: UInt16 = 1 << 0
    package static let nonRepudiation: UInt16 = 1 << 1
    package static let keyEncipherment: UInt16 = 1 << 2
    package static let dataEncipherment: UInt16 = 1 << 3
    package static let keyAgreement: UInt16 = 1 << 4
    package static let keyCertSign: UInt16 = 1 << 5
    package static let cRLSign: UInt16 = 1 << 6
    package static let encipherOnly: UInt16 = 1 << 7
    package static let decipherOnly: UInt16 = 1 << 8

    /// The bits that say what a key signs.
    package static let ofSignatures = digitalSignature | nonRepudiation | keyCertSign | cRLSign

    /// The other bits, with their names in RFC 5280.
    package static let ofEncryption: [(bit: UInt16, name: String)] = [
        (keyEncipherment, "keyEncipherment"), (dataEncipherment, "dataEncipherment"),
        (keyAgreement, "keyAgreement"), (encipherOnly, "encipherOnly"),
        (decipherOnly, "decipherOnly"),
    ]
}

extension SignatureAlgorithm {
    /// The scheme of the algorithm, for comparison with a policy's schemes; nil for an algorithm
    /// that the engine does not support.
    package var scheme: SignatureSchemeSet? {
        switch self {
        case .rsaPKCS1: return .rsaPKCS1
        case .rsaPSS: return .rsaPSS
        case .ecdsa: return .ecdsa
        case .ed25519: return .ed25519
        case .ed448: return .ed448
        case .mldsa: return .mldsa
        case .dsa: return .dsa
        case .unsupported: return nil
        }
    }

    /// The weaker one of the message hash and the mask hash; nil for a scheme with a fixed hash,
    /// and for an algorithm that the engine does not support.
    package var weakestHash: SignatureHash? {
        switch self {
        case .rsaPKCS1(let hash), .ecdsa(let hash), .dsa(let hash): return hash
        case .rsaPSS(let hash, let mask, _): return min(hash, mask)
        case .ed25519, .ed448, .mldsa, .unsupported: return nil
        }
    }

    /// The mask hash of RSA-PSS, where it alone is weaker than a minimum and the message hash is
    /// not; nil in every other case. The message hash protects messages: a weak mask hash does not
    /// lead to a second message with the same signature.
    package func weakMask(
        below minimum: SignatureHash
    ) -> (hash: SignatureHash, mask: SignatureHash)? {
        guard case .rsaPSS(let hash, let mask, _) = self, hash >= minimum, mask < minimum else {
            return nil
        }
        return (hash, mask)
    }

    /// The hash that is weaker than a minimum, in words: `sha1`, or `sha256 with MGF1 over sha1`;
    /// nil where no hash is.
    package func weakHashText(below minimum: SignatureHash) -> String? {
        if let weak = weakMask(below: minimum) {
            return "\(weak.hash.name) with MGF1 over \(weak.mask.name)"
        }
        guard let hash = weakestHash, hash < minimum else { return nil }
        return hash.name
    }
}

extension KeyPurposes {
    /// The content octets of the object identifier of each demanded purpose.
    package var identifiers: [[UInt8]] {
        var identifiers: [[UInt8]] = []
        if serverAuth { identifiers.append(ObjectIdentifier.serverAuth) }
        if clientAuth { identifiers.append(ObjectIdentifier.clientAuth) }
        return identifiers + others
    }

    /// Whether no purpose is demanded.
    package var isEmpty: Bool { !serverAuth && !clientAuth && others.isEmpty }

    /// Whether a condition holds for the content octets of the object identifier of at least one
    /// demanded purpose. Nothing is allocated.
    package func contains(where condition: ([UInt8]) -> Bool) -> Bool {
        (serverAuth && condition(ObjectIdentifier.serverAuth))
            || (clientAuth && condition(ObjectIdentifier.clientAuth))
            || others.contains(where: condition)
    }
}

extension Certificate {
    /// Whether the certificate demands a stapled OCSP response. It does so by the TLS feature
    /// status_request, which has the number 5 (RFC 7633 section 4.2.3.1). A TLS feature extension
    /// that cannot be read counts as the same demand.
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

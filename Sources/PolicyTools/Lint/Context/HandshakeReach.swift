import TrustEngine

/// Which handshakes a rule's demands on TLS leave possible.
enum HandshakeReach {
    /// The versions that a policy can accept, the oldest first.
    static let versions: [TLSVersion] = [.tls12, .tls13]

    /// A version as sentences name it.
    static func name(_ version: TLSVersion) -> String {
        "TLS \(version.name.dropFirst("tls".count))"
    }

    /// Why no handshake of a version meets the demands on version and forward secrecy; nil where
    /// one may. Of each version that the demands accept, some suite is listed (HW522).
    static func obstacle(to version: TLSVersion, _ tls: TLSRequirement) -> String? {
        let name = name(version)
        if version < tls.minimumVersion { return "`tls.minimum-version` refuses \(name)" }
        if version > tls.maximumVersion { return "`tls.maximum-version` refuses \(name)" }
        let isNewest = version == .tls13
        let suites = tls.cipherSuites.filter { CipherSuiteName.isOfTLS13($0) == isNewest }
        guard !isNewest, tls.requiresForwardSecrecy,
            !suites.contains(where: CipherSuiteName.isEphemeral)
        else { return nil }
        return "`tls.forward-secrecy` refuses each suite of \(name) in `tls.cipher-suites`"
    }

    /// Whether a server with a key of a type can sign a handshake by a scheme, by IANA's name. In
    /// TLS 1.3 a scheme for ECDSA names the curve of the key, and PKCS #1 signs no handshake (RFC
    /// 8446 section 4.2.3). In TLS 1.2 the curve is not bound (RFC 8422 section 5.10). ML-DSA signs
    /// in TLS 1.3 alone (IANA's registry "TLS SignatureScheme", draft-ietf-tls-mldsa section 3).
    static func signs(_ type: KeyType, by scheme: String, in version: TLSVersion) -> Bool {
        func isECDSA(_ curve: String) -> Bool {
            scheme.hasPrefix(version == .tls13 ? "ecdsa_\(curve)_" : "ecdsa_secp")
        }
        switch type {
        case .rsa:
            return scheme.hasPrefix("rsa_pss_")
                || (scheme.hasPrefix("rsa_pkcs1_") && version != .tls13)
        case .p256: return isECDSA("secp256r1")
        case .p384: return isECDSA("secp384r1")
        case .p521: return isECDSA("secp521r1")
        case .ed25519, .ed448: return scheme == type.name
        case .mldsa44, .mldsa65, .mldsa87: return scheme == type.name && version == .tls13
        case .dsa: return false
        }
    }

    /// Whether some server that meets the demands on its key and on the version can sign by a
    /// scheme.
    static func isUsable(_ scheme: String, under requirements: Requirements) -> Bool {
        isUsable(scheme, by: requirements.leafKeyTypes, under: requirements)
    }

    /// Whether a key of some types can make a signature of the scheme. A client that names no
    /// schemes for certificates wants the same schemes of them (RFC 8446 section 4.2.3), so for
    /// these every key of a path counts.
    static func isUsable(
        _ scheme: String, by types: KeyTypeSet, under requirements: Requirements
    ) -> Bool {
        let tls = requirements.tls
        return versions.contains { version in
            version >= tls.minimumVersion && version <= tls.maximumVersion
                && KeyType.allCases.contains {
                    types.contains(KeyTypeSet($0))
                        && signs($0, by: scheme, in: version)
                }
        }
    }
}

/// The key purposes of `path.key-purposes`.
package struct KeyPurposes: Hashable, Sendable {
    package var serverAuth: Bool
    package var clientAuth: Bool
    /// Content octets of each other purpose, sorted.
    package var others: [[UInt8]]

    package init(serverAuth: Bool = false, clientAuth: Bool = false, others: [[UInt8]] = []) {
        self.serverAuth = serverAuth
        self.clientAuth = clientAuth
        self.others = others
    }
}

/// A set of key types.
package struct KeyTypeSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Every type that a policy can allow.
    package static let all = KeyTypeSet(rawValue: 0b1_1111_1111)
    /// DSA, for parameters that runs of NIST's test suite make in memory. Tables neither write nor
    /// read it.
    package static let dsa = KeyTypeSet(.dsa)
    package init(_ type: KeyType) { self.init(rawValue: 1 << type.rawValue) }
    /// The names of the members, in the order of LANGUAGE section 8.
    package var names: [String] {
        KeyType.allCases.filter { contains(KeyTypeSet($0)) }.map(\.name)
    }
}

/// A set of signature schemes (`signatures.schemes`).
package struct SignatureSchemeSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let rsaPKCS1 = SignatureSchemeSet(rawValue: 1 << 0)
    package static let rsaPSS = SignatureSchemeSet(rawValue: 1 << 1)
    package static let ecdsa = SignatureSchemeSet(rawValue: 1 << 2)
    package static let ed25519 = SignatureSchemeSet(rawValue: 1 << 3)
    package static let ed448 = SignatureSchemeSet(rawValue: 1 << 4)
    package static let mldsa = SignatureSchemeSet(rawValue: 1 << 5)
    /// Every scheme that a policy can allow.
    package static let all = SignatureSchemeSet(rawValue: 0b11_1111)
    /// DSA, for parameters that runs of NIST's test suite make in memory. Tables neither write nor
    /// read it.
    package static let dsa = SignatureSchemeSet(rawValue: 1 << 7)
    /// Each scheme with its name, in the order of LANGUAGE section 8.
    package static let named: [(name: String, scheme: SignatureSchemeSet)] = [
        ("rsa-pkcs1", .rsaPKCS1), ("rsa-pss", .rsaPSS), ("ecdsa", .ecdsa), ("ed25519", .ed25519),
        ("ed448", .ed448), ("ml-dsa", .mldsa),
    ]
    /// The schemes by which a key of a type signs.
    package init(of type: KeyType) {
        switch type {
        case .rsa: self = [.rsaPKCS1, .rsaPSS]
        case .p256, .p384, .p521: self = .ecdsa
        case .ed25519: self = .ed25519
        case .ed448: self = .ed448
        case .mldsa44, .mldsa65, .mldsa87: self = .mldsa
        case .dsa: self = .dsa
        }
    }

    package var names: [String] {
        SignatureSchemeSet.named.filter { contains($0.scheme) }.map(\.name)
    }
}

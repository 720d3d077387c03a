import TrustEngine

/// The words that keys and signatures share, if the rule does not allow them.
extension SideReading {
    /// The fault of a certificate of the policy, for `ofRule`.
    static let ofKey = "has a key that the rule does not allow"
    static let ofSignature = "is signed in a way that the rule does not allow"
}

extension Reject {
    static func signedAgain(_ certificate: CertificateReference) -> Repair {
        Repair("have \(Words.name(certificate)) signed again, as the rule wants")
    }
}

extension PolicyChange {
    static let reportedKeys = PolicyChange(
        .reportOnly(.keys), cost: "every key passes that the baseline allows")
    static let reportedSignatures = PolicyChange(
        .reportOnly(.signatures), cost: "every signature passes that the baseline allows")
}

extension SignatureHash {
    /// Whether a hash with this name meets the baseline.
    static func isOfBaseline(_ name: String) -> Bool {
        [SignatureHash.sha256, .sha384, .sha512].contains { $0.name == name }
    }
}

/// Why a certificate was revoked (CRLReason, RFC 5280 section 5.3.1).
public enum RevocationReason: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case unspecified = 0
    case keyCompromise = 1
    case caCompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    /// The certificate is suspended. Only this reason can be undone.
    case certificateHold = 6
    /// In a delta CRL: the certificate was removed from the list.
    case removeFromCRL = 8
    case privilegeWithdrawn = 9
    case aaCompromise = 10

    /// The name in RFC 5280's ASN.1 module.
    public var name: String {
        switch self {
        case .unspecified: return "unspecified"
        case .keyCompromise: return "keyCompromise"
        case .caCompromise: return "cACompromise"
        case .affiliationChanged: return "affiliationChanged"
        case .superseded: return "superseded"
        case .cessationOfOperation: return "cessationOfOperation"
        case .certificateHold: return "certificateHold"
        case .removeFromCRL: return "removeFromCRL"
        case .privilegeWithdrawn: return "privilegeWithdrawn"
        case .aaCompromise: return "aACompromise"
        }
    }

    /// Reads the reason in an ENUMERATED. A number that the RFC does not define is an error,
    /// because its meaning is not known.
    static func read(_ element: DERElement, in bytes: Span<UInt8>) throws(DERError) -> Self {
        guard element.count == 1,
            let reason = RevocationReason(rawValue: bytes[element.contentStart])
        else { throw DERError(.badReason, at: element.start) }
        return reason
    }
}

/// The reasons that a CRL or a distribution point covers (ReasonFlags, RFC 5280 section 4.2.1.13),
/// bit 0 least significant.
package struct ReasonSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Every reason that has a bit: `all-reasons` of section 6.3.2(b). Bit 0 is not used.
    package static let all = ReasonSet(rawValue: 0b1_1111_1110)
}

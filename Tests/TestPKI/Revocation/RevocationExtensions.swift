public import TrustEngine

// Extensions of CRLs, of their entries, of OCSP responses, and of certificates where they speak of
// them.
extension TestExtension {
    // MARK: CRLs (RFC 5280 section 5.2)

    /// cRLNumber.
    public static func crlNumber(_ number: Int) -> Self { raw("2.5.29.20", DER.integer(number)) }

    /// deltaCRLIndicator, critical: the number of the CRL that the delta starts from.
    public static func deltaIndicator(base: Int) -> Self {
        raw("2.5.29.27", critical: true, DER.integer(base))
    }

    /// issuingDistributionPoint, critical.
    public static func issuingDistributionPoint(_ point: TestIssuingPoint) -> Self {
        raw("2.5.29.28", critical: true, point.der)
    }

    /// freshestCRL.
    public static func freshestCRL(_ points: [TestPoint]) -> Self {
        raw("2.5.29.46", DER.sequence(of: points.map(\.der)))
    }

    // MARK: Entries (section 5.3)

    /// reasonCode.
    public static func reasonCode(_ reason: RevocationReason) -> Self {
        reasonCode(number: reason.rawValue)
    }

    /// reasonCode with any number.
    public static func reasonCode(number: UInt8) -> Self {
        raw("2.5.29.21", DER.element(0x0a, [number]))
    }

    /// invalidityDate.
    public static func invalidityDate(_ date: UTCInstant) -> Self {
        raw("2.5.29.24", DER.generalizedTime(date))
    }

    /// certificateIssuer, critical.
    public static func certificateIssuer(_ name: TestName) -> Self {
        raw("2.5.29.29", critical: true, DER.sequence(TestGeneralName.directory(name).der))
    }

    /// holdInstructionCode.
    public static func holdInstruction(_ oid: String) -> Self { raw("2.5.29.23", DER.oid(oid)) }

    // MARK: Certificates

    /// cRLDistributionPoints of any form.
    public static func distributionPoints(_ points: [TestPoint]) -> Self {
        raw(OID.crlDistributionPoints, DER.sequence(of: points.map(\.der)))
    }

    /// id-pkix-ocsp-nocheck (RFC 6960 section 4.2.2.2.1).
    public static let ocspNoCheck = raw("1.3.6.1.5.5.7.48.1.5", DER.null)

    // MARK: OCSP

    /// The nonce of a response (RFC 8954).
    public static func ocspNonce(_ octets: [UInt8]) -> Self {
        raw("1.3.6.1.5.5.7.48.1.2", DER.octetString(octets))
    }
}

/// Reasons as ReasonFlags has them, bit 0 in the least significant place: 1 is keyCompromise.
public struct TestReasons: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16
    /// A set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// keyCompromise and cACompromise.
    public static let compromise = TestReasons(rawValue: 0b110)
    /// Every other reason.
    public static let others = TestReasons(rawValue: 0b1_1111_1000)
}

/// The name of a distribution point.
public enum TestPointName: Hashable, Sendable {
    case full([TestGeneralName])
    /// One attribute below the CRL issuer's name.
    case relative(TestName.Attribute)

    var der: [UInt8] {
        switch self {
        case .full(let names): return DER.context(0, DER.context(0, names.flatMap(\.der)))
        case .relative(let attribute):
            return DER.context(
                0, DER.context(1, DER.sequence(DER.oid(attribute.type), attribute.value)))
        }
    }
}

/// One of a certificate's distribution points (RFC 5280 section 4.2.1.13).
public struct TestPoint: Hashable, Sendable {
    /// Where the CRL is.
    public var name: TestPointName?
    /// The reasons it speaks for.
    public var reasons: TestReasons?
    /// Who signs it.
    public var issuer: [TestGeneralName]

    /// A point.
    public init(
        _ name: TestPointName? = nil, reasons: TestReasons? = nil, issuer: [TestGeneralName] = []
    ) {
        self.name = name
        self.reasons = reasons
        self.issuer = issuer
    }

    var der: [UInt8] {
        DER.sequence(
            name?.der ?? [],
            reasons.map { DER.contextPrimitive(1, DER.content(of: DER.namedBits($0.rawValue))) }
                ?? [],
            issuer.isEmpty ? [] : DER.context(2, issuer.flatMap(\.der)))
    }
}

/// What a CRL says of its own scope (RFC 5280 section 5.2.5).
public struct TestIssuingPoint: Hashable, Sendable {
    /// Its name.
    public var name: TestPointName?
    /// onlyContainsUserCerts.
    public var isForUsers = false
    /// onlyContainsCACerts.
    public var isForAuthorities = false
    /// onlySomeReasons.
    public var reasons: TestReasons?
    /// indirectCRL.
    public var isIndirect = false
    /// onlyContainsAttributeCerts.
    public var isForAttributes = false

    /// A scope of which a closure says something.
    public init(_ change: (inout TestIssuingPoint) -> Void) { change(&self) }

    var der: [UInt8] {
        func flag(_ number: UInt8, _ isSet: Bool) -> [UInt8] {
            isSet ? DER.contextPrimitive(number, [0xff]) : []
        }
        let reasons =
            reasons.map { DER.contextPrimitive(3, DER.content(of: DER.namedBits($0.rawValue))) }
            ?? []
        return DER.sequence(
            name?.der ?? [], flag(1, isForUsers), flag(2, isForAuthorities), reasons,
            flag(4, isIndirect), flag(5, isForAttributes))
    }
}

extension DER {
    /// The content of a short element.
    static func content(of element: [UInt8]) -> [UInt8] { Array(element.dropFirst(2)) }
}

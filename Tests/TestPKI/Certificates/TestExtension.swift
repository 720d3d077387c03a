/// A certificate extension (RFC 5280 section 4.2), well formed or anything else.
public struct TestExtension: Hashable, Sendable {
    /// The extension's object identifier, dotted.
    public var oid: String
    /// Whether it is marked critical.
    public var isCritical: Bool
    /// The octets inside the OCTET STRING.
    public var value: [UInt8]

    /// Any extension.
    public static func raw(_ oid: String, critical: Bool = false, _ value: [UInt8]) -> Self {
        TestExtension(oid: oid, isCritical: critical, value: value)
    }

    /// An extension nobody knows (under the example arc of RFC 5612).
    public static func unknown(critical: Bool) -> Self {
        raw("1.3.6.1.4.1.32473.1", critical: critical, DER.null)
    }

    /// Extension, DER: `critical` is left out when false.
    public var der: [UInt8] {
        DER.sequence(
            DER.oid(oid), isCritical ? DER.boolean(true) : [], DER.octetString(value))
    }

    /// The same extension, marked or not.
    public func critical(_ isCritical: Bool) -> Self {
        TestExtension.raw(oid, critical: isCritical, value)
    }

    // MARK: What a key may do

    /// basicConstraints, critical.
    public static func basicConstraints(ca: Bool, pathLength: Int? = nil) -> Self {
        let content = (ca ? DER.boolean(true) : []) + (pathLength.map { DER.integer($0) } ?? [])
        return raw(OID.basicConstraints, critical: true, DER.element(0x30, content))
    }

    /// The bits of keyUsage, bit 0 in the least significant place.
    public struct KeyUsage: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt16
        /// A set from its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// digitalSignature, bit 0.
        public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
        /// nonRepudiation, bit 1.
        public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
        /// keyEncipherment, bit 2.
        public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
        /// dataEncipherment, bit 3.
        public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
        /// keyAgreement, bit 4.
        public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
        /// keyCertSign, bit 5.
        public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
        /// cRLSign, bit 6.
        public static let cRLSign = KeyUsage(rawValue: 1 << 6)
    }

    /// keyUsage, critical.
    public static func keyUsage(_ bits: KeyUsage) -> Self {
        raw(OID.keyUsage, critical: true, DER.namedBits(bits.rawValue))
    }

    /// extendedKeyUsage: key purposes in dotted text, see `OID`.
    public static func extendedKeyUsage(_ purposes: [String]) -> Self {
        raw(OID.extendedKeyUsage, DER.sequence(of: purposes.map(DER.oid)))
    }

    // MARK: Names

    /// subjectAltName.
    public static func subjectAltName(_ names: [TestGeneralName]) -> Self {
        raw(OID.subjectAltName, DER.sequence(of: names.map(\.der)))
    }

    /// nameConstraints.
    public static func nameConstraints(
        permitted: [TestGeneralName] = [], excluded: [TestGeneralName] = [], critical: Bool = true
    ) -> Self {
        func subtrees(_ number: UInt8, _ names: [TestGeneralName]) -> [UInt8] {
            names.isEmpty
                ? [] : DER.context(number, names.flatMap { DER.sequence($0.der) })
        }
        return raw(
            OID.nameConstraints, critical: critical,
            DER.sequence(subtrees(0, permitted), subtrees(1, excluded)))
    }

    // MARK: Certificate policies

    /// certificatePolicies without qualifiers.
    public static func certificatePolicies(_ oids: [String]) -> Self {
        raw(OID.certificatePolicies, DER.sequence(of: oids.map { DER.sequence(DER.oid($0)) }))
    }

    /// policyMappings, critical: pairs of issuer and subject domain.
    public static func policyMappings(_ pairs: [(issuer: String, subject: String)]) -> Self {
        raw(
            OID.policyMappings, critical: true,
            DER.sequence(
                of: pairs.map { DER.sequence(DER.oid($0.issuer), DER.oid($0.subject)) }))
    }

    /// policyConstraints, critical.
    public static func policyConstraints(
        requireExplicit: Int? = nil, inhibitMapping: Int? = nil
    ) -> Self {
        func skip(_ number: UInt8, _ count: Int?) -> [UInt8] {
            count.map { DER.contextPrimitive(number, Array(DER.integer($0).dropFirst(2))) } ?? []
        }
        return raw(
            OID.policyConstraints, critical: true,
            DER.sequence(skip(0, requireExplicit), skip(1, inhibitMapping)))
    }

    /// inhibitAnyPolicy, critical.
    public static func inhibitAnyPolicy(_ skip: Int) -> Self {
        raw(OID.inhibitAnyPolicy, critical: true, DER.integer(skip))
    }

    // MARK: Where to find things

    /// subjectKeyIdentifier.
    public static func subjectKeyIdentifier(_ identifier: [UInt8]) -> Self {
        raw(OID.subjectKeyIdentifier, DER.octetString(identifier))
    }

    /// authorityKeyIdentifier with only the key identifier.
    public static func authorityKeyIdentifier(_ identifier: [UInt8]) -> Self {
        raw(OID.authorityKeyIdentifier, DER.sequence(DER.contextPrimitive(0, identifier)))
    }

    /// authorityKeyIdentifier that names the issuer of the issuer's certificate and that
    /// certificate's serial number, beside a key identifier or without one.
    public static func authorityKeyIdentifier(
        _ identifier: [UInt8]?, issuer: TestName, serial: [UInt8]
    ) -> Self {
        raw(
            OID.authorityKeyIdentifier,
            DER.sequence(
                identifier.map { DER.contextPrimitive(0, $0) } ?? [],
                DER.context(1, TestGeneralName.directory(issuer).der),
                DER.contextPrimitive(2, Array(DER.integer(unsigned: serial).dropFirst(2)))))
    }

    /// cRLDistributionPoints: one point for each URI.
    public static func crlDistributionPoints(_ uris: [String]) -> Self {
        raw(
            OID.crlDistributionPoints,
            DER.sequence(
                of: uris.map {
                    DER.sequence(DER.context(0, DER.context(0, TestGeneralName.uri($0).der)))
                }))
    }

    /// authorityInfoAccess.
    public static func authorityInfoAccess(ocsp: [String] = [], issuers: [String] = []) -> Self {
        let methods =
            ocsp.map { ("1.3.6.1.5.5.7.48.1", $0) } + issuers.map { ("1.3.6.1.5.5.7.48.2", $0) }
        return raw(
            OID.authorityInfoAccess,
            DER.sequence(
                of: methods.map { DER.sequence(DER.oid($0.0), TestGeneralName.uri($0.1).der) }))
    }

    /// TLS feature (RFC 7633); 5 is must-staple.
    public static func tlsFeatures(_ features: [Int]) -> Self {
        raw(OID.tlsFeature, DER.sequence(of: features.map(DER.integer)))
    }

    /// The embedded SCT list (RFC 6962 section 3.3): the octets of the TLS structure.
    public static func sctList(_ list: [UInt8]) -> Self {
        raw(OID.sctList, DER.octetString(list))
    }

    /// The poison of a precertificate (RFC 6962 section 3.1), critical.
    public static let preCertificatePoison = raw(
        "1.3.6.1.4.1.11129.2.4.3", critical: true, DER.null)
}

/// Object identifiers that tests name.
public enum OID {
    /// RFC 5280 section 4.2.1.2.
    public static let subjectKeyIdentifier = "2.5.29.14"
    /// RFC 5280 section 4.2.1.3.
    public static let keyUsage = "2.5.29.15"
    /// RFC 5280 section 4.2.1.6.
    public static let subjectAltName = "2.5.29.17"
    /// RFC 5280 section 4.2.1.9.
    public static let basicConstraints = "2.5.29.19"
    /// RFC 5280 section 4.2.1.10.
    public static let nameConstraints = "2.5.29.30"
    /// RFC 5280 section 4.2.1.13.
    public static let crlDistributionPoints = "2.5.29.31"
    /// RFC 5280 section 4.2.1.4.
    public static let certificatePolicies = "2.5.29.32"
    /// RFC 5280 section 4.2.1.4.
    public static let anyPolicy = "2.5.29.32.0"
    /// RFC 5280 section 4.2.1.5.
    public static let policyMappings = "2.5.29.33"
    /// RFC 5280 section 4.2.1.1.
    public static let authorityKeyIdentifier = "2.5.29.35"
    /// RFC 5280 section 4.2.1.11.
    public static let policyConstraints = "2.5.29.36"
    /// RFC 5280 section 4.2.1.12.
    public static let extendedKeyUsage = "2.5.29.37"
    /// RFC 5280 section 4.2.1.12.
    public static let anyExtendedKeyUsage = "2.5.29.37.0"
    /// RFC 5280 section 4.2.1.14.
    public static let inhibitAnyPolicy = "2.5.29.54"
    /// RFC 5280 section 4.2.2.1.
    public static let authorityInfoAccess = "1.3.6.1.5.5.7.1.1"
    /// RFC 7633.
    public static let tlsFeature = "1.3.6.1.5.5.7.1.24"
    /// RFC 6962 section 3.3.
    public static let sctList = "1.3.6.1.4.1.11129.2.4.2"
    /// RFC 5280 section 4.2.1.12.
    public static let serverAuth = "1.3.6.1.5.5.7.3.1"
    /// RFC 5280 section 4.2.1.12.
    public static let clientAuth = "1.3.6.1.5.5.7.3.2"
    /// RFC 5280 section 4.2.1.12.
    public static let codeSigning = "1.3.6.1.5.5.7.3.3"
    /// RFC 6960 section 4.2.2.2.
    public static let ocspSigning = "1.3.6.1.5.5.7.3.9"
}

public import TrustEngine

/// Everything a signed certificate timestamp says (RFC 6962 section 3.2), open to change.
public struct TestTimestamp: Hashable, Sendable {
    /// Whose it is: names and signs it.
    public var log: TestLog
    /// Milliseconds since 1970.
    public var milliseconds: UInt64
    /// sct_version, encoded.
    public var version: UInt8 = 0
    /// The log's id, when it shall not be the true one.
    public var rawID: [UInt8]?
    /// CtExtensions without their length.
    public var extensions: [UInt8] = []
    /// HashAlgorithm; 4 is SHA-256.
    public var hash: UInt8 = 4
    /// SignatureAlgorithm; nil is the key's.
    public var signatureCode: UInt8?
    /// What becomes of the signature at the end.
    public var damage = SignatureDamage.none
    /// Octets behind the signature, which do not belong there.
    public var trailing: [UInt8] = []

    /// A good timestamp of a log.
    public init(log: TestLog, time: UTCInstant) {
        self.log = log
        self.milliseconds = UInt64(time.secondsSinceEpoch) * 1_000
    }

    /// SignedCertificateTimestamp over an entry: LogEntryType with what follows it.
    public func serialized(over entry: [UInt8]) -> [UInt8] {
        let signed =
            [version, 0] + TLSWriter.number(milliseconds, octets: 8) + entry
            + TLSWriter.vector(extensions)
        let signature: TestSignature
        let code: UInt8
        if case .rsa = log.key.kind {
            (signature, code) = (.rsaPKCS1(.sha256), 1)
        } else {
            (signature, code) = (log.key.defaultSignature, 3)
        }
        return [version] + (rawID ?? log.key.spkiSHA256) + TLSWriter.number(milliseconds, octets: 8)
            + TLSWriter.vector(extensions) + [hash, signatureCode ?? code]
            + TLSWriter.vector(damage.sign(signed, log.key, signature)) + trailing
    }

    /// SignedCertificateTimestampList of the TLS extension or an OCSP response: over the
    /// certificate as it is.
    public static func list(_ timestamps: [TestTimestamp], over certificate: Minted) -> [UInt8] {
        let entry = [0, 0] + TLSWriter.vector(certificate.der, lengthOctets: 3)
        return TLSWriter.list(timestamps.map { $0.serialized(over: entry) })
    }
}

/// Writes TLS's presentation language (RFC 5246 section 4).
public enum TLSWriter {
    /// A number, big-endian.
    public static func number(_ value: UInt64, octets count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// A vector with its length before it.
    public static func vector(_ content: [UInt8], lengthOctets: Int = 2) -> [UInt8] {
        number(UInt64(content.count), octets: lengthOctets) + content
    }

    /// A SignedCertificateTimestampList of finished timestamps.
    public static func list(_ timestamps: [[UInt8]]) -> [UInt8] {
        vector(timestamps.flatMap { vector($0) })
    }
}

extension CertificateRecipe {
    /// Has logs take the pre-certificate, and embeds their timestamps. The logs did not see later
    /// changes.
    public mutating func embed(_ timestamps: [TestTimestamp], issuedBy issuer: TestKey) {
        let entry =
            [0, 1] + issuer.spkiSHA256
            + TLSWriter.vector(
                toBeSigned(with: signature ?? issuer.defaultSignature), lengthOctets: 3)
        extensions.append(.sctList(TLSWriter.list(timestamps.map { $0.serialized(over: entry) })))
    }
}

extension TestExtension {
    /// The SCT list of a single response (RFC 6962 section 3.3).
    public static func ocspSCTList(_ list: [UInt8]) -> Self {
        raw("1.3.6.1.4.1.11129.2.4.5", DER.octetString(list))
    }
}

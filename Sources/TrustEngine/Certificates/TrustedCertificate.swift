/// A certificate with the uses that OpenSSL's user trusts it for: what `openssl x509 -trustout`
/// writes, with the label `TRUSTED CERTIFICATE`.
///
/// Behind the certificate stands OpenSSL's `X509_CERT_AUX` (crypto/x509/x_x509a.c), which may be
/// missing. All its fields are optional:
///
///     SEQUENCE {
///       trust   SEQUENCE OF OBJECT IDENTIFIER,
///       reject  [0] IMPLICIT SEQUENCE OF OBJECT IDENTIFIER,
///       alias   UTF8String,
///       keyid   OCTET STRING,
///       other   [1] IMPLICIT SEQUENCE OF AlgorithmIdentifier }
package struct TrustedCertificate: Sendable {
    /// The label of its PEM block.
    package static let label = "TRUSTED CERTIFICATE"
    /// The DER of the certificate, without the uses.
    package let certificate: [UInt8]
    /// The uses behind the certificate.
    package let uses: TrustedUses

    /// Reads the octets of a block. Cost: linear in the octets.
    ///
    /// - Throws: `DERError` where the octets are not of this form. The certificate itself is not
    ///   read.
    package init(der: [UInt8]) throws(DERError) {
        let bytes = der.span
        var reader = DERReader(bytes)
        certificate = bytes.copied(try reader.next(.sequence, in: bytes).whole)
        let fields = try reader.nextIfPresent(.sequence, in: bytes)
        try reader.finish()
        guard let fields else {
            uses = TrustedUses()
            return
        }
        uses = try TrustedUses(fields, in: bytes)
    }
}

/// The uses that a certificate is trusted for, and those that it is not to be trusted for.
package struct TrustedUses: Hashable, Sendable {
    /// Content octets of the object identifiers under `trust`, in the order of the file; nil where
    /// the field is missing, which limits nothing.
    package private(set) var trusted: [[UInt8]]? = nil
    /// Content octets of the object identifiers under `reject`, in the order of the file.
    package private(set) var rejected: [[UInt8]] = []

    /// The most uses that are read of one field.
    private static let mostUses = 64

    fileprivate init() {}

    fileprivate init(_ element: DERElement, in bytes: Span<UInt8>) throws(DERError) {
        var fields = element.reader
        if let list = try fields.nextIfPresent(.sequence, in: bytes) {
            trusted = try TrustedUses.identifiers(list, in: bytes)
        }
        if let list = try fields.nextIfPresent(.constructed(0), in: bytes) {
            rejected = try TrustedUses.identifiers(list, in: bytes)
        }
        _ = try fields.nextIfPresent(.utf8String, in: bytes)
        _ = try fields.nextIfPresent(.octetString, in: bytes)
        _ = try fields.nextIfPresent(.constructed(1), in: bytes)
        try fields.finish()
    }

    private static func identifiers(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> [[UInt8]] {
        var reader = element.reader
        var identifiers: [[UInt8]] = []
        while !reader.isAtEnd {
            let identifier = try reader.next(.objectIdentifier, in: bytes)
            guard identifiers.count < mostUses else {
                throw DERError(.trailingOctets, at: identifier.start)
            }
            identifiers.append(bytes.copied(identifier.content))
        }
        return identifiers
    }

    /// Whether the certificate is trusted for a use, as OpenSSL judges it (`obj_trust` in
    /// crypto/x509/x509_trust.c): `reject` names neither the use nor any use, and `trust` is
    /// missing or names the use or any use.
    ///
    /// - Parameter use: content octets of the use's object identifier.
    package func allow(_ use: [UInt8]) -> Bool {
        !reject(use) && (trusted.map { TrustedUses.names(use, in: $0) } ?? true)
    }

    /// Whether `reject` names a use, or any use.
    package func reject(_ use: [UInt8]) -> Bool { TrustedUses.names(use, in: rejected) }

    /// Whether a path of a TLS server's certificate may end at the certificate.
    package var allowServers: Bool { allow(ObjectIdentifier.serverAuth) }

    /// Whether `reject` names TLS servers, or any use. OpenSSL then rejects every chain of a server
    /// that the certificate stands in.
    package var rejectServers: Bool { reject(ObjectIdentifier.serverAuth) }

    /// Whether the certificate is trusted for every use.
    package var limitNothing: Bool {
        rejected.isEmpty && (trusted?.contains(ObjectIdentifier.anyExtendedKeyUsage) ?? true)
    }

    /// RFC 5280's names of the uses under `trust`, or dotted identifiers.
    package var trustedNames: [String] {
        (trusted ?? []).map { ObjectIdentifier.purposeName($0.span) }
    }

    private static func names(_ use: [UInt8], in uses: [[UInt8]]) -> Bool {
        uses.contains(use) || uses.contains(ObjectIdentifier.anyExtendedKeyUsage)
    }
}

/// A request for the status of one certificate (RFC 6960 section 4.1), unsigned.
package struct OCSPRequest: Hashable, Sendable {
    /// The hash in the request that names the issuer.
    package enum NameHash: Hashable, Sendable, BitwiseCopyable {
        /// SHA-1, which RFC 5019 section 2.1.1 demands and every responder supports.
        case sha1
        /// SHA-256, for responders that are known to support it (RFC 6960 section 4.3).
        case sha256
    }

    /// The request, DER.
    package let der: [UInt8]

    /// Makes a request about a certificate of an issuer.
    ///
    /// - Parameter nonce: 1 to 32 octets (RFC 8954 section 2.1) that the response must repeat; the
    ///   caller compares them. Without a nonce, as RFC 5019 section 2.1.1 asks, responders and
    ///   caches may answer with a response that was made before.
    /// - Returns: nil when the nonce has another length, or the backend does not have the hash.
    package init?(
        about certificate: Certificate, issuer: Certificate, hash: NameHash = .sha1,
        nonce: [UInt8]? = nil, crypto: some CryptoBackend
    ) {
        func hashed(_ octets: Span<UInt8>) -> [UInt8]? {
            switch hash {
            case .sha1: return crypto.identifierSHA1(of: octets)?.octets
            case .sha256: return crypto.digest(.sha256, of: octets).bytes
            }
        }
        let name = certificate.der.span.extracting(certificate.layout.issuer.indices)
        let key = issuer.der.span.extracting(issuer.keyBits.indices)
        guard let nameHash = hashed(name), let keyHash = hashed(key) else { return nil }
        typealias Tag = DERTag
        let identifier = Tag.sequence.element(
            Tag.sequence.element(
                Tag.objectIdentifier.element(hash.identifier) + Tag.null.element([])),
            Tag.octetString.element(nameHash), Tag.octetString.element(keyHash),
            Tag.integer.element(certificate.serialBytes))
        var extensions: [UInt8] = []
        if let nonce {
            guard (1...32).contains(nonce.count) else { return nil }
            extensions = Tag.constructed(2).element(
                Tag.sequence.element(
                    Tag.sequence.element(
                        Tag.objectIdentifier.element(OCSPRequest.nonceIdentifier),
                        Tag.octetString.element(Tag.octetString.element(nonce)))))
        }
        // A TBSRequest: a list with one Request, which holds a CertID.
        self.der = Tag.sequence.element(
            Tag.sequence.element(
                Tag.sequence.element(Tag.sequence.element(identifier)), extensions))
    }

    /// Content octets of id-pkix-ocsp-nonce.
    private static let nonceIdentifier: [UInt8] = [
        0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x02,
    ]
}

extension OCSPRequest.NameHash {
    /// Content octets of the hash algorithm's identifier.
    fileprivate var identifier: [UInt8] {
        switch self {
        case .sha1: return [0x2B, 0x0E, 0x03, 0x02, 0x1A]
        case .sha256: return [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        }
    }
}

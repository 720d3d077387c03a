extension KeyMatch {
    /// The match as policies write it: `sha256/BASE64` for a key (RFC 7469 section 2.4, with
    /// padding), `sha256:HEX` for a certificate.
    package var text: String {
        switch kind {
        case .spki: return "\(digest.algorithm.name)/\(Base64.encode(digest.bytes))"
        case .certificate: return digest.text
        }
    }
}

extension Digest {
    /// The digest as `sha256:HEX` in lower case.
    public var text: String { "\(algorithm.name):\(hex)" }

    /// The octets of the digest in lower-case hexadecimal.
    public var hex: String { Hexadecimal.encode(bytes) }
}

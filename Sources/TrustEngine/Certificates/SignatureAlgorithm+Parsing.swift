extension SignatureAlgorithm {
    /// Reads an AlgorithmIdentifier. `bytes` holds it with tag and length.
    ///
    /// Parameters: RSA PKCS #1 may have NULL or none (RFC 4055 section 5 asks for NULL;
    /// certificates in use have either). PSS has the structure of RFC 4055 section 3.1, whose
    /// defaults are SHA-1, MGF1 with SHA-1, 20 octets of salt and trailer 1. ECDSA, DSA, EdDSA
    /// and ML-DSA have none (RFC 5758 section 3, RFC 8410 section 3, RFC 9881 section 2). Any other
    /// identifier or parameters give `.unsupported`.
    package static func parse(algorithmIdentifier bytes: Span<UInt8>) -> SignatureAlgorithm {
        do {
            var outer = DERReader(bytes)
            let sequence = try outer.next(.sequence, in: bytes)
            try outer.finish()
            var reader = sequence.reader
            let identifier = try reader.next(.objectIdentifier, in: bytes)
            let hasNoParameters = reader.isAtEnd
            switch ObjectIdentifier.code(identifier.content, in: bytes) {
            case ObjectIdentifier.rsaPSS:
                return try parsePSS(&reader, bytes)
            case ObjectIdentifier.ed25519:
                return hasNoParameters ? .ed25519 : .unsupported
            case ObjectIdentifier.ed448:
                return hasNoParameters ? .ed448 : .unsupported
            case ObjectIdentifier.mldsa44:
                return hasNoParameters ? .mldsa(.mldsa44) : .unsupported
            case ObjectIdentifier.mldsa65:
                return hasNoParameters ? .mldsa(.mldsa65) : .unsupported
            case ObjectIdentifier.mldsa87:
                return hasNoParameters ? .mldsa(.mldsa87) : .unsupported
            case ObjectIdentifier.ecdsaWithSHA1:
                return hasNoParameters ? .ecdsa(.sha1) : .unsupported
            case ObjectIdentifier.ecdsaWithSHA224:
                return hasNoParameters ? .ecdsa(.other) : .unsupported
            case ObjectIdentifier.ecdsaWithSHA256:
                return hasNoParameters ? .ecdsa(.sha256) : .unsupported
            case ObjectIdentifier.ecdsaWithSHA384:
                return hasNoParameters ? .ecdsa(.sha384) : .unsupported
            case ObjectIdentifier.ecdsaWithSHA512:
                return hasNoParameters ? .ecdsa(.sha512) : .unsupported
            case ObjectIdentifier.dsaWithSHA1:
                return hasNoParameters ? .dsa(.sha1) : .unsupported
            case ObjectIdentifier.dsaWithSHA256:
                return hasNoParameters ? .dsa(.sha256) : .unsupported
            case let code:
                guard let hash = rsaHash(code) else { return .unsupported }
                if !hasNoParameters {
                    try reader.next(in: bytes).checkNull()
                    try reader.finish()
                }
                return .rsaPKCS1(hash)
            }
        } catch {
            return .unsupported
        }
    }

    private static func rsaHash(_ code: UInt128) -> SignatureHash? {
        switch code {
        case ObjectIdentifier.sha256WithRSA: return .sha256
        case ObjectIdentifier.sha384WithRSA: return .sha384
        case ObjectIdentifier.sha512WithRSA: return .sha512
        case ObjectIdentifier.sha1WithRSA, ObjectIdentifier.sha1WithRSASignature: return .sha1
        case ObjectIdentifier.md2WithRSA, ObjectIdentifier.md5WithRSA,
            ObjectIdentifier.sha224WithRSA, ObjectIdentifier.sha512t224WithRSA,
            ObjectIdentifier.sha512t256WithRSA:
            return .other
        default: return nil
        }
    }

    /// Reads RSASSA-PSS-params (RFC 4055 section 3.1). Absent parameters do not stand for the
    /// defaults: a signature must have parameters.
    private static func parsePSS(
        _ reader: inout DERReader, _ bytes: Span<UInt8>
    ) throws(DERError) -> SignatureAlgorithm {
        let parameters = try reader.next(.sequence, in: bytes)
        try reader.finish()
        guard let read = try pssParameters(parameters, in: bytes) else { return .unsupported }
        return .rsaPSS(hash: read.hash, mgfHash: read.mgfHash, saltLength: read.saltLength)
    }

    /// Reads the SEQUENCE of RSASSA-PSS-params (RFC 4055 section 3.1), of a signature or of a key.
    /// Nil where the mask generation function is not MGF1 or the trailer field is not 1.
    static func pssParameters(
        _ sequence: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> PublicKey.PSSParameters? {
        var fields = sequence.reader
        var hash = SignatureHash.sha1
        var mgfHash = SignatureHash.sha1
        var saltLength: Int32 = 20
        if let element = try fields.nextIfPresent(.constructed(0), in: bytes) {
            var inner = element.reader
            hash = try parseHash(&inner, bytes)
            try inner.finish()
        }
        if let element = try fields.nextIfPresent(.constructed(1), in: bytes) {
            var inner = element.reader
            var generator = try inner.next(.sequence, in: bytes).reader
            try inner.finish()
            let identifier = try generator.next(.objectIdentifier, in: bytes)
            guard
                ObjectIdentifier.code(identifier.content, in: bytes)
                    == ObjectIdentifier.maskGenerationFunction1
            else { return nil }
            mgfHash = try parseHash(&generator, bytes)
            try generator.finish()
        }
        if let element = try fields.nextIfPresent(.constructed(2), in: bytes) {
            var inner = element.reader
            saltLength = try inner.next(.integer, in: bytes).nonNegativeInteger(in: bytes)
            try inner.finish()
        }
        if let element = try fields.nextIfPresent(.constructed(3), in: bytes) {
            var inner = element.reader
            guard try inner.next(.integer, in: bytes).nonNegativeInteger(in: bytes) == 1 else {
                return nil
            }
            try inner.finish()
        }
        try fields.finish()
        return PublicKey.PSSParameters(hash: hash, mgfHash: mgfHash, saltLength: saltLength)
    }

    /// Reads a hash's AlgorithmIdentifier, whose parameters are NULL or absent (RFC 4055 section
    /// 2.1).
    private static func parseHash(
        _ reader: inout DERReader, _ bytes: Span<UInt8>
    ) throws(DERError) -> SignatureHash {
        var inner = try reader.next(.sequence, in: bytes).reader
        let identifier = try inner.next(.objectIdentifier, in: bytes)
        if !inner.isAtEnd {
            try inner.next(in: bytes).checkNull()
            try inner.finish()
        }
        switch ObjectIdentifier.code(identifier.content, in: bytes) {
        case ObjectIdentifier.sha1: return .sha1
        case ObjectIdentifier.sha256: return .sha256
        case ObjectIdentifier.sha384: return .sha384
        case ObjectIdentifier.sha512: return .sha512
        default: return .other
        }
    }
}

/// The outer form of an ECDSA signature: `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 section
/// 2.2.3).
package enum ECDSASignature {
    /// Whether a signature is this structure in strict DER (`scalars`).
    ///
    /// libcrypto checks the encoding too. This check comes first, so that the answer does not
    /// depend on the library or on how strict its installed version is.
    static func isStrict(_ signature: Span<UInt8>, scalarBytes: Int) -> Bool {
        scalars(in: signature, scalarBytes: scalarBytes) != nil
    }

    /// Where the octets of r and s stand in a signature, big-endian and at most one zero octet
    /// before them. Nil when the signature is not this structure in strict DER: shortest lengths,
    /// shortest integers, both integers above zero and no longer than the group order
    /// (`scalarBytes` octets), no octet left over.
    package static func scalars(
        in signature: Span<UInt8>, scalarBytes: Int
    ) -> (r: Range<Int>, s: Range<Int>)? {
        guard let body = content(of: 0x30, in: signature, from: 0, to: signature.count),
            body.upperBound == signature.count,
            let r = scalar(in: signature, body, scalarBytes),
            let s = scalar(in: signature, r.upperBound..<body.upperBound, scalarBytes),
            s.upperBound == body.upperBound
        else { return nil }
        return (r, s)
    }

    /// The content of a positive INTEGER in its shortest form at the start of a range; nil for
    /// other octets.
    private static func scalar(
        in signature: Span<UInt8>, _ range: Range<Int>, _ scalarBytes: Int
    ) -> Range<Int>? {
        guard
            let content = content(
                of: 0x02, in: signature, from: range.lowerBound, to: range.upperBound),
            !content.isEmpty
        else { return nil }
        let first = signature[content.lowerBound]
        guard first < 0x80 else { return nil }
        if first == 0 {
            // A leading zero octet must be needed for the sign. Alone it is the number zero, which
            // is refused.
            guard content.count > 1, signature[content.lowerBound + 1] >= 0x80,
                content.count <= scalarBytes + 1
            else { return nil }
        } else if content.count > scalarBytes {
            return nil
        }
        return content
    }

    /// The content of an element with this tag at `start`; nil when its length is not DER or does
    /// not fit.
    private static func content(
        of tag: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int
    ) -> Range<Int>? {
        guard end - start >= 2, bytes[start] == tag else { return nil }
        var count = Int(bytes[start + 1])
        var first = start + 2
        if count >= 0x80 {
            // The longest signature is P-521's. Its length takes one octet.
            guard count == 0x81, end - start >= 3 else { return nil }
            count = Int(bytes[start + 2])
            guard count >= 0x80 else { return nil }
            first += 1
        }
        guard count <= end - first else { return nil }
        return first..<first + count
    }
}

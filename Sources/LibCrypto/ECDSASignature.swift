/// The outer form of an ECDSA signature: `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 section 2.2.3).
enum ECDSASignature {
    /// Whether a signature is that structure in DER and nothing else: shortest lengths, shortest
    /// integers, both above zero and no longer than the group order, no octet left over.
    ///
    /// libcrypto re-encodes and compares too; asking first keeps its answer from depending on how
    /// strict the version at hand is.
    static func isStrict(_ signature: Span<UInt8>, scalarBytes: Int) -> Bool {
        guard let body = content(of: 0x30, in: signature, from: 0, to: signature.count),
            body.upperBound == signature.count,
            let r = scalar(in: signature, body, scalarBytes),
            let s = scalar(in: signature, r.upperBound..<body.upperBound, scalarBytes)
        else { return false }
        return s.upperBound == body.upperBound
    }

    /// The content of a positive INTEGER in its shortest form at the start of a range.
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
            // A leading zero must be needed; alone it is the number zero.
            guard content.count > 1, signature[content.lowerBound + 1] >= 0x80,
                content.count <= scalarBytes + 1
            else { return nil }
        } else if content.count > scalarBytes {
            return nil
        }
        return content
    }

    /// The content of an element with a given tag at `start`, when its length is DER and fits.
    private static func content(
        of tag: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int
    ) -> Range<Int>? {
        guard end - start >= 2, bytes[start] == tag else { return nil }
        var count = Int(bytes[start + 1])
        var first = start + 2
        if count >= 0x80 {
            // The longest signature, P-521's, takes one octet of length.
            guard count == 0x81, end - start >= 3 else { return nil }
            count = Int(bytes[start + 2])
            guard count >= 0x80 else { return nil }
            first += 1
        }
        guard count <= end - first else { return nil }
        return first..<first + count
    }
}

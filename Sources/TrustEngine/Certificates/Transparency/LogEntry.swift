/// The object that a log signs (RFC 6962 section 3.2).
package enum LogEntry: Hashable, Sendable {
    /// The certificate as DER. Timestamps beside a certificate cover it.
    case certificate([UInt8])
    /// The pre-certificate that a certificate was made from: the SHA-256 of its issuer's key, and
    /// the TBSCertificate without the timestamps. Embedded timestamps cover it.
    case preCertificate(issuerKey: Digest, tbs: [UInt8])

    /// The octets that a timestamp's signature covers.
    package func signedOctets(
        _ timestamp: SignedCertificateTimestamp, of list: TimestampList
    ) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(64 + count + Int(timestamp.extensions.count))
        // sct_version v1, signature_type certificate_timestamp.
        octets += [0, 0]
        append(timestamp.timestamp, octets: 8, to: &octets)
        switch self {
        case .certificate(let der):
            append(0, octets: 2, to: &octets)
            append(UInt64(der.count), octets: 3, to: &octets)
            octets += der
        case .preCertificate(let issuerKey, let tbs):
            append(1, octets: 2, to: &octets)
            octets += issuerKey.bytes
            append(UInt64(tbs.count), octets: 3, to: &octets)
            octets += tbs
        }
        append(UInt64(timestamp.extensions.count), octets: 2, to: &octets)
        octets += list.octets[timestamp.extensions.indices]
        return octets
    }

    /// Octets of the certificate or the TBSCertificate.
    package var count: Int {
        switch self {
        case .certificate(let der): return der.count
        case .preCertificate(_, let tbs): return tbs.count
        }
    }

    private func append(_ value: UInt64, octets count: Int, to octets: inout [UInt8]) {
        for shift in (0..<count).reversed() {
            octets.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * shift)))
        }
    }
}

extension Certificate {
    /// The TBSCertificate of the pre-certificate that this certificate was made from. The extension
    /// with the timestamps and the poison are removed, and the lengths around them are written
    /// anew; every other octet stays. Extensions that become empty are removed.
    ///
    /// Cost: linear in the certificate, one pass and a copy.
    package var preCertificateTBS: [UInt8] {
        let bytes = der.span
        var content: [UInt8] = []
        content.reserveCapacity(Int(layout.tbs.count))
        // INVARIANT (read as a certificate): octets that were parsed once parse again, so nothing
        // is lost.
        var outer = DERReader(layout.tbs)
        guard var fields = try? outer.next(.sequence, in: bytes).reader else { return [] }
        while let field = try? fields.next(in: bytes) {
            guard field.tag == .constructed(3) else {
                content += der[field.whole.indices]
                continue
            }
            let kept = keptExtensions(in: field)
            guard !kept.isEmpty else { continue }
            content += DERLength.element(
                .constructed(3), DERLength.element(.sequence, kept))
        }
        return DERLength.element(.sequence, content)
    }

    private func keptExtensions(in wrapper: DERElement) -> [UInt8] {
        let bytes = der.span
        var kept: [UInt8] = []
        var inner = wrapper.reader
        guard var list = try? inner.next(.sequence, in: bytes).reader else { return [] }
        while let item = try? list.next(.sequence, in: bytes) {
            var fields = item.reader
            guard let identifier = try? fields.next(.objectIdentifier, in: bytes) else { return [] }
            switch ObjectIdentifier.code(identifier.content, in: bytes) {
            case ObjectIdentifier.signedCertificateTimestamps,
                ObjectIdentifier.preCertificatePoison:
                continue
            default: kept += der[item.whole.indices]
            }
        }
        return kept
    }
}

/// Writes the lengths of DER anew. No other code of the engine does that.
private enum DERLength {
    static func element(_ tag: DERTag, _ content: [UInt8]) -> [UInt8] {
        var header = [tag.rawValue]
        if content.count < 0x80 {
            header.append(UInt8(content.count))
        } else {
            let octets = (Int.bitWidth - content.count.leadingZeroBitCount + 7) / 8
            header.append(0x80 | UInt8(octets))
            for shift in (0..<octets).reversed() {
                header.append(UInt8(truncatingIfNeeded: content.count >> (8 * shift)))
            }
        }
        return header + content
    }
}

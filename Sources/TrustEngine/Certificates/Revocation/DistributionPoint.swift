/// The name of a CRL or of the place it is found at (DistributionPointName, RFC 5280 sections 4.2.1.13
/// and 5.2.5). Ranges point into the certificate or CRL it was read from.
package enum DistributionPointName: Hashable, Sendable, BitwiseCopyable {
    /// Content of GeneralNames; any one of them names it.
    case full(ByteRange)
    /// Content of a relative distinguished name, to be put below the CRL issuer's name.
    case relative(ByteRange)

    /// Reads the content of a `distributionPoint [0]`, which holds exactly one choice.
    static func read(_ wrapper: DERElement, in bytes: Span<UInt8>) throws(DERError) -> Self {
        var reader = wrapper.reader
        let choice = try reader.next(in: bytes)
        try reader.finish()
        switch choice.tag {
        case .constructed(0):
            try GeneralNameReader.check(choice, in: bytes)
            return .full(choice.content)
        case .constructed(1):
            try DistinguishedName.checkRelative(choice, in: bytes)
            return .relative(choice.content)
        default: throw DERError(.unexpectedTag, at: choice.start)
        }
    }
}

/// One point of a certificate's cRLDistributionPoints (RFC 5280 section 4.2.1.13).
package struct DistributionPoint: Hashable, Sendable, BitwiseCopyable {
    /// Where the CRL is; nil where only its issuer is named.
    package var name: DistributionPointName?
    /// The reasons it speaks for; all of them when absent.
    package var reasons: ReasonSet
    /// Content of the GeneralNames of cRLIssuer; nil when the certificate's own issuer signs.
    package var crlIssuer: ByteRange?

    /// What RFC 5280 section 6.3.3 assumes for CRLs that no distribution point names: the
    /// certificate's issuer, for every reason. Its name is judged where it is compared.
    package static let ofIssuer = DistributionPoint(name: nil, reasons: .all, crlIssuer: nil)
}

/// Walks the distribution points of a parsed certificate.
package struct DistributionPointReader: Sendable, BitwiseCopyable {
    private var reader: DERReader

    /// A walk over the content of the extension's SEQUENCE.
    package init(_ content: ByteRange) { reader = DERReader(content) }

    /// The next point, or nil at the end. It throws only for octets that no parsed certificate holds.
    package mutating func next(in bytes: Span<UInt8>) throws(DERError) -> DistributionPoint? {
        guard !reader.isAtEnd else { return nil }
        var fields = try reader.next(.sequence, in: bytes).reader
        var point = DistributionPoint.ofIssuer
        if let wrapper = try fields.nextIfPresent(.constructed(0), in: bytes) {
            point.name = try DistributionPointName.read(wrapper, in: bytes)
        }
        if let flags = try fields.nextIfPresent(.primitive(1), in: bytes) {
            point.reasons = ReasonSet(rawValue: try flags.namedBits(in: bytes))
        }
        point.crlIssuer = try fields.nextIfPresent(.constructed(2), in: bytes)?.content
        try fields.finish()
        return point
    }
}

extension Certificate {
    /// The points of cRLDistributionPoints, in order; empty when the extension is absent.
    package var distributionPoints: [DistributionPoint] {
        var points: [DistributionPoint] = []
        var reader = DistributionPointReader(layout.extensions.crlDistributionPoints)
        while let point = try? reader.next(in: der.span) { points.append(point) }
        return points
    }
}

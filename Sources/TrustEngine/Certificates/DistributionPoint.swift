/// The name of a CRL or of a distribution point (DistributionPointName, RFC 5280 sections 4.2.1.13
/// and 5.2.5). Ranges point into the certificate or CRL that was parsed.
package enum DistributionPointName: Hashable, Sendable, BitwiseCopyable {
    /// Content of a GeneralNames. Each of its names names the distribution point.
    case full(ByteRange)
    /// Content of a relative distinguished name, which stands below the CRL issuer's name.
    case relative(ByteRange)

    /// Reads a `distributionPoint [0]`, which holds exactly one alternative.
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

/// One distribution point of a certificate (cRLDistributionPoints, RFC 5280 section 4.2.1.13).
package struct DistributionPoint: Hashable, Sendable, BitwiseCopyable {
    /// The name at which the CRL is found; nil where the point only names a CRL issuer.
    package var name: DistributionPointName?
    /// The reasons that the CRL covers; all reasons when absent.
    package var reasons: ReasonSet
    /// Content of the GeneralNames of cRLIssuer; nil when the certificate's own issuer signs the
    /// CRL.
    package var crlIssuer: ByteRange?

    /// The distribution point that RFC 5280 section 6.3.3 assumes for CRLs that no distribution
    /// point names: the certificate's issuer, for every reason. The code that compares names
    /// supplies the issuer's name.
    package static let ofIssuer = DistributionPoint(name: nil, reasons: .all, crlIssuer: nil)
}

/// Walks the distribution points of a parsed certificate.
package struct DistributionPointReader: Sendable, BitwiseCopyable {
    private var reader: DERReader

    /// Begins a walk over the content of the extension's SEQUENCE.
    package init(_ content: ByteRange) { reader = DERReader(content) }

    /// The next distribution point; nil at the end. Throws only for octets that no parsed
    /// certificate contains.
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
    /// The distribution points of the certificate in their order; empty when the extension is
    /// absent.
    package var distributionPoints: [DistributionPoint] {
        var points: [DistributionPoint] = []
        var reader = DistributionPointReader(layout.extensions.crlDistributionPoints)
        while let point = try? reader.next(in: der.span) { points.append(point) }
        return points
    }
}

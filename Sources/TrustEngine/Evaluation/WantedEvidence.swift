/// Revocation evidence that a verdict would have used. The caller may fetch it and evaluate the
/// request again at the same time (LANGUAGE section 12.4).
public struct WantedEvidence: Hashable, Sendable {
    /// The kind of evidence: `ocsp` or `crl`.
    public let source: RevocationSource
    /// The URL in the certificate at which the evidence is. A stranger wrote this text: the fetcher
    /// decides which hosts and ports may be asked.
    public let url: String
    /// The certificate whose status is asked for.
    public let certificate: Certificate
    /// The certificate's issuer on the path. An OCSP request names its name and key. Its key, or
    /// the key of a delegate, signs the answer.
    public let issuer: Certificate
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    public let issuerKey: Digest
    /// How the rule allows evidence to be fetched.
    package let network: RevocationNetwork

    /// Makes a piece of wanted evidence from its values.
    package init(
        source: RevocationSource, url: String, certificate: Certificate, issuer: Certificate,
        issuerKey: Digest, network: RevocationNetwork
    ) {
        self.source = source
        self.url = url
        self.certificate = certificate
        self.issuer = issuer
        self.issuerKey = issuerKey
        self.network = network
    }

    /// Content octets of the certificate's serial number, as encoded.
    public var serial: [UInt8] { certificate.serialBytes }
}

extension Certificate {
    /// Calls `body` with the octets of each URL of one kind of evidence in the certificate, in its
    /// order: at most `limit` of them. URLs with another scheme than plain http, and URLs with
    /// octets that no URL has, are left out. Nothing is allocated.
    package func forEachEvidenceURL(
        _ source: RevocationSource, atMost limit: Int, _ body: (ByteRange) -> Void
    ) {
        var count = 0
        func offer(_ name: GeneralName) {
            guard count < limit, name.kind == .uri, name.content.count <= 2_048,
                Certificate.isPlainHTTP(der.span.extracting(name.content.indices))
            else { return }
            count += 1
            body(name.content)
        }
        switch source {
        case .stapled: break
        case .ocsp:
            forEachAccessLocation { method, location in
                if method == ObjectIdentifier.accessMethodOCSP { offer(location) }
            }
        case .crl:
            var points = DistributionPointReader(layout.extensions.crlDistributionPoints)
            while let point = try? points.next(in: der.span) {
                guard case .full(let range)? = point.name else { continue }
                var names = GeneralNameReader(range)
                while let name = try? names.next(in: der.span) { offer(name) }
            }
        }
    }

    /// Whether octets are printable ASCII without a space and begin with `http://`, in any case.
    private static func isPlainHTTP(_ url: Span<UInt8>) -> Bool {
        guard url.count >= 8 else {
            return url.count == 7 && DNSName.foldedEqual(url, Certificate.plainHTTP.span)
        }
        // Eight octets at a time; the last eight may overlap those before.
        let last = url.count &- 8
        var position = 0
        while true {
            let word = url.number64(at: position)
            guard OctetWord.within(word, 0x21, 0x7E) & ~word == OctetWord.highBits else {
                return false
            }
            if position == last { break }
            position = min(position &+ 8, last)
        }
        return DNSName.foldedEqual(url.extracting(0..<7), Certificate.plainHTTP.span)
    }

    /// The scheme of the URLs that are asked.
    private static let plainHTTP = Array("http://".utf8)
}

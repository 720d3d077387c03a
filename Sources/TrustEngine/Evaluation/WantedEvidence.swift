/// Revocation evidence that a verdict would have used. The caller may fetch it and evaluate the
/// request again at the same time (LANGUAGE section 12.4).
public struct WantedEvidence: Hashable, Sendable {
    /// The kind of evidence: `ocsp` or `crl`.
    public let source: RevocationSource
    /// The URL in the certificate at which the evidence is. A stranger wrote this text: the fetcher
    /// decides which hosts and ports may be asked. It is made when it is asked for, since few
    /// callers fetch.
    public var url: String {
        switch location {
        case .text(let text): return text
        case .octets(let range):
            return String(decoding: certificate.der[range.indices], as: UTF8.self)
        }
    }
    /// The certificate whose status is asked for.
    public let certificate: Certificate
    /// The certificate's issuer on the path. An OCSP request names its name and key. Its key, or
    /// the key of a delegate, signs the answer.
    public let issuer: Certificate
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    public let issuerKey: Digest
    /// How the rule allows evidence to be fetched.
    package let network: RevocationNetwork
    private let location: Location

    /// The source of the URL's text.
    private enum Location: Sendable {
        case text(String)
        /// Where the URL lies in the certificate whose status is asked for.
        case octets(ByteRange)
    }

    /// Makes a piece of wanted evidence from its values.
    package init(
        source: RevocationSource, url: String, certificate: Certificate, issuer: Certificate,
        issuerKey: Digest, network: RevocationNetwork
    ) {
        self.source = source
        self.location = .text(url)
        self.certificate = certificate
        self.issuer = issuer
        self.issuerKey = issuerKey
        self.network = network
    }

    /// Makes a piece of evidence whose URL lies in the certificate. Nothing is allocated.
    init(
        source: RevocationSource, url: ByteRange, in certificate: Certificate, issuer: Certificate,
        issuerKey: Digest, network: RevocationNetwork
    ) {
        self.source = source
        self.location = .octets(url)
        self.certificate = certificate
        self.issuer = issuer
        self.issuerKey = issuerKey
        self.network = network
    }

    /// Compares the values, the URL by its text.
    public static func == (left: WantedEvidence, right: WantedEvidence) -> Bool {
        left.source == right.source && left.url == right.url
            && left.certificate == right.certificate && left.issuer == right.issuer
            && left.issuerKey == right.issuerKey && left.network == right.network
    }

    /// Hashes the evidence that is asked for and its source. Evidence that differs only in the
    /// issuer is rare.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(url)
        hasher.combine(certificate)
    }

    /// Content octets of the certificate's serial number, as encoded.
    public var serial: [UInt8] { certificate.serialBytes }
}

/// Walks the URLs of one kind of evidence in a certificate, in its order. URLs with another scheme
/// than plain http, and URLs with octets that no URL has, are left out. Nothing is allocated.
struct EvidenceURLReader {
    private let source: RevocationSource
    /// How many URLs are still given.
    private var left: Int
    private var access: AccessLocationReader
    private var points: DistributionPointReader
    /// The names of the distribution point that was read last.
    private var names = GeneralNameReader(ByteRange(start: 0, count: 0))

    /// Begins a walk over a certificate, which gives at most `limit` URLs.
    init(_ source: RevocationSource, of certificate: Certificate, atMost limit: Int) {
        self.source = source
        self.left = limit
        self.access = AccessLocationReader(certificate.layout.extensions.authorityInfoAccess)
        self.points = DistributionPointReader(certificate.layout.extensions.crlDistributionPoints)
    }

    /// Where the next URL lies; nil at the end. `bytes` are the octets of the certificate.
    mutating func next(in bytes: Span<UInt8>) -> ByteRange? {
        while left > 0, let name = nextName(in: bytes) {
            guard name.kind == .uri, name.content.count <= 2_048,
                EvidenceURLReader.isPlainHTTP(bytes.extracting(name.content.indices))
            else { continue }
            left -= 1
            return name.content
        }
        return nil
    }

    private mutating func nextName(in bytes: Span<UInt8>) -> GeneralName? {
        switch source {
        case .stapled, .crlite: return nil
        case .ocsp:
            while let entry = access.next(in: bytes) {
                if entry.method == ObjectIdentifier.accessMethodOCSP { return entry.location }
            }
            return nil
        case .crl:
            while true {
                if let name = try? names.next(in: bytes) { return name }
                guard let point = try? points.next(in: bytes) else { return nil }
                if case .full(let range)? = point.name { names = GeneralNameReader(range) }
            }
        }
    }

    /// Whether octets are printable ASCII without a space and begin with `http://`, in any case.
    static func isPlainHTTP(_ url: Span<UInt8>) -> Bool {
        guard url.count >= 8 else {
            return url.count == 7 && DNSName.foldedEqual(url, EvidenceURLReader.plainHTTP.span)
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
        return DNSName.foldedEqual(
            url.extracting(0..<7), EvidenceURLReader.plainHTTP.span)
    }

    /// The scheme of the URLs that are asked.
    private static let plainHTTP = Array("http://".utf8)
}

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
    /// The URLs of one kind of evidence in the certificate, in its order: at most `limit`. URLs
    /// with another scheme than plain http, and URLs with octets that no URL has, are left out.
    package func evidenceURLs(_ source: RevocationSource, atMost limit: Int) -> [String] {
        var urls: [String] = []
        func add(_ name: GeneralName) {
            guard urls.count < limit, name.kind == .uri, name.content.count <= 2_048 else { return }
            let octets = der.span.copied(name.content)
            guard octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return }
            let url = String(decoding: octets, as: UTF8.self)
            if url.prefix(7).lowercased() == "http://" { urls.append(url) }
        }
        switch source {
        case .stapled: break
        case .ocsp:
            forEachAccessLocation { method, location in
                if method == ObjectIdentifier.accessMethodOCSP { add(location) }
            }
        case .crl:
            for point in distributionPoints {
                guard case .full(let range)? = point.name else { continue }
                var names = GeneralNameReader(range)
                while let name = try? names.next(in: der.span) { add(name) }
            }
        }
        return urls
    }
}

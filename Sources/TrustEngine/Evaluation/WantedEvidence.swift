/// Revocation evidence that a verdict would have used: what to fetch, and for whom. The caller may fetch
/// it and ask again with the same time (LANGUAGE section 12.4).
public struct WantedEvidence: Hashable, Sendable {
    /// `ocsp` or `crl`.
    public let source: RevocationSource
    /// Where the certificate says that it is. Text of a stranger: which hosts and ports may be asked is
    /// the fetcher's to decide.
    public let url: String
    /// The certificate whose status is asked.
    public let certificate: Certificate
    /// Its issuer on the path, whose name and key an OCSP request names, and whose key, or a delegate's,
    /// signs the answer.
    public let issuer: Certificate
    /// SHA-256 of the issuer's SubjectPublicKeyInfo.
    public let issuerKey: Digest
    /// What the rule says of fetching.
    package let network: RevocationNetwork

    /// A piece of evidence.
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
    /// The plain http URLs at which the certificate says that evidence of a kind is, in its order: at
    /// most `limit`, and none with octets that no URL has.
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

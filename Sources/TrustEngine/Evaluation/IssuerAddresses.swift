/// The addresses at which a certificate says that its issuer's certificate is (RFC 5280 section
/// 4.2.2.1, caIssuers). They serve the words of an explanation: nothing is fetched.
package enum IssuerAddresses {
    /// The most addresses of one certificate.
    static let most = 2

    /// The first addresses of a certificate that are printable ASCII and plain http, in its order.
    package static func addresses(of certificate: Certificate) -> [String] {
        let bytes = certificate.der.span
        var addresses: [String] = []
        var reader = AccessLocationReader(certificate.layout.extensions.authorityInfoAccess)
        while addresses.count < most, let entry = reader.next(in: bytes) {
            guard entry.method == ObjectIdentifier.accessMethodCAIssuers,
                entry.location.kind == .uri, entry.location.content.count <= 256,
                EvidenceURLReader.isPlainHTTP(bytes.extracting(entry.location.content.indices))
            else { continue }
            addresses.append(ServiceIdentity.text(of: entry.location, in: bytes))
        }
        return addresses
    }
}

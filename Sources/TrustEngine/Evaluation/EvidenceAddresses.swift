/// Where a certificate says that evidence about its revocation is: the URLs of its CRLs and
/// responders, and who publishes the CRLs. Whoever issued the certificate wrote them. They serve
/// the words of an explanation: nothing is fetched.
package struct EvidenceAddresses: Hashable, Sendable {
    /// The URLs of the CRL distribution points, of any scheme, in the certificate's order.
    package let lists: [String]
    /// The names that distribution points give as `cRLIssuer`, as RFC 4514 strings: these publish
    /// the CRLs in place of the certificate's issuer. Raw text.
    package let listIssuers: [String]
    /// The URLs of the responders, in the certificate's order.
    package let responders: [String]

    /// The most URLs, and names, of each kind.
    private static let most = 4
    /// The most octets of a URL that is shown.
    private static let longest = 256

    /// Makes addresses.
    package init(lists: [String] = [], listIssuers: [String] = [], responders: [String] = []) {
        self.lists = lists
        self.listIssuers = listIssuers
        self.responders = responders
    }

    /// Reads the addresses in a certificate.
    init(_ certificate: Certificate) {
        let bytes = certificate.der.span
        var lists: [String] = []
        var issuers: [String] = []
        for point in certificate.distributionPoints.prefix(EvidenceAddresses.most) {
            if case .full(let range)? = point.name {
                EvidenceAddresses.add(range, .uri, of: bytes, to: &lists)
            }
            if let range = point.crlIssuer {
                EvidenceAddresses.add(range, .directory, of: bytes, to: &issuers)
            }
        }
        var responders: [String] = []
        var access = AccessLocationReader(certificate.layout.extensions.authorityInfoAccess)
        while responders.count < EvidenceAddresses.most, let entry = access.next(in: bytes) {
            guard entry.method == ObjectIdentifier.accessMethodOCSP,
                let text = EvidenceAddresses.text(of: entry.location, .uri, in: bytes)
            else { continue }
            responders.append(text)
        }
        self.init(lists: lists, listIssuers: issuers, responders: responders)
    }

    /// Adds the names of one kind in a GeneralNames, each once.
    private static func add(
        _ range: ByteRange, _ kind: GeneralName.Kind, of bytes: Span<UInt8>,
        to texts: inout [String]
    ) {
        var names = GeneralNameReader(range)
        while texts.count < most, let name = try? names.next(in: bytes) {
            guard let text = text(of: name, kind, in: bytes), !texts.contains(text) else {
                continue
            }
            texts.append(text)
        }
    }

    /// A name of one kind as text; nil for another kind, and for a URL that is too long to show or
    /// has octets that no URL has.
    private static func text(
        of name: GeneralName, _ kind: GeneralName.Kind, in bytes: Span<UInt8>
    ) -> String? {
        guard name.kind == kind else { return nil }
        if kind == .uri {
            let octets = bytes.copied(name.content)
            guard (1...longest).contains(octets.count),
                octets.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
        }
        return ServiceIdentity.text(of: name, in: bytes)
    }
}

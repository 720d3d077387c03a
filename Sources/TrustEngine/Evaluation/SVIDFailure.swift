/// Why a certificate is not an X509-SVID, although a `spiffe://` pattern matches a URI that it
/// presents.
///
/// LANGUAGE section 7, which is X509-SVID sections 2 and 5.2: exactly one URI name, no CA bit,
/// neither keyCertSign nor cRLSign. A certificate with two URI names stands for two workloads, and
/// its reader chooses which. A certificate that can sign vouches for workloads and is none.
package struct SVIDFailure: Hashable, Sendable {
    /// A condition of an X509-SVID that does not hold. The raw value is the word in JSON.
    package enum Fault: String, Hashable, Sendable, CaseIterable {
        case severalURIs = "several-uris"
        case ca
        case keyCertSign = "key-cert-sign"
        case crlSign = "crl-sign"
    }

    /// The presented URI that a pattern of the rule matches: raw text.
    package let uri: String
    /// Every URI that the certificate presents, in its order: raw text. A text that gives the
    /// number of the others follows the first 16.
    package let uris: [String]
    /// The conditions that do not hold, in the order of the language. Never empty.
    package let faults: [Fault]

    /// The words of the faults, as in JSON.
    package var faultNames: [String] { faults.map(\.rawValue) }

    /// Makes the value from its parts.
    package init(uri: String, uris: [String], faults: [Fault]) {
        self.uri = uri
        self.uris = uris
        self.faults = faults
    }

    /// The cost of the judgement in cost units: one walk over the presented names.
    static func cost(of certificate: Certificate) -> Int {
        1 + Int(certificate.layout.extensions.subjectAltName.count) / 512
    }

    /// Judges an end entity that presents a URI which a `spiffe://` pattern matches; nil when the
    /// end entity is an X509-SVID. Nothing is allocated then.
    init?(of certificate: Certificate, presenting name: GeneralName) {
        let extensions = certificate.layout.extensions
        let bytes = certificate.der.span
        let count = SVIDFailure.countOfURIs(in: certificate)
        let keyUsage = extensions.keyUsage
        let signsNothing =
            !extensions.isCA
            && keyUsage & (KeyUsageBit.keyCertSign | KeyUsageBit.cRLSign) == 0
        if count == 1, signsNothing { return nil }
        var faults: [Fault] = []
        if count != 1 { faults.append(.severalURIs) }
        if extensions.isCA { faults.append(.ca) }
        if keyUsage & KeyUsageBit.keyCertSign != 0 { faults.append(.keyCertSign) }
        if keyUsage & KeyUsageBit.cRLSign != 0 { faults.append(.crlSign) }
        self.init(
            uri: ServiceIdentity.text(of: name, in: bytes),
            uris: ServiceIdentity.presentedNames(of: certificate, only: .uri), faults: faults)
    }

    private static func countOfURIs(in certificate: Certificate) -> Int {
        let bytes = certificate.der.span
        var count = 0
        var reader = GeneralNameReader(certificate.layout.extensions.subjectAltName)
        while let name = try? reader.next(in: bytes) {
            if name.kind == .uri { count += 1 }
        }
        return count
    }
}

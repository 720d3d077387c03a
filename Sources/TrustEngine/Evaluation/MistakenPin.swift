/// A pin that matches no key because its author hashed other octets of a certificate at hand. The
/// digest itself proves which octets were hashed: nobody can make another certificate with the same
/// SHA-256.
package struct MistakenPin: Hashable, Sendable {
    /// The octets that were hashed.
    package enum Hashed: Hashable, Sendable, CaseIterable {
        /// The whole certificate, where the pin is of a key.
        case certificate
        /// The key inside the whole certificate, where the pin is of a certificate.
        case key
        /// The octets of the key without the algorithm in front of them: the point, or the modulus
        /// with its exponent.
        case bareKey
        /// The certificate's PEM text.
        case certificateText
        /// The PEM text of the key.
        case keyText
    }

    /// Id of the pin set.
    package let set: String
    /// Id of the pin.
    package let pin: String
    /// The digest as the policy writes it.
    package let written: String
    package let hashed: Hashed
    /// The certificate whose key or octets were hashed.
    package let certificate: CertificateReference
    /// The pin of the same kind that the author meant, as a policy writes it.
    package let right: String

    package init(
        set: String, pin: String, written: String, hashed: Hashed,
        certificate: CertificateReference, right: String
    ) {
        self.set = set
        self.pin = pin
        self.written = written
        self.hashed = hashed
        self.certificate = certificate
        self.right = right
    }

    /// The mistaken pins of the violations, looked for on the judged paths. Cost: some ten digests
    /// for each certificate of a path.
    static func find(
        _ violations: [Violation], among certificates: [(digest: Digest, certificate: Certificate)],
        crypto: any CryptoBackend
    ) -> [MistakenPin] {
        var mistaken: [MistakenPin] = []
        for violation in violations {
            guard case .pinMismatch(let mismatch) = violation.reason else { continue }
            let wanted = mismatch.wanted.filter { !$0.matched }
            guard !wanted.isEmpty else { continue }
            for found in mismatch.found.prefix(mostCertificates) {
                guard
                    let certificate = certificates.first(where: {
                        $0.digest == found.certificate.fingerprint
                    })?.certificate
                else { continue }
                let known = digests(of: certificate, found, crypto)
                for pin in wanted {
                    for written in pin.digests {
                        guard let (hashed, right) = known[written],
                            pin.stands(at: found.certificate, last: mismatch.found.count - 1)
                        else { continue }
                        mistaken.append(
                            MistakenPin(
                                set: mismatch.set, pin: pin.id, written: written, hashed: hashed,
                                certificate: found.certificate, right: right))
                    }
                }
            }
        }
        return mistaken
    }

    private static let mostCertificates = 8

    /// The digests that are mistaken for pins of a certificate or its key, as policies write them,
    /// with the right pin of the same kind.
    private static func digests(
        of certificate: Certificate, _ found: PinMismatch.Found, _ crypto: any CryptoBackend
    ) -> [String: (Hashed, String)] {
        var known: [String: (Hashed, String)] = [:]
        let whole = KeyMatch(kind: .certificate, digest: found.certificate.fingerprint).text
        func add(_ octets: [UInt8], _ hashed: Hashed) {
            let digest = crypto.digest(.sha256, of: octets.span)
            known[KeyMatch(kind: .spki, digest: digest).text] = (hashed, found.spki)
            known[KeyMatch(kind: .certificate, digest: digest).text] = (hashed, whole)
        }
        add(certificate.spkiBytes, .key)
        add(certificate.der, .certificate)
        if let bare = bareKey(certificate.spkiBytes) { add(bare, .bareKey) }
        for (der, label, hashed) in [
            (certificate.der, "CERTIFICATE", Hashed.certificateText),
            (certificate.spkiBytes, "PUBLIC KEY", Hashed.keyText),
        ] {
            for end in ["\n", "\r\n"] {
                let text = pem(der, label, end: end)
                add(text, hashed)
                add(Array(text.dropLast(end.utf8.count)), hashed)
            }
        }
        // These two are the right pins of their kinds.
        known[found.spki] = nil
        known[whole] = nil
        return known
    }

    /// The content of a SubjectPublicKeyInfo's BIT STRING.
    private static func bareKey(_ spki: [UInt8]) -> [UInt8]? {
        var outer = DERReader(spki.span)
        guard var parts = (try? outer.next(.sequence, in: spki.span))?.reader,
            (try? parts.next(.sequence, in: spki.span)) != nil,
            let bits = try? parts.next(in: spki.span), bits.count > 1
        else { return nil }
        return Array(spki.span.copied(bits.content).dropFirst())
    }

    /// PEM text (RFC 7468 section 2): lines of 64 characters.
    private static func pem(_ der: [UInt8], _ label: String, end: String) -> [UInt8] {
        let body = Base64.octets(of: der)
        var text = Array("-----BEGIN \(label)-----\(end)".utf8)
        for start in stride(from: 0, to: body.count, by: 64) {
            text += body[start..<min(start + 64, body.count)] + Array(end.utf8)
        }
        return text + Array("-----END \(label)-----\(end)".utf8)
    }
}

extension PinMismatch.Wanted {
    /// Whether the entry may match the certificate at its position on a path whose last
    /// certificate, the anchor, has the position `last`.
    fileprivate func stands(at certificate: CertificateReference, last: Int) -> Bool {
        guard let position = PinPosition.allCases.first(where: { $0.name == self.position }) else {
            return false
        }
        switch position {
        case .any: return true
        case .leaf: return certificate.position == 0
        case .anchor: return certificate.position == last
        case .intermediate: return certificate.position > 0 && certificate.position < last
        case .ca: return certificate.position > 0
        }
    }
}

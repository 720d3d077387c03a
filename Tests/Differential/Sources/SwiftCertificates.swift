import Foundation
@_spi(FixedExpiryValidationTime) import X509

/// swift-certificates 1.21.1: `Verifier` with `RFC5280Policy`, with `ServerIdentityPolicy` where a
/// name is expected, and with `OCSPVerifierPolicy` in its hard mode where a response must be
/// consulted.
enum SwiftCertificates {
    /// Its verdict on a case; a reject with its own words, cut to one line.
    static func judge(_ vector: Vector) async -> PeerVerdict {
        if vector.revocation == "crl" { return .declined("has no CRLs") }
        if vector.peerName?.kind == "RFC822" { return .declined("has no e-mail identities") }
        // Of a vector, whose answer is known, it is asked all the same.
        if vector.oddities != nil, vector.features.contains("trust-leaf") {
            return .declined("has no end entities that are trusted as themselves")
        }
        guard let leaf = try? Certificate(derEncoded: vector.peer) else {
            return .reject("the end entity does not parse")
        }
        let time = vector.time ?? Vector.presentDay
        let roots = CertificateStore(certificates(vector.trusted))
        let bag = CertificateStore(certificates(vector.bag))
        let rules = RFC5280Policy(fixedExpiryValidationTime: time)
        let identity = vector.peerName.map { name in
            ServerIdentityPolicy(
                serverHostname: name.kind == "DNS" ? name.value : nil,
                serverIP: name.kind == "IP" ? name.value : nil)
        }
        let responder = vector.revocation == "ocsp" ? Responder(vector.ocspResponses.first) : nil
        var verifier = Verifier(rootCertificates: roots) {
            rules
            if let identity { identity }
            if let responder {
                OCSPVerifierPolicy(
                    failureMode: .hard, requester: responder, fixedExpiryValidationTime: time)
            }
        }
        switch await verifier.validate(leaf: leaf, intermediates: bag) {
        case .validCertificate: return .accept
        case .couldNotValidate(let failures):
            let words = failures.last.map { String(describing: $0.policyFailureReason) }
            return .reject(PeerVerdict.oneLine(words ?? "finds no chain to a root"))
        }
    }

    private static func certificates(_ list: [Data]) -> [Certificate] {
        list.compactMap { try? Certificate(derEncoded: $0) }
    }

    /// Answers every question with the response that the case has.
    private struct Responder: OCSPRequester {
        let response: Data?

        init(_ response: Data?) { self.response = response }

        private struct NoResponse: Error {}

        func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
            response.map { .response(Array($0)) } ?? .nonTerminalError(NoResponse())
        }
    }
}

extension Certificate {
    /// A certificate of DER.
    fileprivate init(derEncoded data: Data) throws { try self.init(derEncoded: Array(data)) }
}

import TestPKI
import TrustEngine

/// One certificate for every flag's host, named by a responder and a CRL, and what they say of it.
let revocationFlags = FixtureRecipe(
    "revocation-flags", intent: "each flag of revocation checking has its spelling"
) { files in
    let root = Scenario().root("Public Root", key: .p256("flags root"))
    let issuing = root.issueCA("Public Issuing", key: .p256("flags issuing")) {
        $0.extensions.append(.crlDistributionPoints(["http://crl.example/root.crl"]))
    }
    files.text("anchors/root.pem", root.pem)
    func leaf(_ host: String) -> Minted {
        issuing.issueLeaf(dns: ["\(host).flags.example"]) { recipe in
            recipe.extensions += [
                .crlDistributionPoints(["http://crl.example/issuing.crl"]),
                .authorityInfoAccess(ocsp: ["http://ocsp.example/"], issuers: []),
            ]
        }
    }
    enum Piece {
        case goodOCSP, unknownOCSP, goodAndUnknownOCSP, futureOCSP, revokedOCSP
        case goodCRL, staleCRL, revokedCRL, rootCRL
    }
    func write(_ name: String, _ host: String, _ pieces: Piece...) {
        let leaf = leaf(host)
        let folder = "cases/\(name)"
        files.chain("\(folder)/chain.pem", [leaf, issuing.certificate])
        for piece in pieces {
            switch piece {
            case .goodOCSP: files.bytes("\(folder)/leaf.ocsp", issuing.ocspResponse(for: leaf))
            case .unknownOCSP:
                files.bytes("\(folder)/leaf.ocsp", issuing.ocspResponse(for: leaf, .unknown))
            case .goodAndUnknownOCSP:
                files.bytes(
                    "\(folder)/leaf.ocsp",
                    issuing.ocspResponse(for: leaf) {
                        $0.singles.append($0.singles[0])
                        $0.singles[1].hash = .sha256
                        $0.singles[1].status = .unknown
                    })
            case .futureOCSP:
                files.bytes(
                    "\(folder)/leaf.ocsp",
                    issuing.ocspResponse(for: leaf) {
                        // The cases are judged at noon.
                        $0.producedAt = Scenario.judgedAt.advanced(bySeconds: 13 * 3_600)
                    })
            case .revokedOCSP:
                files.bytes(
                    "\(folder)/leaf.ocsp",
                    issuing.ocspResponse(
                        for: leaf, .revoked(.superseded, at: .at("2026-05-20T08:00:00Z"))))
            case .goodCRL: files.bytes("\(folder)/issuing.crl", issuing.revocationList())
            case .staleCRL:
                files.bytes(
                    "\(folder)/issuing.crl",
                    issuing.revocationList {
                        $0.nextUpdate = Scenario.judgedAt.advanced(bySeconds: -3_600)
                    })
            case .revokedCRL:
                files.bytes(
                    "\(folder)/issuing.crl",
                    issuing.revocationList([leaf], reason: .keyCompromise))
            case .rootCRL: files.bytes("\(folder)/root.crl", root.revocationList())
            }
        }
    }
    write("any-nothing", "any")
    write("any-revoked", "any", .revokedCRL)
    write("ocsp-good", "ocsp", .goodOCSP)
    write("ocsp-has-only-crl", "ocsp", .goodCRL)
    write("crl-good", "crl", .goodCRL)
    write("crl-has-only-ocsp", "crl", .goodOCSP)
    write("prefer-crl-both", "prefer-crl", .goodOCSP, .goodCRL)
    write("prefer-crl-falls-back", "prefer-crl", .goodOCSP, .staleCRL)
    write("prefer-crl-revoked-by-ocsp", "prefer-crl", .revokedOCSP, .goodCRL)
    write("positive-both", "positive", .goodOCSP, .rootCRL)
    write("positive-nothing", "positive")
    write("positive-unknown", "positive", .unknownOCSP, .rootCRL)
    write("positive-contradicted", "positive", .goodAndUnknownOCSP, .rootCRL)
    write("positive-from-the-future", "positive", .futureOCSP, .rootCRL)
    write("offline-supplied", "offline", .goodOCSP)
    write("offline-nothing", "offline")
    write("other-name", "www", .goodOCSP)
    write("other-name-revoked", "www", .revokedOCSP)
}

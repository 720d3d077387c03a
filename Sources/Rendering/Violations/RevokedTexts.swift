import TrustEngine

extension RevokedTexts {
    private var name: String { Words.name(certificate) }

    var headline: String {
        "\(name): \(EvidenceSentences.name(answer)) \(EvidenceSentences.clause(answer))"
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.bearer(certificate, situation.host)) was revoked"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            .impostor("where the key was stolen, its thief may be answering"),
            certificate.setOfPolicy != nil
                ? .ofPolicy(certificate, "is revoked")
                : declared("it still uses the revoked certificate"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        let first = reject.caution(
            "\(name) was revoked, and whoever stole its key can answer with it")
        // `superseded` says that no key is thought to be known (X.509 section 9.5.3.1).
        if certificate.position > 0, case .revoked(.superseded, _) = answer.finding {
            return [
                first,
                Repair(
                    "have the server send the successor of \(name): its authority calls it "
                        + "superseded, and a certificate of the same name and key that is not "
                        + "revoked is accepted in its place"),
            ]
        }
        return [
            first,
            Repair(
                "replace \(name), with a new key if the old one may be known: its authority has "
                    + "revoked it"),
        ]
    }
}

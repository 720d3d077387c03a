import TrustEngine

extension NotACertificateAuthorityTexts {
    var headline: String { "\(Words.name(certificate)) issued a certificate but is not a CA" }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) issued a certificate for `\(situation.host)` but is not "
            + "an authority"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            .impostor("whoever holds a certificate may have issued another with it"),
            declared("whoever issued its certificates made a mistake"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] { reject.unauthorised(certificate) }
}

import TrustEngine

extension KeyUsageMissingTexts {
    var headline: String { "the key usage of \(Words.name(certificate)) lacks `\(wanted)`" }

    var citation: String {
        certificate.position == 0 ? "RFC 5280 §4.2.1.12" : Check.keyUsage.citation
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) is used in a way that it is not made for: its key usage lacks "
            + "`\(wanted)`"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofIssuing(certificate, situation)
    }

    func repairs(_ reject: Reject) -> [Repair] { [Reject.issuedAnew] }
}

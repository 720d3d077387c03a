import TrustEngine

extension NeverValidTexts {
    var headline: String {
        "\(Words.name(certificate)) ends on \(notAfter), before it begins on \(notBefore): it is "
            + "valid at no time"
    }

    var citation: String { "RFC 5280 §4.1.2.5" }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.bearer(certificate, situation.host)) ends before it begins, so it is valid at no "
            + "time"
    }

    func readings(_ situation: Situation) -> [SideReading] { ofIssuing(certificate) }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "have \(Words.name(certificate)) issued anew, with an end behind its begin: no "
                    + "waiting mends it")
        ]
    }
}

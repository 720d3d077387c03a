import TrustEngine

extension PathLengthExceededTexts {
    var headline: String {
        "\(Words.name(certificate)) allows \(Words.count(limit, "CA certificate")) below it, the "
            + "path has \(actual)"
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) allows fewer authorities below it than vouch for "
            + "`\(situation.host)`"
    }

    func readings(_ situation: Situation) -> [SideReading] { ofIssuing(certificate) }

    func repairs(_ reject: Reject) -> [Repair] { reject.unauthorised(certificate) }
}

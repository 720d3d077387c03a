import TrustEngine

extension PurposeNotAllowedTexts {
    var headline: String {
        "wanted one purpose of \(Words.list(wanted)); \(Words.name(certificate)) allows "
            + Words.list(allowed)
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) is not made for this purpose: it does not allow "
            + Words.list(wanted)
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofIssuing(certificate, situation)
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "use a certificate for \(Words.list(wanted)) instead of \(Words.name(certificate))")
        ]
    }
}

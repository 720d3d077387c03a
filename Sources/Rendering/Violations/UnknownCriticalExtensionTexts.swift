import TrustEngine

extension UnknownCriticalExtensionTexts {
    var headline: String {
        "\(Words.name(certificate)) has the critical extension \(extensionID), which the engine "
            + "does not process"
    }

    var citation: String {
        certificate.position == 0 ? "RFC 5280 §6.1.5(f)" : Check.criticalExtensions.citation
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) demands that its extension \(extensionID) is understood, and "
            + "here it is not"
    }

    func readings(_ situation: Situation) -> [SideReading] { ofIssuing(certificate) }

    func repairs(_ reject: Reject) -> [Repair] { [Reject.issuedAnew] }
}

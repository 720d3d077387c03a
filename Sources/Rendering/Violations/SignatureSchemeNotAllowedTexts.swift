import TrustEngine

extension SignatureSchemeNotAllowedTexts {
    var headline: String {
        "\(Words.name(certificate)) is signed with `\(scheme)`, not allowed by the rule, which "
            + "allows " + Words.list(allowed)
    }

    func forEndUser(_ situation: Situation) -> String {
        "the signature on \(Words.name(certificate)), `\(scheme)`, is not allowed by "
            + "\(situation.rule)"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofRule(certificate, SideReading.ofSignature, otherwise: notOfTheRulesKind)
    }

    func repairs(_ reject: Reject) -> [Repair] { [Reject.signedAgain(certificate)] }

    func change(_ reject: Reject) -> PolicyChange? { .reportedSignatures }
}

import TrustEngine

extension HashTooWeakTexts {
    var headline: String {
        "\(Words.name(certificate)) is signed with `\(hash)`, at least `\(minimum)` wanted"
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) is signed with `\(hash)`, and \(situation.rule) wants "
            + "`\(minimum)` or better"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofRule(
            certificate, SideReading.ofSignature,
            otherwise: [declared("its certificate is not what the rule demands")])
    }

    func repairs(_ reject: Reject) -> [Repair] { [Reject.signedAgain(certificate)] }

    func change(_ reject: Reject) -> PolicyChange? {
        guard hash != SignatureHash.sha1.name else {
            return PolicyChange(
                .waiver(.signatures(minimumHash: .sha1), reason: "being replaced"),
                cost: "signatures with `sha1` pass, which can be forged at a high price")
        }
        return SignatureHash.isOfBaseline(hash) ? .reportedSignatures : nil
    }
}

import TrustEngine

extension KeyTooSmallTexts {
    var headline: String {
        "the RSA key of \(Words.name(certificate)) has \(bits) bits, at least \(minimum) wanted"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the RSA key of \(Words.name(certificate)) has \(bits) bits, and \(situation.rule) wants "
            + "at least \(minimum)"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofRule(
            certificate, SideReading.ofKey,
            otherwise: [declared("its certificate is not what the rule demands")])
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "have \(Words.name(certificate)) issued with an RSA key of at least \(minimum) bits"
            )
        ]
    }

    func change(_ reject: Reject) -> PolicyChange? {
        guard bits < 2_048 else { return .reportedKeys }
        guard bits >= 1_024 else { return nil }
        return PolicyChange(
            .waiver(.keys(rsaMinimum: bits), reason: "being replaced"),
            cost: "RSA keys of \(bits) bits pass, which a large budget can break")
    }
}

import TrustEngine

extension MaskHashTooWeakTexts {
    var headline: String {
        "\(Words.name(certificate)) is signed with `\(hash)`, but its mask (MGF1) uses `\(mask)`, "
            + "at least `\(minimum)` wanted of both"
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) is signed with `\(hash)`, but its mask (MGF1) uses `\(mask)`, "
            + "and \(situation.rule) wants `\(minimum)` or better of both"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofRule(
            certificate, SideReading.ofSignature,
            otherwise: [declared("its certificate is not what the rule demands")])
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "have \(Words.name(certificate)) signed again, with MGF1 over `\(hash)`, the hash "
                    + "of the signature itself")
        ]
    }

    /// A waiver would let real signatures by the mask's hash pass, and a mask is not signed.
    func change(_ reject: Reject) -> PolicyChange? {
        SignatureHash.isOfBaseline(mask) ? .reportedSignatures : nil
    }
}

import TrustEngine

extension TooManyIntermediatesTexts {
    var headline: String {
        "the policy allows \(Words.count(limit, "intermediate")), the path has \(actual)"
    }

    var citation: String { "LANGUAGE §8" }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.count(actual, "intermediate")) vouch for `\(situation.host)`, and "
            + "\(situation.rule) allows \(limit)"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("the rule allows fewer intermediates"),
            .init(.server, "it sends more than were meant"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        let shorter = Repair(
            "have the certificate issued with no more than \(Words.count(limit, "intermediate")) "
                + "above it")
        guard actual <= Requirements.mostIntermediates else { return [shorter] }
        return [
            shorter,
            Repair(
                "or, if whoever owns \(reject.ruleName) means longer paths, let "
                    + "`path.maximum-intermediates` be \(actual), \(reject.place)"),
        ]
    }
}

import TrustEngine

extension LifetimeTooLongTexts {
    var headline: String {
        "\(Words.name(certificate)) lives for \(Words.duration(seconds)), at most "
            + "\(Words.duration(maximum)) wanted"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the certificate of `\(situation.host)` lives for \(Words.duration(seconds)), and "
            + "\(situation.rule) allows \(Words.duration(maximum))"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [declared("its certificate is not what the rule demands")]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("have the certificate issued for at most \(Words.duration(maximum))")]
    }

    func change(_ reject: Reject) -> PolicyChange? {
        PolicyChange(.reportOnly(.lifetime), cost: "certificates of any lifetime pass")
    }
}

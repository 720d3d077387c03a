import TrustEngine

extension NotYetValidTexts {
    var headline: String {
        "\(Words.name(certificate)) begins on \(notBefore), judged at \(time)"
    }

    func forEndUser(_ situation: Situation) -> String {
        let (begin, now) = Words.days(notBefore, time)
        return "\(Words.bearer(certificate, situation.host)) begins only on \(begin), and it is "
            + "judged at \(now)"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("the clock, or the time that was asked about, is wrong"),
            certificate.setOfPolicy != nil
                ? .ofPolicy(certificate, "begins later")
                : .init(.server, "it already uses a certificate that begins later"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        guard reject.time >= NotYetValidTexts.beforeAnyCertificate else {
            return [
                Repair(
                    "set the clock of the machine that judges, or ask about another time: at "
                        + "\(reject.time) no certificate of today's form had been issued")
            ]
        }
        return [
            Repair("wait until \(notBefore), or judge then: `--at \(notBefore)`"),
            Repair("if the certificate is new, look at the clock of the machine that judges"),
        ]
    }

    /// The month of RFC 5280. A machine without a clock begins at 1970 or at another instant before
    /// it.
    private static let beforeAnyCertificate = UTCInstant(secondsSinceEpoch: 1_209_600_000)
}

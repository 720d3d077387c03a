import TrustEngine

extension TLSForwardSecrecyTexts {
    var headline: String {
        "wanted forward secrecy; the key exchange of `\(Words.shortened(cipherSuite, to: 100))` is "
            + "not known to be (EC)DHE"
    }

    var citation: String { "LANGUAGE §8" }

    func forEndUser(_ situation: Situation) -> String {
        "the connection to `\(situation.host)` is not known to have forward secrecy, which "
            + "\(situation.rule) demands"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [declared("it chose a key exchange that the rule does not allow")]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("have the server speak `tls1.3`, or prefer suites that begin with `TLS_ECDHE_`")]
    }

    func change(_ reject: Reject) -> PolicyChange? {
        PolicyChange(
            .reportOnly(.tls),
            cost: "whoever gets the server's key later can read what was recorded before")
    }
}

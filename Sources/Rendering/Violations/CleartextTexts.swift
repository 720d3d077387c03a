import TrustEngine

extension CleartextTexts {
    var headline: String {
        "the connection has no TLS, so it has no certificate and no key to judge"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the connection to `\(situation.host)` has no TLS, so nothing shows who answers"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [declared("the program uses no TLS for this connection")]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair("use TLS"),
            Repair(
                "until then only a waiver of `cleartext`, with an end, lets it pass, and with it "
                    + "whoever answers on the way; it belongs \(reject.place)"),
        ]
    }
}

import TrustEngine

extension TLSNotSuppliedTexts {
    var headline: String {
        "the rule demands a TLS `\(parameter)`, and the request does not say which it is"
    }

    func forEndUser(_ situation: Situation) -> String {
        "which TLS \(TLSWords.parameter(parameter)) the connection to `\(situation.host)` has is "
            + "not known, and \(situation.rule) demands to know"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [declared("the program does not say what TLS came to")]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("say how the server was reached: `--connect ADDRESS` sees its TLS parameters")]
    }
}

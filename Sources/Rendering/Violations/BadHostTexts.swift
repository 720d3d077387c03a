import TrustEngine

extension BadHostTexts {
    var headline: String { "`\(host)` is neither a host name nor an address: \(problem)" }

    func forEndUser(_ situation: Situation) -> String {
        "`\(situation.host)` is neither the name nor the address of a host"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [declared("it asks for a text that is not a host")]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("ask for a host name, or for an address in its usual form")]
    }
}

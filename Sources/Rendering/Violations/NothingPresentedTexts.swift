import TrustEngine

extension NothingPresentedTexts {
    var headline: String { "the peer presented no certificate" }

    var citation: String { "RFC 8446 §4.4.2" }

    func forEndUser(_ situation: Situation) -> String {
        "`\(situation.host)` showed no certificate"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("it showed no certificate"),
            .init(.thisMachine, "the program did not hand over what the server showed"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("hand over the chain that the server presents, its own certificate first")]
    }
}

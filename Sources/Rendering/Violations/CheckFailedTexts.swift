import TrustEngine

extension CheckFailedTexts {
    var headline: String {
        "the registered check `\(name)` refuses the path: \(Words.shortened(reason, to: 200))"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the program's own check `\(name)` refuses `\(situation.host)`"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [declared("the program's own check `\(name)` refuses")]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("ask whoever owns this program: it registers the check `\(name)` itself")]
    }
}

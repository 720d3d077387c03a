import TrustEngine

extension EngineErrorTexts {
    var headline: String { "a fault of our own: \(problem)" }

    var citation: String { "a fault of the engine" }

    func forEndUser(_ situation: Situation) -> String {
        "the check of `\(situation.host)` failed on our side, so it is not trusted"
    }

    func readings(_ situation: Situation) -> [SideReading] { [declared("a fault of the engine")] }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("report it, with the output of `--trace --format json`")]
    }
}

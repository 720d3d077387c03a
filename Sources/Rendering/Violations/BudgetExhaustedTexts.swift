import TrustEngine

extension BudgetExhaustedTexts {
    var headline: String { "the question is not decided after \(limit) cost units of work" }

    var citation: String { "LANGUAGE §12.1" }

    func forEndUser(_ situation: Situation) -> String {
        "the certificates that answer for `\(situation.host)` take more work to check than is "
            + "allowed"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            .impostor("a chain can be made to cost too much"),
            declared("it sends far more certificates than are needed"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("have the server send only the certificates of one chain")]
    }
}

import TrustEngine

extension LogListStaleTexts {
    var headline: String { TransparencySentences.stale(issued, time, maximumAge) }

    var citation: String { "LANGUAGE §8" }

    func forEndUser(_ situation: Situation) -> String {
        "whether the certificate of `\(situation.host)` was made public is not known: the list of "
            + "logs is too old"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        situation.facts.isLogListOfProgram
            ? [
                .init(.thisMachine, "the log list that the program was given is old"),
                declared("its own list of logs is older still"),
            ]
            : [
                declared("its list of logs is old"),
                .init(.thisMachine, "the clock is wrong"),
            ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [Repair("put a newer log list in its place and compile anew: \(Reject.logList)")]
    }
}

import TrustEngine

extension EvidenceTooLargeTexts {
    var headline: String {
        "the revocation evidence, \(octets) octets, is not read within \(limit) cost units of "
            + "work; the unread part may say `revoked`"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the lists of revoked certificates take more work to read than is allowed"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("the program hands over large CRLs that nobody has prepared"),
            .impostor("a response can be stapled that costs too much to read"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "prepare large CRLs once, and give every request what was prepared: "
                    + "`PreparedEvidence`, or a file of `hawser revocations`")
        ]
    }
}

import TrustEngine

extension UnsupportedSignatureTexts {
    var headline: String {
        "the signature on \(Words.name(certificate)) cannot be checked: the engine does not have "
            + "its algorithm for the key of \(Words.name(issuer)), so nothing shows who made it"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the signature on \(Words.name(certificate)) is of a kind that cannot be checked here"
    }

    var isOfStranger: Bool { true }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("nobody can check who signed it, and anybody can write what cannot be"),
            .init(.server, "its certificate needs what this engine does not have"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            reject.caution(
                "nobody can check who vouches for \(reject.named(certificate)); anybody can write "
                    + "a name"),
            reject.ask(),
            Repair(
                "if it is theirs, have \(Words.name(issuer)) issue it anew, signed by an algorithm "
                    + "that this engine has"),
            Reject.refusing,
        ]
    }
}

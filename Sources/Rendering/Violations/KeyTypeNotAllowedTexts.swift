import TrustEngine

extension KeyTypeNotAllowedTexts {
    private var name: String { Words.name(certificate) }

    private var isKnown: Bool { KeyType.isKnown(type) }

    var headline: String {
        isKnown
            ? "the key of \(name) is `\(type)`, not allowed by the rule, which allows "
                + Words.list(allowed)
            : "the key of \(name) is \(type); the engine cannot check such keys, and the rule "
                + "allows " + Words.list(allowed)
    }

    func forEndUser(_ situation: Situation) -> String {
        isKnown
            ? "the key of \(name), `\(type)`, is not allowed by \(situation.rule)"
            : "the key of \(name) is \(type), and cannot be checked here"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofRule(
            certificate, SideReading.ofKey,
            otherwise: isKnown
                ? notOfTheRulesKind
                : [declared("its certificate needs what this engine does not have")])
    }

    func repairs(_ reject: Reject) -> [Repair] {
        if case .anchor = certificate.origin {
            return [
                Repair(
                    "use certificates that lead to an anchor with a key of \(Words.list(allowed)), "
                        + "and not to \(name)")
            ]
        }
        return [Repair("have \(name) issued with a key of \(Words.list(allowed))")]
    }

    func change(_ reject: Reject) -> PolicyChange? { isKnown ? .reportedKeys : nil }
}

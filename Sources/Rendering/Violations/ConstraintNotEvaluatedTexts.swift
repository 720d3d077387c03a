import TrustEngine

extension ConstraintNotEvaluatedTexts {
    private var isOfNames: Bool { constraint == "names" }

    var headline: String {
        let what = isOfNames ? "a name constraint" : "the certificate policies"
        return
            "\(what) of \(Words.name(by)), which \(Words.name(certificate)) is below, "
            + "cannot be judged: \(problem)"
    }

    var citation: String { isOfNames ? "RFC 5280 §4.2.1.10" : Check.certificatePolicies.citation }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(by)) limits its own certificates in a way that cannot be judged here"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        guard case .anchor = by.origin else {
            return [declared("whoever issued its certificates made them so")]
        }
        return [
            .init(.policy, "its anchor's own certificate limits in a form that is not defined"),
            .otherAuthority,
        ]
    }

    /// Where the certificate is an anchor, its set can say the same in the language of policies,
    /// and the linter says how.
    func repairs(_ reject: Reject) -> [Repair] {
        // A constraint that takes too much work to compare has a correct form.
        guard !reject.violations.contains(where: \.isOfWork) else { return [Reject.issuedAnew] }
        let form = isOfNames ? "RFC 5280 §4.2.1.10" : "RFC 5280 §4.2.1.4"
        let issued = "have \(Words.name(by)) issued anew, in the form of \(form)"
        guard case .anchor(let set) = by.origin, set != AnchorSetContents.system.id,
            set != PinnedKeys.setID
        else { return [Repair(issued)] }
        let replaced = Repair(
            "\(issued), and put it in its place in anchor set \(reject.placed([set]))")
        guard isOfNames else { return [replaced] }
        return [
            replaced,
            Repair(
                "or ask whoever owns anchor set `\(set)`: `hawser lint` says what a set can say in "
                    + "place of the limits in its certificates"),
        ]
    }
}

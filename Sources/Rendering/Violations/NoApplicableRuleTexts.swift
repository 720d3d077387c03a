import TrustEngine

extension NoApplicableRuleTexts {
    var headline: String { "no rule matches `\(host)`, and `default` is `deny`" }

    func forEndUser(_ situation: Situation) -> String {
        "the policy has no rule for `\(situation.host)` on this port, and without a rule it trusts "
            + "nobody"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("nobody has written a rule for this host and port"),
            .init(.thisMachine, "it asks for a host that nobody meant"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        reject.byName + [
            Repair(
                "write a rule for `\(host)` that names the anchors that may vouch for it: whoever "
                    + "runs it knows which authority issues its certificates")
        ]
    }
}

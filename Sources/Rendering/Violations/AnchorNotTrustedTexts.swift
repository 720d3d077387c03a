import TrustEngine

extension AnchorNotTrustedTexts {
    var headline: String {
        let elsewhere =
            heldBy.isEmpty ? "" : "; \(Words.list(heldBy)) of this policy would hold it"
        return
            "the path ends at \(Words.name(certificate)), which is in none of the rule's anchor sets "
            + "(\(Words.list(anchors)))\(elsewhere)"
    }

    func forEndUser(_ situation: Situation) -> String {
        let host = situation.host
        guard case .successor(let relative) = likelihood(situation.facts) else {
            return "`\(host)` is vouched for by an authority that is not trusted for it; something "
                + "between you and it may be answering in its place"
        }
        return
            "`\(host)` is vouched for by \(Words.name(certificate)), which is not trusted for it; the "
            + "rule trusts `\(Words.shortSubject(relative.subject))`"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        switch likelihood(situation.facts) {
        case .successor(let relative):
            return AuthorityAdvice.readings(of: relative, certificate.subject)
        case .inspection: return [AuthorityAdvice.inspection, AuthorityAdvice.foreign]
        case .leafOnly, .otherSet, .stranger, .unknown:
            return [AuthorityAdvice.stranger, AuthorityAdvice.foreign]
        }
    }

    private func likelihood(_ facts: RequestFacts) -> AuthorityAdvice.Likelihood {
        AuthorityAdvice.likelihood(heldBy: heldBy, facts)
    }

    func repairs(_ reject: Reject) -> [Repair] {
        reject.unknownAnchorRepairs(certificate, heldBy: heldBy)
    }
}

extension Reject {
    fileprivate func unknownAnchorRepairs(_ top: CertificateReference, heldBy: [String]) -> [Repair]
    {
        let first = [
            caution(
                "\(answered) is vouched for by \(named(top)), which \(ruleName) does not trust"),
            ask(
                "; whether its authority may vouch for it is for \(authorityOwner) to say"),
        ]
        switch AuthorityAdvice.likelihood(heldBy: heldBy, facts) {
        case .otherSet(let set):
            return first + [ownAuthority, otherSetRepair(set, top.subject), Reject.refusing]
        case .successor:
            return first + successorRepairs(top.subject, isAuthority: true)
                + [Reject.refusing]
        case .inspection, .leafOnly, .stranger, .unknown:
            return first + [inspectionRepair] + belongingRepairs(top.subject)
                + [Reject.refusing]
        }
    }

    /// Whom to ask whether an authority that resembles nothing belongs to the rule.
    private func belongingRepairs(_ authority: String) -> [Repair] {
        let own = anchors.filter { $0 != AnchorSetContents.system.id && $0 != PinnedKeys.setID }
        guard let set = own.first else { return [] }
        let owner = owners.anchors(set)
        return [
            Repair(
                "ask \(owner.asked) whether the root was replaced by one with another name: "
                    + "no anchor of \(ruleName) resembles "
                    + "`\(Words.shortSubject(authority))`",
                brief: "ask \(owner.asked) whether the root was replaced")
        ]
    }

    /// What trusts nothing new where a certificate is from another authority.
    private var ownAuthority: Repair {
        Repair(
            "if it is theirs, have the server use a certificate that an authority of \(ruleName) "
                + "issued",
            brief: "have the server use a certificate from an authority of \(ruleName)")
    }

    /// Who says whether an authority may vouch for the host: the owner of the rule's own set, or of
    /// the rule.
    private var authorityOwner: String {
        let own = anchors.filter { $0 != AnchorSetContents.system.id && $0 != PinnedKeys.setID }
        let set = facts.authority?.relative?.set ?? (own.count == 1 ? own.first : nil)
        guard let set, let owner = owners.anchors(set).owner else {
            return "whoever owns \(ruleName)"
        }
        return SetOwner(section: .anchors, id: set, owner: owner).asked
    }
}

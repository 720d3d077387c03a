import TrustEngine

/// `unreadable` says why certificates that the peer sent under the issuer's name cannot be read.
extension IssuerNotFoundTexts {
    var headline: String {
        let missing = "the issuer of \(Words.name(last)) is `\(issuer)`, and "
        return unreadable.isEmpty
            ? missing
                + "neither the peer nor the policy offers a certificate of it that leads further"
            : missing + "what the peer sent under that name cannot be read: "
                + unreadable.joined(separator: "; ")
    }

    func addition(_ situation: Situation) -> String? {
        situation.facts.twins.first.map(TwinSentences.clause)
    }

    func forEndUser(_ situation: Situation) -> String {
        let nobody = "nothing shows that anybody trusted vouches for `\(situation.host)`"
        let missing = "`\(Words.shortSubject(issuer))`"
        let fault: String
        switch (unreadable.isEmpty, AuthorityAdvice.likelihood(last: last, situation.facts)) {
        case _ where !situation.facts.twins.isEmpty:
            return "\(nobody): the name of its issuer, \(missing), is written in two ways"
        case (true, .leafOnly):
            return
                "\(nobody): its certificate came without the certificate of its issuer, \(missing)"
        case (true, .successor(let relative)):
            return "`\(situation.host)` is vouched for by \(missing), which is not known here; the "
                + "rule trusts `\(Words.shortSubject(relative.subject))`"
        case (let isMissing, _): fault = isMissing ? "is missing" : "cannot be read"
        }
        return "\(nobody): the certificate of its issuer, \(missing), \(fault)"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        let own = AuthorityAdvice.ownIssuer
        guard unreadable.isEmpty else {
            return [own, declared("it sends a damaged certificate of its issuer")]
        }
        guard situation.facts.twins.isEmpty else {
            return [
                own, declared("whoever issued its certificate wrote the issuer's name otherwise"),
            ]
        }
        let missing = declared("it does not send the certificate of its issuer")
        let foreign = AuthorityAdvice.foreign
        switch AuthorityAdvice.likelihood(last: last, situation.facts) {
        case .leafOnly: return [own, declared("it sends its own certificate without its issuer's")]
        case .successor(let relative): return AuthorityAdvice.readings(of: relative, issuer)
        case .otherSet: return [AuthorityAdvice.stranger, foreign]
        case .inspection:
            return [AuthorityAdvice.inspection, last.position == 0 ? missing : foreign]
        case .stranger: return [AuthorityAdvice.stranger, last.position == 0 ? missing : foreign]
        case .unknown: return [own, missing]
        }
    }

    /// What was presented does not tell whether an authority of the rule issued it, with an
    /// intermediate that was not sent, or a stranger's. Both readings are told, the stranger's
    /// first, and trusting the stranger is not offered.
    func repairs(_ reject: Reject) -> [Repair] {
        reject.issuerRepairs(last: last, issuer: issuer, isUnreadable: !unreadable.isEmpty)
    }
}

extension Reject {
    fileprivate func issuerRepairs(
        last: CertificateReference, issuer: String, isUnreadable: Bool
    ) -> [Repair] {
        let missing = "`\(Words.shortSubject(issuer))`"
        let isAuthority = last.position > 0
        let fault =
            isAuthority
            ? "\(answered) is vouched for by \(named(last)), and \(missing), who issued that, is "
                + "no anchor of \(ruleName)"
            : "nothing shows that \(ruleName) trusts whoever vouches for \(answered)"
        let first = [caution(fault), ask()]
        if let twin = facts.twins.first {
            return first + [TwinSentences.repair(last, twin), Reject.refusing]
        }
        let known = namesakes(issuer)
        let sent =
            rootRepairs(issuer, isAuthority: isAuthority)
            + sendingRepairs(last: last, missing: missing, isUnreadable: isUnreadable)
        switch AuthorityAdvice.likelihood(last: last, facts) {
        case .leafOnly:
            return first + sent + successorRepairs(issuer, isAuthority: isAuthority) + known
        case .successor:
            return first + successorRepairs(issuer, isAuthority: isAuthority) + known + sent
        case .inspection: return first + [inspectionRepair] + known + sent
        case .stranger where isAuthority: return first + [inspectionRepair] + known + sent
        case .stranger: return first + known + sent + [inspectionRepair]
        case .otherSet, .unknown: return first + known + sent
        }
    }

    /// What trusts nothing new: the server sends the certificate of the issuer, or the policy
    /// offers it to the search.
    private func sendingRepairs(
        last: CertificateReference, missing: String, isUnreadable: Bool
    ) -> [Repair] {
        let story = AuthorityAdvice.likelihood(last: last, facts)
        let isExpected = story != .stranger && story != .inspection
        let condition =
            isUnreadable
            ? "where that one was damaged on its way into the server"
            : trustsPinnedKeys
                ? "where that one was left out"
                : "if an authority that \(ruleName) trusts issued \(missing)"
        var repairs = [
            Repair(
                "\(condition), have the server send the certificate of \(missing) after "
                    + "\(Words.name(last)): that trusts nothing new",
                brief: isExpected
                    ? "have the server also send \(missing): that trusts nothing new"
                    : "if the rule trusts its issuer, have the server also send \(missing)")
        ]
        if let address = issuerAddresses[last.fingerprint]?.first {
            repairs.append(
                Repair(
                    "\(Words.name(last)) itself says that \(missing) is at "
                        + "`\(Words.unquoted(address))`: whoever answers wrote that, "
                        + "so look at whom the certificate there was issued by",
                    brief: "it says that this is at "
                        + "`\(Words.unquoted(Words.shortened(address, to: 48)))`"
                ))
        }
        let own = anchors.filter { $0 != AnchorSetContents.system.id }
        guard !trustsPinnedKeys, let set = facts.authority?.relative?.set ?? own.first else {
            return repairs
        }
        let owner = owners.anchors(set)
        let brief =
            owner.owner == nil
            ? "or put it, as its authority has it, under `intermediates` of `\(set)`"
            : "or ask \(owner.asked) to put it under `intermediates`"
        return repairs + [
            Repair(
                "or put that certificate, as its authority hands it out, under `intermediates` "
                    + "of the anchor set of that authority (\(placed(own))): "
                    + "there it is offered to the search and never trusted", brief: brief)
        ]
    }

    /// That nothing helps which the server sends where the missing issuer is a root.
    private func rootRepairs(_ issuer: String, isAuthority: Bool) -> [Repair] {
        guard isAuthority, !trustsPinnedKeys else { return [] }
        return [
            Repair(
                "if `\(Words.shortSubject(issuer))` is a root, nothing that the server "
                    + "sends helps: \(ruleName) does not trust it",
                brief:
                    "if `\(Words.shortSubject(issuer))` is a root, nothing that the "
                    + "server sends helps", kind: .refusal)
        ]
    }

    /// What the policy's own anchors tell of the name of a missing issuer. A name proves nothing:
    /// anybody can write it.
    private func namesakes(_ issuer: String) -> [Repair] {
        guard let table = judgingTable else { return [] }
        let sets = (0..<table.anchorSetCount).map { table.anchorSet(at: $0) }
            .filter { $0.holds(subject: issuer) }.map(\.id)
        let missing = "`\(Words.shortSubject(issuer))`"
        if let own = sets.first(where: anchors.contains) {
            let owner = owners.anchors(own)
            return [
                Repair(
                    "ask \(owner.asked) whether its CA has a new key: the set has "
                        + "\(missing) with another one",
                    brief: "ask \(owner.asked) whether \(missing) has a new key")
            ]
        }
        return sets.first.map { [otherSetRepair($0, issuer)] } ?? []
    }
}

package import TrustEngine

/// What the sentences about a violation may rest on besides the violation itself: the question, the
/// rule, and what was presented. Every value can be absent, and the sentence is then more general.
package struct Situation: Hashable, Sendable {
    /// The asked host with its port, for a reader; the host alone where the port is not known.
    package let host: String
    /// The rule, as the end of a clause: "rule `www`", "`default`", or "the policy".
    package let rule: String
    /// The subject of the first presented certificate.
    package let firstSubject: String?
    /// Where the presented chain begins with a CA: the position of the server's own certificate,
    /// from 0.
    package let misplacedEndEntity: Int?
    /// The other side of the clock: every certificate of the path that has dates is outside them,
    /// all of them in the same direction.
    package let isWholePathOutsideDates: Bool
    /// The facts about the request besides its trace.
    package let facts: RequestFacts

    /// The situation when nothing but the host is known.
    package init(host: String) {
        self.host = host
        self.rule = "the policy"
        self.firstSubject = nil
        self.misplacedEndEntity = nil
        self.isWholePathOutsideDates = false
        self.facts = RequestFacts()
    }

    /// The situation of an explanation.
    package init(_ explanation: Explanation, _ outline: TraceOutline) {
        let request = outline.request
        host = request.map { $0.canonicalHost ?? $0.host } ?? "the host"
        switch outline.rule?.selection {
        case .pattern: rule = "rule `\(outline.rule?.rule ?? "")`"
        case .defaultBody, .defaultDeny: rule = "`default`"
        case nil: rule = "the policy"
        }
        if case .read(let subject, _)? = outline.certificates.first?.status {
            firstSubject = subject
        } else {
            firstSubject = nil
        }
        misplacedEndEntity = explanation.misplacedEndEntity
        isWholePathOutsideDates = Situation.isWholePathOutside(explanation.verdict, outline)
        facts = explanation.facts
    }

    /// The repairs to show of a reject: `given`, or what `RepairFinder` finds. Where the chain
    /// begins with a CA, no other advice fits than to send it in order.
    func repairs(
        _ explanation: Explanation, _ outline: TraceOutline, _ table: PolicyTable?,
        given: [Repair]?
    ) -> [Repair] {
        let violations = explanation.verdict.violations
        let finder = RepairFinder(
            outline, violations, table: table, presentedKeys: explanation.presentedKeys,
            issuerAddresses: explanation.issuerAddresses, facts: facts)
        guard let order = repairsOfOrder(violations) else { return given ?? finder.repairs }
        // A stranger's chain can begin with a CA too: that it is a stranger's is told first.
        return finder.cautionsOfStranger + order
    }

    /// What to do where the presented chain begins with a CA: the first certificate was judged as
    /// the server's own, so no other advice fits. Nil where the chain begins as it should.
    func repairsOfOrder(_ violations: [Violation]) -> [Repair]? {
        guard misplacedEndEntity != nil,
            violations.contains(where: {
                SideSentences.readings($0, self).first == SideSentences.wrongOrder
            })
        else {
            return nil
        }
        return [
            Repair(
                "have the server send its own certificate first, and then those of its issuers; "
                    + "what else is wrong with it shows after that")
        ]
    }

    private static func isWholePathOutside(_ verdict: Verdict, _ outline: TraceOutline) -> Bool {
        var ended: Set<CertificateReference> = []
        var ahead: Set<CertificateReference> = []
        for violation in verdict.violations {
            guard case .path(let found) = violation.reason else { continue }
            if case .expired(let certificate, _, _, _) = found { ended.insert(certificate) }
            if case .notYetValid(let certificate, _, _) = found { ahead.insert(certificate) }
        }
        let path = outline.decisive(for: verdict)?.path.certificates ?? []
        // Of an anchor only the name and the key count, so its dates are not judged.
        let dated = path.filter { certificate in
            if case .anchor = certificate.origin { return false }
            return true
        }
        guard dated.count > 1 else { return false }
        return ended.isSuperset(of: dated) || ahead.isSuperset(of: dated)
    }
}

package import TrustEngine

/// Finds changes that would turn a reject into an accept, from the fields of its violations.
///
/// The finder offers only words. If keys of the policy would let the requested host pass, `change`
/// has them. They become lines to write only after `RepairProof` has proven them.
package struct RepairFinder: Sendable {
    private let reject: Reject

    /// A finder for the violations of one reject. `table` is the table that judged, and shows how
    /// many hosts the rule covers; nil if it is not at hand. `presentedKeys`, `issuerAddresses` and
    /// `facts` come from the explanation.
    package init(
        _ outline: TraceOutline, _ violations: [Violation], table: PolicyTable?,
        presentedKeys: [Digest: Digest] = [:], issuerAddresses: [Digest: [String]] = [:],
        facts: RequestFacts = RequestFacts()
    ) {
        reject = Reject(
            outline, violations.map { Reject.Entry(violation: $0, texts: $0.texts) }, table: table,
            presentedKeys: presentedKeys, issuerAddresses: issuerAddresses, facts: facts)
    }

    /// Keys of the deciding rule that would let the request pass; nil if none would, or if the path
    /// does not reach an anchor.
    package var change: PolicyChange? { reject.reachesAnchor ? reject.wholeChange : nil }

    /// The repair that a proven edit makes.
    ///
    /// - Parameters:
    ///   - isInPlace: whether the deciding rule is only for the requested host, so that no rule was
    ///     added.
    ///   - isPresent: whether the request was judged at the present time.
    package func repair(
        _ change: PolicyChange, _ edit: PolicyEdit, isInPlace: Bool, isPresent: Bool
    ) -> Repair {
        let onPorts = reject.selectedPattern == reject.asked ? "" : ", on every port"
        let what =
            isInPlace
            ? "write into \(reject.ruleName), which is for `\(reject.host)` alone\(onPorts), "
                + "\(edit.place)"
            : "write a rule of its own for `\(reject.asked)`, \(edit.place), "
                + "because \(reject.ruleName) \(reject.covered)"
        let missing = edit.placeholders.map { "; in place of `\($0)` put who answers for it" }
        let counted =
            isPresent || change.isLasting
            ? "" : "; its end counts from \(reject.time), which was asked about"
        return Repair(
            (change.isLasting ? what : "until then, \(what)")
                + change.costs.map { "; \($0)" }.joined() + counted
                + missing.joined(), kind: .change, edit: edit)
    }

    /// The repairs for all violations, each once.
    package var repairs: [Repair] {
        var seen: Set<Repair> = []
        // Of a stranger's certificate nothing matters as much as that it is a stranger's.
        let first = reject.entries.filter(\.texts.isOfStranger).map(\.violation)
        let rest = reject.entries.filter { !$0.texts.isOfStranger }.map(\.violation)
            .saferFirst(Situation(host: reject.host))
        let repairs = (first + rest).flatMap(repairs(for:)).filter { seen.insert($0).inserted }
        // Cautions stand first, what lets more pass stands last. Whoever answers chooses which
        // violations there are, and so would choose the order.
        return repairs.filter(\.isCaution)
            + repairs.filter { !$0.isCaution && !$0.isOfChange }
            + repairs.filter { !$0.isCaution && $0.isOfChange }
    }

    /// The cautions of violations by which the chain is a stranger's.
    var cautionsOfStranger: [Repair] {
        var seen: Set<Repair> = []
        return reject.entries.filter(\.texts.isOfStranger).flatMap { repairs(for: $0.violation) }
            .filter { $0.isCaution && seen.insert($0).inserted }
    }

    /// The repairs for one violation, then the change that lets it pass. Without repairs it does
    /// not mention a change.
    private func repairs(for violation: Violation) -> [Repair] {
        let texts = violation.texts
        let repairs = texts.repairs(reject)
        return repairs.isEmpty
            ? [] : repairs + reject.untilThen(violation, texts.change(reject))
    }
}

extension Situation {
    /// The repairs to show for a reject: `given`, or the repairs that `RepairFinder` finds. For a
    /// chain that begins with a CA the only advice is to send it in order.
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
            violations.contains(where: { $0.readings(self).first == .wrongOrder })
        else {
            return nil
        }
        return [
            Repair(
                "have the server send its own certificate first, and then those of its issuers; "
                    + "what else is wrong with it shows after that")
        ]
    }
}

import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW312: a certificate of an anchor set is of the set's kind and valid, but no path can end at
    /// it because of its key usage, an extension, its key purposes or a demand of the set's
    /// standard. The reasons are the compiler's (`AnchorDeadEnd`), which reports a set that has no
    /// other anchors.
    static let anchorDeadEnd = LintRule(.anchorDeadEnd) { context in
        context.anchorFindings(.anchorDeadEnd) { terms, anchor in
            let certificate = anchor.certificate
            guard terms.isKindKnown, let reason = context.deadEnd(certificate, terms) else {
                return nil
            }
            // A demand of issuance has a finding of its own (HW317).
            if case .standard(let flaw, _) = reason, flaw.demand.isIssuance { return nil }
            let words = reason.sentence
            return AnchorFault(
                message:
                    "no path can end at `\(certificate.shortSubject)`: \(anchor.name) \(words)",
                help: [reason.help], sort: words)
        }
    }
}

extension LintContext {
    fileprivate func deadEnd(_ certificate: Certificate, _ terms: AnchorTerms) -> AnchorDeadEnd? {
        AnchorDeadEnd.reason(certificate, terms.deadEnd, budget: &anchorWork) { budget in
            let uses = anchorUses.parameters(
                of: certificate, terms, in: parts.anchorSets, budget: &budget)
            return uses.isComplete ? uses.parameters : nil
        }
    }
}

extension AnchorDeadEnd {
    /// The reason, and for a demand of a standard its sentence.
    fileprivate var sentence: String {
        guard case .standard(let flaw, let standard) = self else { return words }
        return flaw.demand.flaw(found: flaw.found)
            + ", which `\(standard.name)` does not allow"
    }
}

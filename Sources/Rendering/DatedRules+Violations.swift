package import PolicyReading
package import TrustEngine

extension DatedRules {
    /// Where the policy writes the demand that a violation of an explanation breaks; nil where no
    /// file has it.
    package func place(of violation: Violation, in explanation: Explanation) -> String? {
        let outline = TraceOutline(explanation.trace)
        let places = PlaceFinder(
            provenance: provenance, profile: outline.rule?.profile ?? "baseline")
        if case .anchorConstraintNotMet(let failure) = violation.reason {
            return places.place(of: places.pointer(of: failure)).text
        }
        if let demand = outline.demands(of: violation.check).last?.pointer,
            let text = places.place(
                of: violation.pointer(demand)
            ).text
        {
            return text
        }
        guard let rule = outline.rule?.rule else { return places.exact("/default")?.description }
        return places.rule(rule)?.description
    }
}

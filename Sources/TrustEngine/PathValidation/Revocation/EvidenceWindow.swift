/// When a CRL or a response is current: the instant to judge at and what the rule adds.
package struct EvidenceWindow: Hashable, Sendable, BitwiseCopyable {
    /// The instant to judge at.
    package let time: UTCInstant
    /// Seconds by which windows are widened at both ends.
    package let clockSkew: Int64
    /// `revocation.maximum-age`, seconds since thisUpdate; nil for none.
    package let maximumAge: Int64?

    package init(time: UTCInstant, clockSkew: Int64, maximumAge: Int64?) {
        self.time = time
        self.clockSkew = clockSkew
        self.maximumAge = maximumAge
    }

    /// Seconds for which evidence without nextUpdate is current: seven days.
    ///
    /// *Deviation*: RFC 6960 section 4.2.2.1 takes an absent nextUpdate to say that newer information is
    /// always there, and X.509 sets such a CRL no end. Taken so, one `good` could be shown for ever.
    /// Seven days are less than the longest interval that the CA/Browser Forum's Baseline Requirements
    /// (section 4.9.10) allow a response.
    package static let withoutNextUpdate: Int64 = 7 * 86_400

    /// Whether thisUpdate has come: evidence from the future says nothing at all.
    package func hasBegun(_ thisUpdate: UTCInstant) -> Bool {
        thisUpdate <= time.advanced(bySeconds: clockSkew)
    }

    /// Why evidence is not within its own window; nil when it is.
    package func problem(thisUpdate: UTCInstant, nextUpdate: UTCInstant?) -> EvidenceProblem? {
        guard hasBegun(thisUpdate) else { return .notYetValid }
        let end =
            nextUpdate ?? thisUpdate.advanced(bySeconds: EvidenceWindow.withoutNextUpdate)
        return time <= end.advanced(bySeconds: clockSkew) ? nil : .expired
    }

    /// Why evidence is not current: outside its window, or over the rule's maximum age.
    package func staleness(thisUpdate: UTCInstant, nextUpdate: UTCInstant?) -> EvidenceProblem? {
        if let problem = problem(thisUpdate: thisUpdate, nextUpdate: nextUpdate) { return problem }
        guard let maximumAge,
            time > thisUpdate.advanced(bySeconds: maximumAge).advanced(bySeconds: clockSkew)
        else { return nil }
        return .tooOld(maximum: maximumAge)
    }
}

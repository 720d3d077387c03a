/// Decides whether a CRL or a response is current, by the validation time and the rule's limits.
package struct EvidenceWindow: Hashable, Sendable, BitwiseCopyable {
    /// The instant at which evidence is judged.
    package let time: UTCInstant
    /// Seconds by which each window is widened at both ends.
    package let clockSkew: Int64
    /// `revocation.maximum-age`: seconds since thisUpdate; nil for no limit.
    package let maximumAge: Int64?

    package init(time: UTCInstant, clockSkew: Int64, maximumAge: Int64?) {
        self.time = time
        self.clockSkew = clockSkew
        self.maximumAge = maximumAge
    }

    /// Seconds for which evidence without nextUpdate is current: seven days.
    ///
    /// *Deviation*: by RFC 6960 section 4.2.2.1 an absent nextUpdate says that newer information is
    /// always available, and X.509 sets no end for a CRL without it. Under these rules an attacker
    /// could show one `good` for ever. Seven days are less than the longest interval that the
    /// CA/Browser Forum's Baseline Requirements (section 4.9.10) allow for a response.
    package static let withoutNextUpdate: Int64 = 7 * 86_400

    /// Whether thisUpdate has come. Evidence whose thisUpdate lies ahead does not count at all.
    package func hasBegun(_ thisUpdate: UTCInstant) -> Bool {
        thisUpdate <= time.advanced(bySeconds: clockSkew)
    }

    /// Why the evidence is outside its own window; nil when it is inside.
    package func problem(thisUpdate: UTCInstant, nextUpdate: UTCInstant?) -> EvidenceProblem? {
        guard hasBegun(thisUpdate) else { return .notYetValid }
        let end =
            nextUpdate ?? thisUpdate.advanced(bySeconds: EvidenceWindow.withoutNextUpdate)
        return time <= end.advanced(bySeconds: clockSkew) ? nil : .expired
    }

    /// Why the evidence is not current: it is outside its window or older than the rule's maximum
    /// age. Nil when it is current.
    package func staleness(thisUpdate: UTCInstant, nextUpdate: UTCInstant?) -> EvidenceProblem? {
        if let problem = problem(thisUpdate: thisUpdate, nextUpdate: nextUpdate) { return problem }
        guard let maximumAge,
            time > thisUpdate.advanced(bySeconds: maximumAge).advanced(bySeconds: clockSkew)
        else { return nil }
        return .tooOld(maximum: maximumAge)
    }
}

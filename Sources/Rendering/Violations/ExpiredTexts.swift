import TrustEngine

extension ExpiredTexts {
    private var name: String { Words.name(certificate) }

    var headline: String {
        let side = time <= notAfter.advanced(bySeconds: tolerance) ? "within" : "beyond"
        let granted =
            tolerance > 0 ? ", \(side) the tolerance of \(Words.duration(tolerance))" : ""
        return "\(name) ended on \(notAfter), judged at \(time)\(granted)"
    }

    func forEndUser(_ situation: Situation) -> String {
        let (end, now) = Words.days(notAfter, time)
        return "\(Words.bearer(certificate, situation.host)) ended on \(end), and it is judged at "
            + now
    }

    func readings(_ situation: Situation) -> [SideReading] {
        let clock = "the clock, or the time that was asked about, is wrong"
        if situation.isWholePathOutsideDates {
            return [
                .init(.thisMachine, "\(clock): every certificate has ended"),
                declared("none was renewed"),
            ]
        }
        return [
            certificate.setOfPolicy != nil
                ? .ofPolicy(certificate, "has ended") : declared("its certificate was not renewed"),
            .init(.thisMachine, clock),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        let renewal = Repair("renew \(name); it was good until \(notAfter)")
        guard tolerance == 0 else {
            return [
                renewal,
                Repair(
                    "the waiver of \(reject.ruleName) allows \(Words.duration(tolerance)); whether "
                        + "it may allow more is for its owner to say"),
            ]
        }
        if let set = certificate.setOfPolicy { return repairs(of: set, reject) }
        let days = (reject.time.secondsSinceEpoch - notAfter.secondsSinceEpoch) / 86_400
        // Where several have ended, it is more likely that the clock is wrong.
        let ended = reject.violations.filter { $0.kind == .expired }.count
        guard days > ExpiredTexts.longestEnded, certificate.position == 0, ended == 1 else {
            return [renewal]
        }
        return [
            reject.caution(
                "\(name) ended \(days) days ago, and its key may be in other hands since"), renewal,
        ]
    }

    /// Repairs for a certificate of the policy itself.
    private func repairs(of set: String, _ reject: Reject) -> [Repair] {
        let asked = reject.owners.anchors(set).asked
        let brief = "ask \(asked) to replace \(name)"
        func replaced(_ place: String) -> Repair {
            Repair(
                "replace \(name) \(place) the anchor set \(reject.placed([set])): it was good "
                    + "until \(notAfter); ask \(asked) which certificate follows it", brief: brief)
        }
        guard case .offered = certificate.origin else { return [replaced("in")] }
        return [
            replaced("under `intermediates` of"),
            Repair(
                "or have the server send the certificate that follows \(name): that trusts nothing "
                    + "new"),
        ]
    }

    func change(_ reject: Reject) -> PolicyChange? {
        guard tolerance == 0 else { return nil }
        // Whole days since the first certificate expired, and one month more for the renewal.
        let earliest = reject.violations.compactMap(ExpiredTexts.end).min() ?? notAfter
        let ended = (time.secondsSinceEpoch - earliest.secondsSinceEpoch) / 86_400
        guard ended <= ExpiredTexts.longestEnded else { return nil }
        return PolicyChange(
            .waiver(.expired(seconds: (ended + 31) * 86_400), reason: "being renewed"),
            cost: "every certificate of its paths passes that ended no more than \(ended + 31)d "
                + "before")
    }

    /// When the certificate of an `expired` violation ended; nil for any other violation.
    private static func end(_ violation: Violation) -> UTCInstant? {
        guard case .path(.expired(_, let notAfter, _, _)) = violation.reason else { return nil }
        return notAfter
    }

    /// Days that an expired certificate may have ended before, to be made to pass. The key of a
    /// certificate that ended long ago may have been put away, and be in other hands.
    private static let longestEnded: Int64 = 45
}

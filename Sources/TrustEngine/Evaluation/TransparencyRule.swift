/// How many timestamps a preset demands, and from which logs.
///
/// `chrome`: the Chrome Certificate Transparency Policy
/// (googlechrome.github.io/CertificateTransparency/ct_policy.html, as of 2026-04-15, when it ceased
/// to ask for a log of RFC 6962). Embedded timestamps: one is from a log that is qualified, usable
/// or read-only at the time of the check. They are from two distinct logs, or from three where the
/// lifetime is above 180 days; these logs are in the same states, or retired after they signed. The
/// logs have two distinct operators. Timestamps by TLS or OCSP: two, from logs that are approved at
/// the time of the check, with two distinct operators.
///
/// `apple`: Apple's Certificate Transparency policy (support.apple.com/103214, read in 2026).
/// Embedded timestamps: the same numbers as above. Apple caps how many timestamps of one operator
/// count (one of two, two of three), which comes to two distinct operators. The other way is two
/// timestamps from logs that are approved at the time of the check, one of them by TLS or OCSP.
/// Both ways need one timestamp from a log of RFC 6962. A day has 86,400 seconds, and both ends of
/// a lifetime belong to it.
struct TransparencyRule {
    let preset: TransparencyPreset
    /// The number that a layer writes instead of the preset's number; nil for the preset's number.
    let minimumTimestamps: Int?
    let minimumOperators: Int?

    init(_ requirement: TransparencyRequirement) {
        self.preset = requirement.preset
        self.minimumTimestamps = requirement.minimumSCTs
        self.minimumOperators = requirement.minimumOperators
    }

    /// The ways to meet the demand, each with the timestamps that count for it: the embedded
    /// timestamps, and the timestamps beside the certificate where there are any.
    func criteria(
        _ judgements: [TimestampFinding], endEntity: Certificate
    ) -> [TransparencyCriterion] {
        let embedded = judgements.filter { $0.source == .embedded && $0.isValid }
        let way: TransparencyWay =
            isLongLived(endEntity) ? .embeddedLongLived : .embeddedShortLived
        var criteria = [criterion(.embedded, embedded, preset.needs(way))]
        guard judgements.contains(where: { $0.source != .embedded }) else { return criteria }
        let approved = judgements.filter { $0.standing == .approved }
        let besides = approved.filter { $0.source != .embedded }
        switch preset {
        case .apple:
            criteria.append(
                criterion(.besides, besides.isEmpty ? [] : approved, preset.needs(.beside)))
        case .chrome, .none:
            criteria.append(criterion(.besides, besides, preset.needs(.beside)))
        }
        return criteria
    }

    private func criterion(
        _ delivery: TransparencyCriterion.Delivery, _ counted: [TimestampFinding],
        _ needs: (logs: Int, operators: Int)
    ) -> TransparencyCriterion {
        TransparencyCriterion(
            delivery: delivery,
            logs: .init(
                needed: minimumTimestamps ?? needs.logs,
                found: Set(counted.compactMap(\.logID)).count),
            operators: .init(
                needed: minimumOperators ?? needs.operators,
                found: Set(counted.compactMap(\.operatorName)).count),
            approvedLogs: .init(
                needed: 1,
                found: Set(counted.filter { $0.standing == .approved }.compactMap(\.logID)).count),
            classicLogs: .init(
                needed: preset == .apple ? 1 : 0,
                found: Set(counted.filter { !$0.isTiled }.compactMap(\.logID)).count))
    }

    private func isLongLived(_ certificate: Certificate) -> Bool {
        let seconds =
            certificate.notAfter.secondsSinceEpoch - certificate.notBefore.secondsSinceEpoch
        return seconds + (preset == .apple ? 1 : 0) > 180 * 86_400
    }
}

/// How many timestamps a preset wants, and from whom.
///
/// `chrome`: the Chrome Certificate Transparency Policy (googlechrome.github.io/CertificateTransparency/
/// ct_policy.html, as of 2026-04-15, when it ceased to ask for a log of RFC 6962). Embedded: one from a
/// log that is qualified, usable or read-only at the time of check; from two distinct logs, above 180 days
/// of lifetime from three, that are so or retired after they signed; from two distinct operators. By TLS or
/// OCSP: two from logs that are approved at the time of check, of two distinct operators.
///
/// `apple`: Apple's Certificate Transparency policy (support.apple.com/103214, read in 2026). Embedded: as
/// above, where its cap on how many of one operator count (one of two, two of three) comes to two distinct
/// operators. Or two from logs that are approved at the time of check, one of them by TLS or OCSP. Either
/// way one from a log of RFC 6962. A day has 86,400 seconds, and both ends of a lifetime belong to it.
struct TransparencyRule {
    let preset: TransparencyPreset
    /// Instead of what the preset says, where a layer refines it.
    let minimumTimestamps: Int?
    let minimumOperators: Int?

    init(_ requirement: TransparencyRequirement) {
        self.preset = requirement.preset
        self.minimumTimestamps = requirement.minimumSCTs
        self.minimumOperators = requirement.minimumOperators
    }

    /// The ways to meet the demand, with what was found for each: the embedded timestamps, and those beside
    /// the certificate where there are any.
    func criteria(
        _ findings: [TimestampFinding], endEntity: Certificate
    ) -> [TransparencyCriterion] {
        let embedded = findings.filter { $0.source == .embedded && $0.isValid }
        var criteria = [
            criterion(
                .embedded, embedded, timestamps: isLongLived(endEntity) ? 3 : 2, operators: 2)
        ]
        guard findings.contains(where: { $0.source != .embedded }) else { return criteria }
        let approved = findings.filter { $0.standing == .approved }
        let besides = approved.filter { $0.source != .embedded }
        switch preset {
        case .apple:
            criteria.append(
                criterion(
                    .besides, besides.isEmpty ? [] : approved, timestamps: 2, operators: 1))
        case .chrome, .none:
            criteria.append(criterion(.besides, besides, timestamps: 2, operators: 2))
        }
        return criteria
    }

    private func criterion(
        _ delivery: TransparencyCriterion.Delivery, _ counted: [TimestampFinding],
        timestamps: Int, operators: Int
    ) -> TransparencyCriterion {
        TransparencyCriterion(
            delivery: delivery,
            logs: .init(
                needed: minimumTimestamps ?? timestamps,
                found: Set(counted.compactMap(\.logID)).count),
            operators: .init(
                needed: minimumOperators ?? operators,
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

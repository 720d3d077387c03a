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
        let way: TransparencyWay =
            isLongLived(endEntity) ? .embeddedLongLived : .embeddedShortLived
        var criteria = [criterion(.embedded, embedded, preset.needs(way))]
        guard findings.contains(where: { $0.source != .embedded }) else { return criteria }
        let approved = findings.filter { $0.standing == .approved }
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

/// A way of meeting a demand for timestamps.
package enum TransparencyWay: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// By those inside a certificate of at most 180 days.
    case embeddedShortLived
    /// By those inside a certificate of more.
    case embeddedLongLived
    /// With those that come by TLS or OCSP.
    case beside
}

extension TransparencyPreset {
    /// Of how many distinct logs, and of how many of their operators, timestamps are wanted. `none` counts as
    /// `chrome`: what it wants is never asked.
    package func needs(_ way: TransparencyWay) -> (logs: Int, operators: Int) {
        switch (way, self) {
        case (.embeddedShortLived, _): return (2, 2)
        case (.embeddedLongLived, _): return (3, 2)
        case (.beside, .apple): return (2, 1)
        case (.beside, .chrome), (.beside, .none): return (2, 2)
        }
    }
}

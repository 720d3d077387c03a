import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW512: an anchor set has `ignore-limits`. The finding lists which limits of the set's
    /// certificates are not enforced.
    static let ignoredLimits = LintRule(.ignoredLimits) { context in
        context.bound.anchorSets.compactMap { set in
            guard let limits = set.ignoredLimits, !limits.value.isEmpty, set.isComplete else {
                return nil
            }
            let names = limits.value.names.map { "`\($0)`" }.joined(separator: ", ")
            return Diagnostic(
                .ignoredLimits,
                "`\(set.id.value)` ignores \(names) of its anchors, whatever their certificates say",
                at: Diagnostic.Label(limits.span),
                notes: AnchorLimits.named.filter { limits.value.contains($0.limit) }.map {
                    "`\($0.name)`: " + ignored($0.limit, of: set.members, at: context.time)
                })
        }
    }

    /// What a limit would say of the members if it were enforced.
    private static func ignored(
        _ limit: AnchorLimits, of members: [BoundAnchor], at time: UTCInstant
    ) -> String {
        let limited = members.map(\.certificate).filter { has($0, limit, at: time) }
        guard let first = limited.first else {
            return limit == .dates
                ? "all certificates are within them today" : "no certificate has this limit"
        }
        let name = Words.shortened(first.subjectText, to: 200)
        let rest = Cut.rest(limited.count - 1, before: ", and ")
        guard limit == .dates else { return "`\(name)` has this limit\(rest)" }
        let when =
            first.notAfter < time
            ? "ended on \(Words.day(first.notAfter))"
            : "begins on \(Words.day(first.notBefore))"
        return "`\(name)` \(when)\(rest)"
    }

    private static func has(
        _ certificate: Certificate, _ limit: AnchorLimits, at time: UTCInstant
    ) -> Bool {
        let extensions = certificate.layout.extensions
        switch limit {
        case .dates: return time < certificate.notBefore || certificate.notAfter < time
        case .nameConstraints: return extensions.present.contains(.nameConstraints)
        case .keyPurposes: return !certificate.allowsAnyPurpose
        default: return extensions.pathLength >= 0
        }
    }
}

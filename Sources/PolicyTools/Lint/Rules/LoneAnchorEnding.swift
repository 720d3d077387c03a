import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW310: the only certificate that a rule trusts ends before the end of one of the rule's pin
    /// sets or exceptions. By that time nothing is left to pin or to except.
    static let loneAnchorEnding = LintRule(.loneAnchorEnding) { context in
        let pins = Dictionary(
            context.bound.pinSets.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first }
        )
        return context.judgedBodies.compactMap { decider, body -> Diagnostic? in
            guard let (item, certificate) = context.loneAnchor(of: body),
                certificate.notAfter >= context.time
            else { return nil }
            var latest: LaterEnd?
            for end in context.ends(of: body, decider, pins)
            where end.until > latest?.until ?? certificate.notAfter { latest = end }
            guard let latest else { return nil }
            return Diagnostic(
                .loneAnchorEnding,
                "`\(certificate.shortSubject)`, all that `\(body.name)` trusts, ends on "
                    + "\(Words.day(certificate.notAfter)), before \(latest.name), "
                    + Words.day(latest.until),
                at: Diagnostic.Label(item.span),
                labels: latest.span.map { [Diagnostic.Label($0, "ends later")] } ?? [],
                help: ["put its successor into the set before then"],
                notes: ["its subject is `\(certificate.shownSubject)`"])
        }
    }
}

/// A part of a rule that ends after its only anchor.
private struct LaterEnd {
    let name: String
    let until: UTCInstant
    let span: SourceSpan?
}

extension LintContext {
    /// The only certificate that a body trusts, with the item that names its set. Nil if there are
    /// more, if its dates are not enforced, and if not all are known.
    fileprivate func loneAnchor(
        of body: BoundBody
    ) -> (item: Located<String>, certificate: Certificate)? {
        guard let groups = anchorGroups(of: body) else { return nil }
        var found: (item: Located<String>, certificate: Certificate)?
        for (item, group) in groups {
            guard !group.isSystem, group.members.count == 1, let only = group.members.first,
                !group.ignoredLimits.contains(.dates), found?.certificate ?? only == only
            else { return nil }
            found = (item, only)
        }
        return found
    }

    /// The ends of pins, waivers and report modes that are in the future.
    fileprivate func ends(
        of body: BoundBody, _ decider: HostCoverage.Decider, _ pins: [String: BoundPinSet]
    ) -> [LaterEnd] {
        let ofPins = (body.pins?.items ?? []).compactMap { item -> LaterEnd? in
            guard let end = pins[item.value]?.enforceUntil else { return nil }
            return LaterEnd(
                name: "the end of the pins `\(item.value)`", until: end.value, span: end.span)
        }
        let ofWaivers = body.waivers.compactMap { entry in
            entry.waiver.map {
                LaterEnd(
                    name: "the end of the waiver `\(entry.check.rawValue)`", until: $0.until,
                    span: entry.key)
            }
        }
        let written = body.fields.reportOnly.compactMap { entry in
            entry.until.map {
                LaterEnd(
                    name: "the end of `report-only` for `\(entry.name)`", until: $0, span: entry.key
                )
            }
        }
        // The report modes of the rule's profile are not written in the rule.
        let ofReports =
            written.isEmpty
            ? (self.body(of: decider)?.reportOnly ?? []).map {
                LaterEnd(
                    name: "the end of `report-only` for `\($0.check.name)`", until: $0.until,
                    span: nil)
            } : written
        return ofPins + ofWaivers + ofReports
    }
}

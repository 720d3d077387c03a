import PolicyCompiler
import TrustEngine

/// A waiver or an entry of `report-only` whose parts could all be read.
struct PolicyException {
    /// The name for messages, with the rule or, for `report-only`, the profile that writes it.
    let name: String
    /// Its effect while it is in force.
    let effect: String
    let key: SourceSpan
    /// The last second in force.
    let until: UTCInstant
    /// Who accepted the risk and why, as notes.
    let background: [String]
    /// The entries of farther layers that this entry hides: an entry of `report-only` replaces the
    /// entries of the profiles below it, even after it has ended.
    var covered: [BoundReportOnly] = []

    /// Every exception of a unit, each once.
    static func all(_ context: LintContext) -> [PolicyException] {
        let policy = context.bound
        let bodies = policy.bodies([.waivers, .fields])
        let waivers = bodies.flatMap { body in
            body.waivers.compactMap { of($0, in: body.name) }
        }
        let reports = bodies.flatMap { body in
            of(body.fields, in: body.name, over: body.profile?.value, context)
        }
        let profiles = policy.profiles.flatMap { profile in
            of(profile.fields, in: profile.id.value, over: profile.parent?.value, context)
        }
        return waivers + reports + profiles
    }

    /// The entries of `report-only` of one layer.
    private static func of(
        _ fields: BoundFields, in owner: String, over profile: String?, _ context: LintContext
    ) -> [PolicyException] {
        guard !fields.reportOnly.isEmpty else { return [] }
        let farther = context.parts.layers.layers(from: profile).flatMap(\.reportOnly)
        return fields.reportOnly.compactMap { entry in
            guard var exception = of(entry, in: owner) else { return nil }
            exception.covered = farther.filter { entry.check == nil || $0.check == entry.check }
            return exception
        }
    }

    private static func of(_ waiver: BoundWaiver, in owner: String) -> PolicyException? {
        guard let value = waiver.waiver else { return nil }
        let ticket = value.ticket.map { ", ticket `\($0)`" } ?? ""
        return PolicyException(
            name: DateSentences.waiver(waiver.check.rawValue, of: owner),
            effect: waiver.check.effect, key: waiver.key, until: value.until,
            background: ["`\(value.owner)` says why: `\(value.reason)`\(ticket)"])
    }

    private static func of(_ entry: BoundReportOnly, in owner: String) -> PolicyException? {
        guard let until = entry.until else { return nil }
        return PolicyException(
            name: DateSentences.reportOnly(entry.name, of: owner), effect: entry.effect,
            key: entry.key, until: until, background: entry.note.map { ["its note: `\($0)`"] } ?? []
        )
    }
}

internal import TrustEngine

/// Checks rules that demand certificate transparency: that the rule has a log list to judge
/// timestamps by, and anchors whose certificates can have timestamps (LANGUAGE sections 8 and 10).
enum TransparencyCheck {
    static func run(
        _ policy: BoundPolicy, sets: ResolvedAnchorSets, layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        var unlisted = Unlisted()
        let demanding = Set(
            (BuiltInProfile.allCases.map(\.rawValue) + policy.profiles.map(\.id.value))
                .filter { layers.requirements(of: $0).transparency.isDemanded })
        func isConcerned(_ body: BoundBody) -> Bool {
            body.fields.writes(.transparencyPreset)
                || body.profile.map { demanding.contains($0.value) } ?? false
        }
        let ofProfiles = policy.outlines.profiles.map { $0.map(demanding.contains) ?? false }
        let bodies = policy.bodies(
            { $0.has(.fields) || ofProfiles[Int($0.profile)] }, default: { _ in true }
        ).filter(isConcerned)
        for body in bodies where layers.isSound(body.profile?.value) {
            let profile = body.profile?.value
            let demand = layers.requirements(body.fields, over: profile).transparency
            func isKnown(_ field: ProfileField) -> Bool {
                layers.isKnown([.transparencyPreset, field], in: body.fields, over: profile)
            }
            guard demand.isDemanded else { continue }
            if demand.logList == nil, isKnown(.transparencyLogList) { unlisted.add(body) }
            if isKnown(.transparencyExemptAnchors) {
                checkAnchors(body, demand, sets, layers, into: &diagnostics)
            }
        }
        for (body, others) in unlisted.bodies {
            reportUnlisted(body, others, layers, into: &diagnostics)
        }
    }

    /// Rules without a log list. Rules that take the demand from one profile share one mistake,
    /// which is reported at the first of them.
    private struct Unlisted {
        var bodies: [(body: BoundBody, others: Int)] = []
        private var bodyIndices: [String: Int] = [:]

        mutating func add(_ body: BoundBody) {
            if !body.fields.writes(.transparencyPreset), let profile = body.profile?.value {
                if let index = bodyIndices[profile] {
                    bodies[index].others += 1
                    return
                }
                bodyIndices[profile] = bodies.count
            }
            bodies.append((body, 0))
        }
    }

    private static func reportUnlisted(
        _ body: BoundBody, _ others: Int, _ layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        let (span, labels) = demand(of: body, layers)
        guard let span else { return }
        var notes = demandNotes(body, layers)
        if others > 0 {
            notes.append("so it is with \(others) more under the profile `\(profileName(body))`")
        }
        diagnostics.append(
            Diagnostic(
                .flagConflict,
                "`\(body.name)` demands certificate transparency and names no log list to judge "
                    + "timestamps by",
                at: Diagnostic.Label(span), labels: labels,
                help: [
                    "add `transparency: { log-list: ct/log_list.json }` to the rule or its profile"
                ],
                notes: notes))
    }

    private static func checkAnchors(
        _ body: BoundBody, _ demand: TransparencyRequirement, _ sets: ResolvedAnchorSets,
        _ layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        guard let anchors = body.anchors, !anchors.items.isEmpty,
            anchors.items.allSatisfy({ isPrivate($0.value, sets) }),
            Set(anchors.items.map(\.value)).isDisjoint(with: demand.exemptAnchors)
        else { return }
        let (span, labels) = self.demand(of: body, layers)
        let demanded = span.map { [Diagnostic.Label($0, "demanded here")] } ?? []
        let ids = Set(anchors.items.map(\.value)).sorted().joined(separator: ", ")
        diagnostics.append(
            Diagnostic(
                .flagConflict,
                "every anchor of `\(body.name)` is private, and private CAs log no certificate, so no "
                    + "path has the timestamps it demands",
                at: Diagnostic.Label(anchors.span), labels: demanded + labels,
                help: [
                    "write `transparency: { exempt-anchors: [\(ids)] }` or "
                        + "`transparency: { preset: none }`",
                    "if the CAs are public, say so in their set: `standard: web-pki`",
                ],
                notes: demandNotes(body, layers)))
    }

    /// Whether no member of a set is known to be a public CA. False for `pinned-keys` and for a set
    /// that could not be read, since their members are not known.
    private static func isPrivate(_ id: String, _ sets: ResolvedAnchorSets) -> Bool {
        guard let set = sets[id], set.isComplete else { return false }
        return !set.groups.isEmpty
            && set.groups.allSatisfy { !$0.isSystem && $0.standard == .rfc5280 }
    }

    /// Where the demand of a rule is written: the span in the rule itself; or the span of the
    /// profile's name, with a label at the setting in the profile.
    private static func demand(
        of body: BoundBody, _ layers: ProfileLayers
    ) -> (span: SourceSpan?, labels: [Diagnostic.Label]) {
        if let own = body.fields.setting(.transparencyPreset) { return (own.span, []) }
        let setting = layers.setting(
            .transparencyPreset, in: body.fields, over: body.profile?.value)
        return (
            body.profile?.span,
            setting.map { [Diagnostic.Label($0.span, "this profile demands it")] } ?? []
        )
    }

    /// A note for a demand that no file of the unit holds.
    private static func demandNotes(_ body: BoundBody, _ layers: ProfileLayers) -> [String] {
        let setting = layers.setting(
            .transparencyPreset, in: body.fields, over: body.profile?.value)
        return setting == nil ? ["the built-in profile `ats` demands it: `preset: apple`"] : []
    }

    private static func profileName(_ body: BoundBody) -> String { body.profile?.value ?? "" }
}

internal import TrustEngine

/// Checks what the anchors of a rule need from the rest of the rule. `pinned-keys` must be the only
/// item and needs pins that can be anchors; a set with a constraint `sct` needs a log list
/// (LANGUAGE sections 5 and 10).
enum RuleAnchorsCheck {
    static func run(
        _ policy: BoundPolicy, sets: ResolvedAnchorSets, layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        let pinSets = Dictionary(
            policy.pinSets.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
        var judged: Set<String> = []
        func isConcerned(_ id: String) -> Bool {
            id == "pinned-keys" || sets[id]?.looksAtSCTs ?? false
        }
        let lists = policy.outlines.anchors.map { $0.contains(where: isConcerned) }
        let bodies = policy.bodies(
            { lists[Int($0.anchors)] },
            default: { body in (body.anchors?.items ?? []).contains { isConcerned($0.value) } })
        for body in bodies {
            checkPinnedKeys(body, into: &diagnostics)
            checkTimestamps(body, sets, layers, into: &diagnostics)
            guard let item = body.pinnedKeys else { continue }
            for id in body.pins?.items ?? [] where judged.insert(id.value).inserted {
                guard let set = pinSets[id.value] else { continue }
                for pin in set.keys + set.backups where pin.position == .intermediate {
                    reportIntermediate(pin, of: set, item, body, into: &diagnostics)
                }
            }
        }
    }

    private static func checkPinnedKeys(
        _ body: BoundBody, into diagnostics: inout [Diagnostic]
    ) {
        guard let item = body.pinnedKeys, let anchors = body.anchors else { return }
        if let other = anchors.items.first(where: { $0.value != item.value }) {
            diagnostics.append(
                Diagnostic(
                    .flagConflict,
                    "`\(body.name)` trusts `\(other.value)` beside `pinned-keys`: either what it pins "
                        + "is the only anchor, or sets are",
                    at: Diagnostic.Label(item.span),
                    labels: [Diagnostic.Label(other.span, "the other set")],
                    help: [
                        "write `anchors: [pinned-keys]`, or leave it out: pins hold beside other "
                            + "anchors, too"
                    ]))
        }
        guard body.pins == nil, !body.mayHavePins else { return }
        diagnostics.append(
            Diagnostic(
                .flagConflict,
                "`\(body.name)` has `pinned-keys` as its anchors but pins nothing, so nothing could "
                    + "be trusted",
                at: Diagnostic.Label(item.span), help: ["name pin sets under `pins`"]))
    }

    private static func reportIntermediate(
        _ pin: BoundPin, of set: BoundPinSet, _ item: Located<String>, _ body: BoundBody,
        into diagnostics: inout [Diagnostic]
    ) {
        diagnostics.append(
            Diagnostic(
                .flagConflict,
                "`\(pin.id.value)` of `\(set.id.value)` is pinned `at: intermediate`, but with "
                    + "`pinned-keys` a path ends at the pinned key, so it is never between",
                at: Diagnostic.Label(pin.key.span),
                labels: [Diagnostic.Label(item.span, "the anchors of `\(body.name)`")],
                help: ["write `at: ca`, which is satisfied by the anchor too"]))
    }

    private static func checkTimestamps(
        _ body: BoundBody, _ sets: ResolvedAnchorSets, _ layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        let looking = (body.anchors?.items ?? []).first { sets[$0.value]?.looksAtSCTs ?? false }
        guard let looking, layers.isSound(body.profile?.value),
            layers.isKnown([.transparencyLogList], in: body.fields, over: body.profile?.value),
            layers.requirements(body.fields, over: body.profile?.value).transparency.logList == nil
        else { return }
        let constraint = sets.set(looking.value)?.constraints?.part("sct")
        diagnostics.append(
            Diagnostic(
                .flagConflict,
                "`\(looking.value)` is trusted by the time of a signed certificate timestamp, and "
                    + "`\(body.name)` names no log list to read timestamps by",
                at: Diagnostic.Label(looking.span),
                labels: constraint.map { [Diagnostic.Label($0, "asked for here")] } ?? [],
                help: ["for example `transparency: { log-list: ct/log_list.json }`"]))
    }
}

extension BoundBody {
    /// The item `pinned-keys` of `anchors`; nil if it is not there.
    var pinnedKeys: Located<String>? {
        anchors?.items.first { $0.value == "pinned-keys" }
    }
}

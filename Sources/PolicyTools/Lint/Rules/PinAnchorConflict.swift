import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW407: a rule demands a pin set of which no key in service can be on a path to the rule's
    /// anchors, as far as the unit's certificates show. The rule then rejects every connection.
    static let pinAnchorConflict = LintRule(.pinAnchorConflict) { context in
        let sets = Dictionary(
            context.bound.pinSets.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first }
        )
        let lists = context.bound.outlines.anchors.map { $0.allSatisfy(context.isOwn) }
        let bodies = context.bound.bodies(
            { $0.has(.pins) && lists[Int($0.anchors)] }, default: { _ in true })
        return bodies.flatMap { body -> [Diagnostic] in
            guard let items = body.pins?.items, !items.isEmpty,
                let anchors = context.ownAnchors(of: body), context.pinsBind(body)
            else { return [] }
            return items.compactMap { item in
                guard let set = sets[item.value], set.isComplete, context.binds(set) else {
                    return nil
                }
                var reasons: [String] = []
                for pin in set.keys {
                    guard let reason = context.conflict(pin, anchors) else { return nil }
                    reasons.append(reason)
                }
                guard let first = set.keys.first, !reasons.isEmpty else { return nil }
                return Diagnostic(
                    .pinAnchorConflict,
                    "`\(body.name)` rejects everything: no key in service of `\(item.value)` leads to its "
                        + "anchors",
                    at: Diagnostic.Label(item.span),
                    labels: [Diagnostic.Label(first.key.span, "pinned here")]
                        + (body.anchors.map { [Diagnostic.Label($0.key, "the anchors")] } ?? []),
                    help: [
                        "pin a key that these anchors vouch for, or trust those that vouch for the pinned "
                            + "one"
                    ], notes: Array(reasons.prefix(3)))
            }
        }
    }
}

extension LintContext {
    /// The anchors of a body, if the unit knows all of them: none is from the machine's store and
    /// none is a pinned key.
    fileprivate func ownAnchors(of body: BoundBody) -> KnownCertificates.Anchors? {
        guard isKnown(body) else { return nil }
        var groups: [ResolvedAnchorSets.Group] = []
        for item in body.anchors?.items ?? [] {
            guard isOwn(item.value), let resolution = parts.anchorSets[item.value] else {
                return nil
            }
            groups += resolution.groups
        }
        return groups.isEmpty ? nil : KnownCertificates.Anchors(groups)
    }

    /// Whether the unit knows every anchor of a set: none is from the machine's store.
    fileprivate func isOwn(_ id: String) -> Bool {
        guard let resolution = parts.anchorSets[id] else { return false }
        return resolution.isComplete && !resolution.groups.contains(where: \.isSystem)
    }

    /// Whether the rule demands today a path to the anchors and pins on that path.
    fileprivate func pinsBind(_ body: BoundBody) -> Bool {
        !isTolerated([.path, .pins], by: body) && !isReported(.pins, by: body)
    }

    /// Whether a mismatch of a set rejects today.
    fileprivate func binds(_ set: BoundPinSet) -> Bool {
        (set.onExpiry?.value ?? .fail) == .fail
            || set.enforceUntil.map { DatedTerm.isInForce(until: $0.value, at: time) } ?? true
    }

    /// Why a pin matches no certificate on any path to the anchors; nil if it may match one.
    fileprivate func conflict(_ pin: BoundPin, _ anchors: KnownCertificates.Anchors) -> String? {
        var reason: String?
        for match in pin.key.matches {
            let carriers = known.carriers(of: match)
            if pin.position == .anchor {
                if carriers.contains(where: anchors.holds) { return nil }
                reason = "`\(pin.id.value)` is pinned `at: anchor`, and is none of the anchors"
                continue
            }
            guard !carriers.isEmpty else { return nil }
            for carrier in carriers {
                guard case .elsewhere(let root) = known.end(of: carrier, anchors) else {
                    return nil
                }
                let name = Words.shortened(carrier.subjectText, to: 200)
                let top = Words.shortened(root.subjectText, to: 200)
                reason =
                    carrier == root
                    ? "`\(pin.id.value)` is `\(name)`, which signs itself and is none of the anchors"
                    : "`\(pin.id.value)` is `\(name)`, issued under `\(top)`, which is none of the "
                        + "anchors"
            }
        }
        return reason
    }
}

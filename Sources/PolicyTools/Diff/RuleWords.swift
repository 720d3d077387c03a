import Rendering
import TrustEngine

/// A rule of one policy, as far as the words about its changes need it.
struct RuleWords {
    let body: BehaviourBody?
    /// The rule's id; empty for `default`.
    let id: String
    /// The profile that the rule names; `baseline` where it names none.
    let profile: String
    /// Every pin set of the policy, by its id.
    let pinSets: [String: PinSetContents]
    let pinNames: [String]
    let waivers: [Waiver]
    let reportOnly: [ReportOnly]

    /// The rule with an index and its behaviour.
    ///
    /// - Parameter pinSets: every pin set of the policy, by its id.
    init(
        _ behaviour: Behaviour, _ contents: PolicyContents, _ index: Int,
        _ pinSets: [String: PinSetContents]
    ) {
        self.pinSets = pinSets
        if index != HostClass.byDefault {
            id = contents.rules[index].id
            profile = contents.rules[index].body.profile
            waivers = contents.rules[index].body.waivers
            reportOnly = contents.rules[index].body.reportOnly
        } else {
            id = ""
            var written: RuleBody?
            if case .body(let fallback) = contents.defaultRule { written = fallback }
            profile = written?.profile ?? ""
            waivers = written?.waivers ?? []
            reportOnly = written?.reportOnly ?? []
        }
        switch behaviour {
        case .deny:
            self.body = nil
            pinNames = []
        case .body(let body):
            self.body = body
            pinNames = body.pins.map(\.id)
        }
    }

    /// The exceptions that are in force at an instant, in words with their ends and limits.
    func exceptions(at time: UTCInstant) -> [(path: String, text: String)] {
        waivers.filter { $0.isInForce(at: time) }.map { waiver in
            (
                path: "waivers.\(waiver.tolerance.name)",
                text: "waived until \(DiffSentences.last(waiver.until))"
                    + (waiver.tolerance.limitText.map { ", \($0)" } ?? "")
            )
        }
            + reportOnly.filter { DatedTerm.isInForce(until: $0.until, at: time) }.map {
                (
                    path: "report-only.\($0.check.name)",
                    text: "reported until \(DiffSentences.last($0.until))"
                )
            }
    }
}

extension RuleWords {
    /// The waivers in force by which a server is accepted for which no authority vouches, or none
    /// for its name.
    func open(at time: UTCInstant) -> [PolicyDiff.Surface.Waived] {
        guard body != nil else { return [] }
        let all = waivers.filter { $0.isInForce(at: time) }.map {
            PolicyDiff.Surface.Waived(path: "waivers.\($0.tolerance.name)", until: $0.until)
        }
        return FieldGravity.strangers.flatMap { path in all.filter { $0.path == path } }
    }
}

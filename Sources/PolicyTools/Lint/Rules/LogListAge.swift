import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW520: a rule's log list is older than the rule allows, so that every connection that must
    /// have timestamps is rejected. Not reported where an old list is not a failure.
    static let logListStale = LintRule(.logListStale) { context in
        LogListAge.findings(context) { issued, last in
            guard last < context.time else { return nil }
            return LayerContradiction(
                code: .logListStale,
                message: "every connection that must have timestamps is rejected: the log list of "
                    + "\(Words.day(issued)) could be used until "
                    + "\(Words.day(last)), by `transparency.log-list-maximum-age`",
                help: [LogListAge.help])
        }
    }

    /// HW521: the same happens within the horizon. Told in the last third of the time for which a
    /// list may be used, since even a new list ends within the usual horizon.
    static let logListAgeing = LintRule(.logListAgeing) { context in
        LogListAge.findings(context) { issued, last in
            let left = last.secondsSinceEpoch - context.time.secondsSinceEpoch
            let whole = last.secondsSinceEpoch - issued.secondsSinceEpoch
            guard left >= 0, left <= whole / 3, last <= context.horizon else { return nil }
            return LayerContradiction(
                code: .logListAgeing,
                message: "the log list of \(Words.day(issued)) may be used until "
                    + "\(Words.day(last)), "
                    + DateSentences.fromNow(last, context.time)
                    + "; after that every connection that must have timestamps is rejected",
                help: [LogListAge.help])
        }
    }
}

/// The age of the log lists that rules judge timestamps by.
enum LogListAge {
    static let help =
        "put the present list in its place; a program may also hand a newer one over when it loads the "
        + "table"

    /// The fields that decide whether a list is too old, the list itself first.
    private static let fields: [ProfileField] = [
        .transparencyLogList, .transparencyPreset, .transparencyLogListMaximumAge,
        .transparencyWhenStale,
    ]

    /// One finding for each layer that makes a list matter.
    ///
    /// - Parameter find: gets the instant of a list, and the last instant at which it is young
    ///   enough.
    static func findings(
        _ context: LintContext,
        _ find: (UTCInstant, UTCInstant) -> LayerContradiction?
    ) -> [Diagnostic] {
        guard !context.bound.logLists.isEmpty else { return [] }
        return context.contradictions(
            among: fields, reportedBy: [.transparency]
        ) { requirements, _ in
            let requirement = requirements.transparency
            guard requirement.isDemanded, requirement.whenStale == .fail,
                let list = context.logList(of: requirement)
            else { return nil }
            return find(list.issued, requirement.isFreshUntil(listOf: list.issued))
        }.filter { !context.isTransparencyWaived(at: $0.primary.span) }
    }
}

extension LintContext {
    /// Whether a span lies in a rule that waives transparency.
    fileprivate func isTransparencyWaived(at span: SourceSpan) -> Bool {
        bound.bodies { !$0.waivers.isEmpty }.contains { body in
            isTolerated([.transparency], by: body)
                && body.fields.settings.contains { $0.span == span }
        }
    }

    /// The log list that a demand for transparency is judged by; nil where it has none or the list
    /// could not be read.
    func logList(of requirement: TransparencyRequirement) -> LogList? {
        requirement.logList.flatMap { logLists[$0] }
    }
}

import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW414: the only key in service of a pin set is the key of a certificate that ends within a
    /// third of the horizon, 30 days unless `--horizon` says otherwise. HW406 uses the same time
    /// for the end of the set itself.
    static let loneKeyEnding = LintRule(.loneKeyEnding) { context in
        let horizon = context.time.advanced(bySeconds: context.options.horizon / 3)
        // The rules on anchors report certificates that are anchors.
        let anchors = Set(context.bound.anchorSets.flatMap { $0.members.map(\.certificate) })
        return context.bound.pinSets.compactMap { set in
            guard set.isComplete, set.keys.count == 1, let pin = set.keys.first,
                pin.key.matches.count == 1, let match = pin.key.matches.first
            else { return nil }
            // A key with several certificates lasts as long as the last of these.
            let carriers = context.known.carriers(of: match)
            guard let last = carriers.max(by: { $0.notAfter < $1.notAfter }),
                last.notAfter <= horizon, anchors.isDisjoint(with: carriers)
            else { return nil }
            let seconds = last.notAfter.secondsSinceEpoch - context.time.secondsSinceEpoch
            let end = Words.day(last.notAfter)
            return Diagnostic(
                .loneKeyEnding,
                "`\(pin.id.value)`, the only key in service of `\(set.id.value)`, is that of "
                    + "`\(Words.shortened(last.subjectText, to: 200))`, which "
                    + (seconds < 0
                        ? "ended on \(end)"
                        : "ends on \(end), \(DateSentences.days(seconds)) from now"),
                at: Diagnostic.Label(pin.key.span),
                help: [
                    "pin the key of the next certificate beside it before that day; if it is the same key, "
                        + "name the new certificate"
                ])
        }
    }
}

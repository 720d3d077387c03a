/// Records which patterns match a host, which pattern decides, and why the other patterns do not.
package enum RuleSelectionTrace {
    /// Records the patterns that match a host. Does nothing for a sink that keeps no steps, because
    /// finding the other patterns costs work.
    static func record<Sink: TraceSink>(
        _ winner: PatternMatch?, host: CanonicalHost, port: UInt16, engine: Engine,
        into sink: inout Sink
    ) {
        guard Sink.keepsSteps else { return }
        let table = engine.table
        guard let winner else {
            sink.record(.rule(defaultStep(engine)))
            return
        }
        let selected = table.pattern(at: Int(winner.pattern))
        sink.record(
            .pattern(
                PatternStep(
                    pattern: selected.canonicalText, rule: ruleID(winner, table),
                    outcome: .selected)))
        record(losersTo: winner, selected, host: host, port: port, table: table, into: &sink)
        sink.record(
            .rule(
                step(
                    Int(winner.rule), selection: .pattern(selected.canonicalText), engine: engine)))
    }

    /// Records the patterns that match and do not decide, the most specific first.
    private static func record<Sink: TraceSink>(
        losersTo winner: PatternMatch, _ selected: HostPattern, host: CanonicalHost, port: UInt16,
        table: PolicyTable, into sink: inout Sink
    ) {
        for loser in table.candidates(host, port: port) where loser.pattern != winner.pattern {
            let pattern = table.pattern(at: Int(loser.pattern))
            sink.record(
                .pattern(
                    PatternStep(
                        pattern: pattern.canonicalText, rule: ruleID(loser, table),
                        outcome: selected.precedence(over: pattern))))
        }
    }

    private static func ruleID(_ match: PatternMatch, _ table: PolicyTable) -> String {
        table.text(table.rule(at: Int(match.rule)).id)
    }

    private static func defaultStep(_ engine: Engine) -> RuleStep {
        engine.table.deniesByDefault
            ? RuleStep(
                rule: "", selection: .defaultDeny, profile: "", anchors: [], pins: [],
                guarantee: nil)
            : step(engine.table.ruleCount, selection: .defaultBody, engine: engine)
    }

    private static func step(
        _ index: Int, selection: RuleStep.Selection, engine: Engine
    ) -> RuleStep {
        let table = engine.table
        let rule = table.rule(at: index)
        return RuleStep(
            rule: table.text(rule.id), selection: selection, profile: table.text(rule.profile),
            anchors: engine.idsOfSets(trustedBy: rule),
            pins: (0..<Int(rule.pins.count)).map {
                table.text(table.pinSet(at: table.index(rule.pins, $0)).id)
            }, guarantee: engine.requirements(of: rule).revocation.guarantee,
            logListDigest: engine.logList(of: rule)?.digest)
    }
}

extension HostPattern {
    /// Why this pattern decides and not `loser`, where both match one host (LANGUAGE section 11.4).
    package func precedence(over loser: HostPattern) -> PatternStep.Outcome {
        if host == loser.host { return .portWins }
        switch (host, loser.host) {
        case (.name, _), (.address, _): return .exactWins
        case (.network, _): return .longerPrefixWins
        case (.oneLabel(let one), .oneLabel(let other)),
            (.oneLabel(let one), .anyLabels(let other)),
            (.anyLabels(let one), .oneLabel(let other)),
            (.anyLabels(let one), .anyLabels(let other)):
            return one == other ? .oneLabelWins : .moreLabelsWin
        // A pattern of names and a pattern of addresses match no common host.
        case (.oneLabel, .name), (.oneLabel, .address), (.oneLabel, .network),
            (.anyLabels, .name), (.anyLabels, .address), (.anyLabels, .network):
            return .exactWins
        }
    }
}

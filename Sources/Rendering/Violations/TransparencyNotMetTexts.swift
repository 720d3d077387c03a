import TrustEngine

extension TransparencyNotMetTexts {
    /// The demand and the timestamps found.
    var headline: String {
        let leaf = Words.name(report.certificate)
        guard !report.timestamps.isEmpty else {
            let wanted = report.criteria.first.map { " \(TransparencySentences.wanted($0))" } ?? ""
            return
                "\(leaf) comes with no signed certificate timestamp; `\(report.preset)` wants them"
                + wanted
        }
        let ways = report.criteria.map { criterion in
            "\(TransparencySentences.wanted(criterion)), found "
                + TransparencySentences.found(criterion)
        }
        return "`\(report.preset)` wants timestamps of \(leaf) \(ways.joined(separator: "; or "))"
    }

    var citation: String { "LANGUAGE §8" }

    func forEndUser(_ situation: Situation) -> String {
        "too little shows that the certificate of `\(situation.host)` was made public, as "
            + "\(situation.rule) demands"
    }

    /// The problems of the timestamps that do not count.
    private var problems: [TimestampProblem] {
        report.timestamps.compactMap { finding in
            guard case .unusable(let problem) = finding.standing else { return nil }
            return problem
        }
    }

    /// Chosen by the problems of the timestamps.
    func readings(_ situation: Situation) -> [SideReading] {
        let problems = Set(problems.map(\.id))
        func only(_ some: [TimestampProblem]) -> Bool {
            !problems.isEmpty && problems.isSubset(of: some.map(\.id))
        }
        if only([.inFuture]) {
            return [
                .init(.thisMachine, "its clock, or the time that was asked about, is wrong"),
                declared("its timestamps lie in the future"),
            ]
        }
        if problems.contains(TimestampProblem.badSignature.id) {
            return [
                .impostor("a timestamp is forged: its log did not sign this certificate"),
                declared("it sends timestamps of another certificate"),
            ]
        }
        let hidden = SideReading.impostor(
            "a certificate issued by mistake is kept out of the logs")
        if only([.unknownLog, .logNotApprovedYet(since: report.logListIssued)]) {
            let day = Words.day(report.logListIssued)
            return [
                hidden,
                .init(.policy, "its list of logs, of \(day), does not have the logs that signed"),
            ]
        }
        if only([.issuerUnknown]) {
            return [
                hidden,
                declared(
                    "it does not send its issuer's certificate, without which no embedded "
                        + "timestamp counts"),
            ]
        }
        return [
            hidden,
            declared(
                report.timestamps.isEmpty
                    ? "its issuer embedded no timestamp, and it sends none"
                    : "its issuer logged too little"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        let newer = Repair(
            "put a newer log list in its place and compile anew, if these logs are new: "
                + Reject.logList)
        return [
            Repair(
                "ask whoever runs `\(reject.host)`, by another way than this connection, whether "
                    + "this certificate is theirs: what no log holds may have been issued to "
                    + "somebody else",
                brief: "ask whoever runs it, by another way, whether the certificate is theirs",
                kind: .question)
        ] + (problems.contains(.unknownLog) ? [newer] : []) + [
            Repair(
                "have a public authority issue \(Words.name(report.certificate)) anew: they embed "
                    + "timestamps of enough logs")
        ]
    }

    /// A log that is not listed, or a forged timestamp, says nothing of the server.
    func change(_ reject: Reject) -> PolicyChange? {
        guard reject.sawHandshake, !problems.contains(.unknownLog),
            !problems.contains(.badSignature)
        else { return nil }
        return PolicyChange(
            .reportOnly(.transparency),
            cost: "what no log holds may have been issued to somebody else")
    }
}

/// Revocation evidence in JSON: what each piece of evidence says, and which evidence is still
/// wanted.
enum EvidenceFields {
    static func answers(_ answers: [RevocationAnswer]) -> JSONValue { .array(answers.map(answer)) }

    static func answer(_ answer: RevocationAnswer) -> JSONValue {
        .members([
            ("source", .string(answer.source.name)), ("digest", .string(answer.digest.text)),
            ("thisUpdate", text(answer.thisUpdate)), ("nextUpdate", text(answer.nextUpdate)),
            ("finding", finding(answer.finding)),
            (
                "summary",
                .string("\(EvidenceSentences.name(answer)) \(EvidenceSentences.clause(answer))")
            ),
        ])
    }

    private static func finding(_ finding: RevocationAnswer.Finding) -> JSONValue {
        switch finding {
        case .good: return .members([("kind", .string("good"))])
        case .revoked(let reason, let date):
            return .members([
                ("kind", .string("revoked")), ("reason", .string(reason.name)),
                ("date", .string(date.description)),
            ])
        case .unusable(let problem):
            return .members([
                ("kind", .string("unusable")), ("problem", .string(problem.id)),
                ("cause", .string(problem.cause.name)),
            ])
        }
    }

    static func standings(
        _ standings: [RevocationStanding], certificate: (CertificateReference) -> JSONValue
    ) -> JSONValue {
        .array(
            standings.map { standing in
                var fields = [("certificate", certificate(standing.certificate))]
                switch standing.finding {
                case .good(let source):
                    fields += [("kind", .string("good")), ("source", .string(source.name))]
                case .shortLived: fields.append(("kind", .string("short-lived")))
                case .letPass(let cause):
                    fields += [("kind", .string("let-pass")), ("cause", .string(cause.name))]
                }
                return .members(fields + [("answers", answers(standing.answers))])
            })
    }

    static func records(_ records: [EvidenceRecord]) -> JSONValue {
        .array(
            records.map { record in
                .members([
                    ("source", .string(record.source.name)),
                    ("digest", .string(record.digest.text)),
                    (
                        "problem",
                        record.problem.map { problem in
                            .members([
                                ("field", .string(problem.field)),
                                ("reason", .string(problem.reason)),
                                ("offset", .whole(problem.offset)),
                            ])
                        } ?? .null
                    ),
                ])
            })
    }

    static func wanted(_ wanted: [WantedEvidence]) -> JSONValue {
        .array(
            wanted.map { wanted in
                .members([
                    ("source", .string(wanted.source.name)), ("url", .string(wanted.url)),
                    ("subject", .string(wanted.certificate.subjectText)),
                    ("serial", .string(Hexadecimal.encode(wanted.serial))),
                    ("issuerKey", .string(wanted.issuerKey.text)),
                ])
            })
    }

    private static func text(_ instant: UTCInstant?) -> JSONValue {
        instant.map { .string($0.description) } ?? .null
    }
}

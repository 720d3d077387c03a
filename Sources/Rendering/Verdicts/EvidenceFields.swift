import PolicyReading
import TrustEngine

/// Revocation evidence in JSON: what each piece of evidence says, and which evidence is still
/// wanted.
enum EvidenceFields {
    static func answers(_ answers: [RevocationAnswer]) -> JSONValue { .array(answers.map(answer)) }

    static func answer(_ answer: RevocationAnswer) -> JSONValue {
        .object([
            "source": answer.source.name, "digest": text(answer.digest?.text),
            "thisUpdate": text(answer.thisUpdate), "nextUpdate": text(answer.nextUpdate),
            "finding": finding(answer.finding),
            "summary": "\(EvidenceSentences.name(answer)) \(EvidenceSentences.clause(answer))",
            "filters": answer.filters.map(filters),
        ])
    }

    /// How filters were asked.
    private static func filters(_ asked: AskedFilters) -> JSONValue {
        .object([
            "file": text(asked.file), "asked": asked.asked, "newest": text(asked.newest),
            "timestamps": asked.timestamps, "cover": asked.cover.map(cover) ?? JSONValue.null,
            "youth": asked.youth.map(youth) ?? JSONValue.null,
        ])
    }

    private static func cover(_ cover: AskedFilters.Cover) -> JSONValue {
        .object([
            "log": cover.log.text, "logName": text(cover.logName),
            "time": cover.time.description, "from": cover.from.description,
            "until": cover.until.description,
        ])
    }

    private static func youth(_ youth: AskedFilters.Youth) -> JSONValue {
        .object([
            "since": youth.since.description, "earliest": youth.earliest.description,
            "ageSeconds": youth.age,
            "passesUntil": text(youth.passesUntil), "passes": youth.passes,
        ])
    }

    private static func finding(_ finding: RevocationAnswer.Finding) -> JSONValue {
        switch finding {
        case .good: return .object(["kind": "good"])
        case .revoked(let reason, let date):
            return .object(["kind": "revoked", "reason": reason.name, "date": date.description])
        case .revokedByFilter:
            return .object([
                "kind": "revoked", "reason": JSONValue.null, "date": JSONValue.null,
            ])
        case .unusable(let problem):
            return .object(["kind": "unusable", "problem": problem.id, "cause": problem.cause.name])
        }
    }

    static func standings(
        _ standings: [RevocationStanding], certificate: (CertificateReference) -> JSONValue
    ) -> JSONValue {
        .array(
            standings.map { standing in
                var fields: JSONMembers = ["certificate": certificate(standing.certificate)]
                switch standing.finding {
                case .good(let source):
                    fields += ["kind": "good", "source": source.name]
                case .shortLived: fields += ["kind": "short-lived"]
                case .letPass(let cause):
                    fields += ["kind": "let-pass", "cause": cause.name]
                }
                return .object(fields + ["answers": answers(standing.answers)])
            })
    }

    static func records(_ records: [EvidenceRecord]) -> JSONValue {
        .array(
            records.map { record in
                .object([
                    "source": record.source.name, "digest": record.digest.text,
                    "problem": record.problem.map { problem in
                        JSONValue.object([
                            "field": problem.field, "reason": problem.reason,
                            "offset": problem.offset,
                        ])
                    } ?? .null,
                ])
            })
    }

    static func wanted(_ wanted: [WantedEvidence]) -> JSONValue {
        .array(
            wanted.map { wanted in
                .object([
                    "source": wanted.source.name, "url": wanted.url,
                    "subject": wanted.certificate.subjectText,
                    "serial": Hexadecimal.encode(wanted.serial), "issuerKey": wanted.issuerKey.text,
                ])
            })
    }

    private static func text(_ instant: UTCInstant?) -> JSONValue { text(instant?.description) }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

import Rendering

/// Writes everything that a comparison found as JSON. The form is `grammar/diff.schema.json`.
enum DiffJSON {
    /// The name of the format, with its version.
    private static let schema = "hawser/diff/1"

    static func render(_ report: DiffReport) -> String {
        let outcome: [(String, JSONValue?)]
        switch report.outcome {
        case .notCompared(let failure):
            outcome = [
                ("compared", .bool(false)), ("reason", .string(failure.context)),
                ("isOurFault", .bool(failure.isOurs)),
            ]
        case .compared(let answers):
            outcome = [
                ("compared", .bool(true)), ("comparisons", .array(answers.map(comparison))),
            ]
        }
        let head: [(String, JSONValue?)] = [
            ("schema", .string(schema)), ("unit", .string(report.unit)),
            ("command", .string(report.command)),
        ]
        return JSONValue.object(head + outcome).render(.pretty) + "\n"
    }

    private static func comparison(_ answer: DiffAnswer) -> JSONValue {
        let diff = answer.diff
        let counts = diff.counts
        return .object([
            ("unit", .optional(diff.unit)), ("old", side(diff.old)), ("new", side(diff.new)),
            ("since", .string(diff.since.description)), ("relation", relation(diff.relation)),
            ("headline", .string(DiffSentences.headline(diff))),
            (
                "kinds",
                .array(
                    KindCounts(diff).list.map {
                        .object([
                            ("kind", .string($0.kind.name)), ("classes", .integer($0.classes)),
                        ])
                    })
            ),
            (
                "counts",
                .object([
                    ("classes", .integer(counts.classes)),
                    ("intervals", .integer(counts.intervals)),
                    ("weaker", .integer(counts.weaker)),
                    ("incomparable", .integer(counts.incomparable)),
                    ("stricter", .integer(counts.stricter)), ("equal", .integer(counts.equal)),
                    ("notCompared", .integer(0)),
                ])
            ), ("changes", .array(diff.changes.map(change))),
            ("surfaces", .array(diff.surfaces.map(surface))),
            (
                "systemStore",
                diff.question.options.store.map {
                    .object([
                        ("digest", .string($0.digest.text)), ("authorities", .integer($0.count)),
                    ])
                }
            ),
            (
                "idle",
                .array(
                    diff.idle.map {
                        .object([
                            ("sentence", .string($0.sentence)),
                            ("location", .location($0.location)),
                        ])
                    })
            ), ("approvals", ApprovalSentences(answer.approvals).json),
            ("guards", guards(answer.guards)),
            ("judged", .integer(answer.requests.judged)),
            ("notJudged", .array(answer.requests.unjudged.map { .string($0) })),
            (
                "flips",
                .array(
                    answer.requests.flips.map {
                        .object([
                            ("source", .string($0.source)), ("accepts", .bool($0.accepts)),
                            ("before", .string($0.before)), ("after", .string($0.after)),
                            ("oldPaths", $0.paths.old.json), ("newPaths", $0.paths.new.json),
                        ])
                    })
            ),
        ])
    }

    private static func side(_ side: DiffSide) -> JSONValue {
        .object([
            ("name", .string(side.name)), ("revision", .optional(side.revision)),
            ("policyDigest", .string(side.policyDigest.text)),
        ])
    }

    private static func relation(_ relation: Relation) -> JSONValue {
        .string(DiffSentences.relation(relation))
    }

    // MARK: A change

    private static func change(_ change: PolicyDiff.Change) -> JSONValue {
        .object([
            ("relation", relation(change.relation)), ("kind", .string(change.kind.name)),
            ("source", .string(change.source.text)),
            ("hosts", .array(change.hosts.map(hosts))),
            ("classes", .array(change.classes.map(hostClass))),
            (
                "witness",
                .object([
                    ("host", .string(change.witness.host.text)),
                    ("port", .integer(change.witness.port)),
                ])
            ),
            (
                "carvedOutOf",
                change.former.map {
                    .object([("pattern", .optional($0.pattern)), ("rule", .string($0.rule))])
                }
            ),
            (
                "rules",
                .array(
                    change.rules.map {
                        .object([("old", rule($0.old)), ("new", rule($0.new))])
                    })
            ),
            (
                "owners",
                .array(
                    change.owners.map {
                        .object([
                            ("owner", .optional($0.owner)), ("rules", .integer($0.rules)),
                            ("classes", .integer($0.classes)),
                        ])
                    })
            ), ("intervals", .array(change.intervals.map(interval))),
            (
                "terms",
                .array(
                    change.terms.map {
                        .object([
                            ("path", .string($0.field.path)),
                            ("relation", relation($0.field.relation)),
                            ("from", .string($0.field.from)), ("to", .string($0.field.to)),
                            ("remarks", .array($0.field.remarks.map { .string($0) })),
                            ("usual", .optional($0.usual)),
                        ])
                    })
            ),
            ("places", .array(places(change))), ("authorities", authorities(change.authorities)),
            ("setOwner", .optional(change.setOwner)),
            ("files", .array(change.files.map { .string($0) })),
            (
                "asWhole",
                .array(
                    DiffSentences.sortedWholes(change).map {
                        .object([
                            ("relation", relation($0.relation)), ("classes", .integer($0.classes)),
                        ])
                    })
            ), ("stricterIn", .array(change.stricterFields.paths.map { .string($0) })),
            (
                "digests",
                .object(
                    change.digests.sorted { $0.key < $1.key }.map {
                        ($0.key, .array($0.value.map { .string($0) }))
                    })
            ), ("allowance", .optional(change.allowance)),
        ])
    }

    private static func hosts(_ hosts: PolicyDiff.HostText) -> JSONValue {
        .object([
            ("pattern", .optional(hosts.pattern)), ("port", hosts.port.map { .integer($0) }),
            ("except", .array(hosts.exceptions.map { .string($0) })),
            ("exceptionsLeftOut", .integer(hosts.omitted)),
            ("unicode", hosts.spelling.map { .string($0.unicode) }),
            (
                "mixedScripts",
                hosts.spelling.map { .array($0.mixed.map { .string($0) }) }
            ), ("resembles", hosts.spelling?.resembles.map { .string($0) }),
        ])
    }

    private static func hostClass(_ hosts: HostClass) -> JSONValue {
        .object([
            ("pattern", .optional(hosts.pattern?.canonicalText)),
            ("port", (hosts.port ?? hosts.pattern?.port).map { .integer($0) }),
        ])
    }

    private static func rule(_ rule: RuleReference) -> JSONValue {
        .object([
            ("id", .string(rule.id)), ("owner", .optional(rule.owner)),
            ("location", .location(rule.location)),
        ])
    }

    private static func interval(_ interval: PolicyDiff.Interval) -> JSONValue {
        .object([
            ("from", .string(interval.from.description)), ("relation", relation(interval.relation)),
            (
                "fields",
                .array(
                    interval.fields.map {
                        .object([
                            ("path", .string($0.path)), ("relation", relation($0.relation)),
                            ("from", .string($0.from)), ("to", .string($0.to)),
                            ("remarks", .array($0.remarks.map { .string($0) })),
                        ])
                    })
            ),
        ])
    }

    private static func places(_ change: PolicyDiff.Change) -> [JSONValue] {
        change.places.sorted { $0.key < $1.key }.flatMap { path, places in
            places.map {
                .object([
                    ("path", .string(path)), ("old", $0.old?.json ?? .null),
                    ("new", $0.new?.json ?? .null),
                ])
            }
        }
    }

    // MARK: Authorities

    private static func authorities(_ change: PolicyDiff.AuthorityChange) -> JSONValue {
        func list(_ authorities: [PolicyDiff.Authority]) -> JSONValue {
            .array(
                authorities.map {
                    .object([
                        ("set", .string($0.set)), ("subject", .optional($0.subject)),
                        ("keyDigest", .optional($0.keyDigest?.text)),
                    ])
                })
        }
        return .object([
            ("added", list(change.added)), ("removed", list(change.removed)),
            (
                "rekeyed",
                change.rekeyed.isEmpty
                    ? nil
                    : .array(
                        change.rekeyed.map {
                            .object([
                                ("set", .string($0.set)), ("subject", .string($0.subject)),
                                ("oldKey", .string($0.oldKey.text)),
                                ("newKey", .string($0.newKey.text)),
                            ])
                        })
            ),
        ])
    }

    private static func surface(_ surface: PolicyDiff.Surface) -> JSONValue {
        func count(_ count: PolicyDiff.Surface.Count?) -> JSONValue {
            guard let count else { return .null }
            return .object([
                ("listed", .integer(count.listed)), ("system", .bool(count.holdsStore)),
                ("pinnedKeys", .bool(count.arePinnedKeys)),
                ("counted", count.stored.map { .integer($0) }),
                (
                    "anyone",
                    .array(
                        count.open.map {
                            .object([
                                ("waiver", .string($0.path)),
                                ("until", .string($0.until.description)),
                            ])
                        })
                ),
            ])
        }
        return .object([
            ("example", .string(DiffSentences.text(surface.example))),
            ("classes", .integer(surface.classes)),
            ("before", count(surface.before)), ("after", count(surface.after)),
            ("authorities", authorities(surface.change)),
        ])
    }
}

extension DiffJSON {
    /// The member `guards`; nil where it is not known whether there are any.
    static func guards(_ guards: GuardAnswer?) -> JSONValue? {
        switch guards {
        case nil: return nil
        case .notCompared(let reason)?:
            return .object([("compared", .bool(false)), ("reason", .string(reason))])
        case .compared(let changes)?:
            return .object([
                ("compared", .bool(true)), ("changes", .array(changes.map(guardChange))),
            ])
        }
    }

    private static func guardChange(_ change: GuardChange) -> JSONValue {
        .object([
            ("kind", .string(change.kind.rawValue)),
            ("relation", .string(DiffSentences.relation(change.relation))),
            ("name", .string(change.name)), ("sentence", .string(change.sentence)),
            ("details", .array(change.details.map { .string($0) })),
            (
                "place",
                change.place.map {
                    .object([
                        ("file", .string($0.file)), ("line", .integer($0.line)),
                        ("column", .integer($0.column)),
                        ("side", .string($0.isNew ? "new" : "old")),
                    ])
                }
            ), ("oldOwner", .optional(change.oldOwner)), ("newOwner", .optional(change.newOwner)),
            ("isOfThisChange", .bool(change.isOfThisChange)), ("fails", .bool(change.fails)),
            ("needsApproval", .bool(change.needsApproval)),
        ])
    }
}

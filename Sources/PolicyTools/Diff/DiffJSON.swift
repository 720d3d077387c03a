import Rendering
import TrustEngine

/// Writes everything that a comparison found as JSON. The form is `grammar/diff.schema.json`.
enum DiffJSON {
    /// The name of the format, with its version.
    private static let schema = "hawser/diff/1"

    static func render(_ report: DiffReport) -> String {
        let outcome: JSONMembers
        switch report.outcome {
        case .notCompared(let failure):
            outcome = ["compared": false, "reason": failure.context, "isOurFault": failure.isOurs]
        case .compared(let answers):
            outcome = ["compared": true, "comparisons": answers.map(comparison)]
        }
        let head: JSONMembers = ["schema": schema, "unit": report.unit, "command": report.command]
        return JSONValue.object(head + outcome).render(.pretty) + "\n"
    }

    private static func comparison(_ answer: DiffAnswer) -> JSONValue {
        let diff = answer.diff
        let counts = diff.counts
        return .object([
            "unit": diff.unit, "old": side(diff.old), "new": side(diff.new),
            "since": diff.since.description, "relation": relation(diff.relation),
            "headline": DiffSentences.headline(diff),
            "kinds": KindCounts(diff).list.map {
                JSONValue.object(["kind": $0.kind.name, "classes": $0.classes])
            },
            "counts": JSONValue.object([
                "classes": counts.classes, "intervals": counts.intervals, "weaker": counts.weaker,
                "incomparable": counts.incomparable, "stricter": counts.stricter,
                "equal": counts.equal, "notCompared": 0,
            ]), "changes": diff.changes.map(change), "surfaces": diff.surfaces.map(surface),
            "systemStore": diff.question.options.store.map {
                JSONValue.object(["digest": $0.digest.text, "authorities": $0.count])
            },
            "idle": diff.idle.map {
                JSONValue.object([
                    "sentence": $0.sentence, "location": JSONValue.location($0.location),
                ])
            }, "approvals": ApprovalSentences(answer.approvals).json,
            "guards": guards(answer.guards), "judged": answer.requests.judged,
            "notJudged": answer.requests.unjudged,
            "flips": answer.requests.flips.map {
                JSONValue.object([
                    "source": $0.source, "accepts": $0.accepts, "before": $0.before,
                    "after": $0.after, "oldPaths": $0.paths.old.json, "newPaths": $0.paths.new.json,
                ])
            },
        ])
    }

    private static func side(_ side: DiffSide) -> JSONValue {
        .object([
            "name": side.name, "revision": side.revision, "policyDigest": side.policyDigest.text,
        ])
    }

    private static func relation(_ relation: Relation) -> JSONValue {
        .string(DiffSentences.relation(relation))
    }

    // MARK: A change

    private static func change(_ change: PolicyDiff.Change) -> JSONValue {
        .object([
            "relation": relation(change.relation), "kind": change.kind.name,
            "source": change.source.text, "hosts": change.hosts.map(hosts),
            "classes": change.classes.map(hostClass),
            "witness": JSONValue.object([
                "host": change.witness.host.text, "port": change.witness.port,
            ]),
            "carvedOutOf": change.former.map {
                JSONValue.object(["pattern": $0.pattern, "rule": $0.rule])
            },
            "rules": change.rules.map {
                JSONValue.object(["old": rule($0.old), "new": rule($0.new)])
            },
            "owners": change.owners.map {
                JSONValue.object(["owner": $0.owner, "rules": $0.rules, "classes": $0.classes])
            }, "intervals": change.intervals.map(interval),
            "terms": change.terms.map {
                JSONValue.object([
                    "path": $0.field.path, "relation": relation($0.field.relation),
                    "from": $0.field.from, "to": $0.field.to, "remarks": $0.field.remarks,
                    "usual": $0.usual,
                ])
            }, "places": places(change), "authorities": authorities(change.authorities),
            "setOwner": change.setOwner, "files": change.files,
            "asWhole": DiffSentences.sortedWholes(change).map {
                JSONValue.object(["relation": relation($0.relation), "classes": $0.classes])
            }, "stricterIn": change.stricterFields.paths,
            "digests": JSONValue.object(
                change.digests.sorted { $0.key < $1.key }.map {
                    ($0.key, .array($0.value.map { JSONValue.string($0) }))
                }), "allowance": change.allowance,
        ])
    }

    private static func hosts(_ hosts: PolicyDiff.HostText) -> JSONValue {
        .object([
            "pattern": hosts.pattern, "port": hosts.port, "except": hosts.exceptions,
            "exceptionsLeftOut": hosts.omitted, "unicode": hosts.spelling?.unicode,
            "mixedScripts": hosts.spelling?.mixed, "resembles": hosts.spelling?.resembles,
        ])
    }

    private static func hostClass(_ hosts: HostClass) -> JSONValue {
        .object([
            "pattern": hosts.pattern?.canonicalText, "port": (hosts.port ?? hosts.pattern?.port),
        ])
    }

    private static func rule(_ rule: RuleReference) -> JSONValue {
        .object(["id": rule.id, "owner": rule.owner, "location": JSONValue.location(rule.location)])
    }

    private static func interval(_ interval: PolicyDiff.Interval) -> JSONValue {
        .object([
            "from": interval.from.description, "relation": relation(interval.relation),
            "fields": interval.fields.map {
                JSONValue.object([
                    "path": $0.path, "relation": relation($0.relation), "from": $0.from,
                    "to": $0.to, "remarks": $0.remarks,
                ])
            },
        ])
    }

    private static func places(_ change: PolicyDiff.Change) -> [JSONValue] {
        change.places.sorted { $0.key < $1.key }.flatMap { path, places in
            places.map {
                .object(["path": path, "old": $0.old?.json ?? .null, "new": $0.new?.json ?? .null])
            }
        }
    }

    // MARK: Authorities

    private static func authorities(_ change: PolicyDiff.AuthorityChange) -> JSONValue {
        func list(_ authorities: [PolicyDiff.Authority]) -> JSONValue {
            .array(
                authorities.map {
                    .object(["set": $0.set, "subject": $0.subject, "keyDigest": $0.keyDigest?.text])
                })
        }
        return .object([
            "added": list(change.added), "removed": list(change.removed),
            "rekeyed": change.rekeyed.isEmpty
                ? nil
                : JSONValue.array(
                    change.rekeyed.map {
                        JSONValue.object([
                            "set": $0.set, "subject": $0.subject, "oldKey": $0.oldKey.text,
                            "newKey": $0.newKey.text,
                        ])
                    }),
        ])
    }

    private static func surface(_ surface: PolicyDiff.Surface) -> JSONValue {
        func count(_ count: PolicyDiff.Surface.Count?) -> JSONValue {
            guard let count else { return .null }
            return .object([
                "listed": count.listed, "system": count.holdsStore,
                "pinnedKeys": count.arePinnedKeys, "counted": count.stored,
                "anyone": count.open.map {
                    JSONValue.object(["waiver": $0.path, "until": $0.until.description])
                },
            ])
        }
        return .object([
            "example": DiffSentences.text(surface.example), "classes": surface.classes,
            "before": count(surface.before), "after": count(surface.after),
            "otherPinnedKeys": surface.hasOtherPinnedKeys ? true : nil,
            "authorities": authorities(surface.change),
        ])
    }
}

extension DiffJSON {
    /// The member `guards`; nil where it is not known whether there are any.
    static func guards(_ guards: GuardAnswer?) -> JSONValue? {
        switch guards {
        case nil: return nil
        case .notCompared(let reason)?:
            return .object(["compared": false, "reason": reason])
        case .compared(let changes)?:
            return .object(["compared": true, "changes": changes.map(guardChange)])
        }
    }

    private static func guardChange(_ change: GuardChange) -> JSONValue {
        .object([
            "kind": change.kind.rawValue, "relation": DiffSentences.relation(change.relation),
            "name": change.name, "sentence": change.sentence, "details": change.details,
            "place": change.place.map {
                JSONValue.object([
                    "file": $0.file, "line": $0.line, "column": $0.column,
                    "side": $0.isNew ? "new" : "old",
                ])
            }, "oldOwner": change.oldOwner, "newOwner": change.newOwner,
            "isOfThisChange": change.isOfThisChange, "fails": change.fails,
            "needsApproval": change.needsApproval,
        ])
    }
}

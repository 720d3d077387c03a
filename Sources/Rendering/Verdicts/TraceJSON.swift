/// Writes `explain --format json`: the verdict, its typed reasons and every step, by
/// `grammar/trace.schema.json`. The steps suffice to recompute the verdict. One file because it has
/// one function for each object of that schema.
package struct TraceJSON: Sendable {
    /// The name and version of the format.
    package static let schema = "hawser/explain/1"

    private let explanation: Explanation
    private let outline: TraceOutline
    private let places: PlaceFinder
    private let table: PolicyTable?
    private let situation: Situation

    /// The JSON of an explanation, ended by a line feed. `assumptions` are the values that the
    /// caller assumed, one line each. `replay` is the outcome of replaying a receipt, where a
    /// receipt was replayed. `repairs` is what would change a reject; nil for what `RepairFinder`
    /// finds. `certificates` are those at hand: presented, and anchors. `commands` can be run next.
    package static func render(
        _ explanation: Explanation, assumptions: [String] = [], replay: JSONValue? = nil,
        repairs: [Repair]? = nil, certificates: [CertificateFacts] = [], commands: [String] = []
    ) -> String {
        TraceJSON(explanation).value(
            assumptions, replay: replay, repairs: repairs, certificates: certificates,
            commands: commands
        ).render(pretty: true) + "\n"
    }

    /// The JSON with a provenance and a table that the caller chooses, as in
    /// `ExplainDocument.text`.
    static func render(
        _ explanation: Explanation, provenance: Provenance?, table: PolicyTable? = nil,
        assumptions: [String] = []
    ) -> String {
        TraceJSON(explanation, provenance, table).value(assumptions).render(pretty: true) + "\n"
    }

    /// Makes a writer for the parts of an explanation.
    package init(_ explanation: Explanation) {
        self.init(explanation, explanation.table?.provenance(), explanation.table)
    }

    /// Makes a writer for the parts of an explanation, with a provenance and a table that the
    /// caller chooses. A program that explains often reads the provenance of a table once.
    package init(
        _ explanation: Explanation, _ provenance: Provenance?, _ table: PolicyTable? = nil
    ) {
        self.explanation = explanation
        self.outline = TraceOutline(explanation.trace)
        self.places = PlaceFinder(
            provenance: provenance, profile: outline.rule?.profile ?? "baseline")
        self.table = table
        self.situation = Situation(explanation, outline)
    }

    /// The whole explanation as a JSON value.
    package func value(
        _ assumptions: [String] = [], replay: JSONValue? = nil, repairs: [Repair]? = nil,
        certificates: [CertificateFacts] = [], commands: [String] = []
    ) -> JSONValue {
        let repairs = situation.repairs(explanation, outline, table, given: repairs)
        var members = head(schema: TraceJSON.schema)
        if let replay { members.append(("replay", replay)) }
        members.append(("assumptions", .strings(assumptions)))
        members += reasons
        members.append(("repairs", .array(repairs.map(repair))))
        // A caller that has the octets at hand gives them; a trace only names certificates.
        if !commands.isEmpty { members.append(("commands", .strings(commands))) }
        if !certificates.isEmpty {
            members.append(("certificates", .array(certificates.map(\.json))))
            let places = pinPlaces
            if !places.isEmpty { members.append(("pinPlaces", .array(places))) }
        }
        members.append(("steps", .array(steps)))
        return .members(members)
    }

    /// Where the policy writes the pins that no key met.
    private var pinPlaces: [JSONValue] {
        explanation.verdict.violations.flatMap { violation -> [JSONValue] in
            guard case .pinMismatch(let mismatch) = violation.reason else { return [] }
            return mismatch.wanted.compactMap { pin in
                places.exact(pin.pointer(in: mismatch.set)).map {
                    .members([
                        ("set", .string(mismatch.set)), ("id", .string(pin.id)),
                        ("location", .location($0)),
                    ])
                }
            }
        }
    }

    /// The verdict with its reasons as a JSON value, without repairs and steps. `members` stand
    /// behind the digests. Every other member is the member of the same name in `value`.
    package func verdictValue(
        schema: String, _ members: [(String, JSONValue)]
    ) -> JSONValue {
        .members(head(schema: schema) + members + reasons)
    }

    /// What was judged, by what, and how it came out.
    private func head(schema: String) -> [(String, JSONValue)] {
        let verdict = explanation.verdict
        var members: [(String, JSONValue)] = [
            ("schema", .string(schema)),
            ("verdict", .string(verdict.isAccept ? "accept" : "reject")),
        ]
        members += summary(verdict)
        members += [
            ("policyDigest", .string(verdict.policyDigest.text)),
            (
                "systemStoreDigest",
                verdict.systemStoreDigest.map { .string($0.text) } ?? .null
            ),
        ]
        if let list = verdict.logListDigest {
            members.append(("logListDigest", .string(list.text)))
        }
        return members
    }

    /// What the verdict follows from.
    private var reasons: [(String, JSONValue)] {
        let verdict = explanation.verdict
        var path: [CertificateReference] = []
        var reported: [Reported] = []
        var notices: [Notice] = []
        if case .accept(let acceptance) = verdict.outcome {
            path = acceptance.path
            reported = acceptance.reported
            notices = acceptance.notices
        }
        return [
            (
                "violations",
                .array(verdict.violations.saferFirst(situation).map(violation))
            ),
            ("path", .array(path.map(certificate))),
            ("reported", .array(reported.map(report))),
            ("notices", .array(notices.map(notice))),
            ("wanted", EvidenceFields.wanted(verdict.wanted)),
        ]
    }

    /// What a person at night asks first: the question, the rule with its owner, the place that
    /// decides, and whose side a reject is.
    func summary(_ verdict: Verdict) -> [(String, JSONValue)] {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        let request = outline.request
        let authors = RuleAuthors(outline, table)
        var rule: String?
        if case .pattern? = outline.rule?.selection { rule = outline.rule?.rule }
        let ordered = verdict.violations.saferFirst(situation)
        let first = ordered.first
        let sets = SetOwners(outline, table, situation.facts).sets(of: ordered)
        let readings = first.map { $0.readings(situation) } ?? []
        return [
            ("host", text(request.map { $0.canonicalHost ?? $0.host })),
            ("port", request.map { .whole($0.port) } ?? .null),
            ("time", text(request?.time.description)),
            ("rule", text(rule)), ("owner", text(authors.owner)), ("note", text(authors.note)),
            (
                "sets",
                .array(
                    sets.map { set in
                        .members([
                            ("section", .string(set.section.rawValue)), ("id", .string(set.id)),
                            ("owner", text(set.owner)),
                            (
                                "location",
                                .location(places.named(set.section.rawValue, set.id))
                            ),
                        ])
                    })
            ),
            ("place", decidingPlace(first)),
            ("side", text(readings.first?.side.rawValue)),
            (
                "readings",
                .array(
                    readings.map { reading in
                        .members([
                            ("side", .string(reading.side.rawValue)),
                            ("summary", .string(reading.words)),
                        ])
                    })
            ),
        ]
    }

    /// The place of the demand that the first violation breaks. Where no demand stands in a file of
    /// the policy, and of an accept, it is the place of the rule.
    private func decidingPlace(_ first: Violation?) -> JSONValue {
        if let first, case .object(let members) = place(of: first, first.check),
            members.contains(where: { $0.key == "file" })
        {
            return .object(members)
        }
        guard let rule = outline.rule else { return .null }
        return place(rule.rule.isEmpty ? "/default" : "/rules/\(rule.rule)")
    }

    // MARK: Reasons

    /// A violation with its typed fields and its sentences.
    package func violation(_ violation: Violation) -> JSONValue {
        let check = violation.check
        let head: [(String, JSONValue)] = [
            ("id", .string(violation.id)),
            ("check", .string(check.rawValue)),
            ("side", .string(violation.side(situation).rawValue)),
            ("summary", .string(violation.headline(situation))),
            ("forEndUser", .string(violation.forEndUser(situation))),
            ("citation", .string(violation.citation)),
            ("place", place(of: violation, check)),
        ]
        return .members(head + ViolationFields(certificate: certificate).fields(violation))
    }

    /// A violation as records of decisions have it: the members that quote neither host nor
    /// certificate.
    package func recorded(_ violation: Violation) -> JSONValue {
        let check = violation.check
        return .members([
            ("id", .string(violation.id)), ("check", .string(check.rawValue)),
            ("side", .string(violation.side(situation).rawValue)),
            ("place", place(of: violation, check)),
        ])
    }

    /// The sentence that says why (`VerdictSentence`).
    package var sentence: String? {
        VerdictSentence.text(explanation.verdict, outline, situation)
    }

    /// The rule that decided; empty for `default`, nil when no rule decided.
    package var decidingRule: String? {
        outline.rule.flatMap { $0.selection == .defaultDeny ? nil : $0.rule }
    }

    /// Whether no pattern of the policy matches the host, which then `default` decides.
    package var isUnmatched: Bool {
        switch outline.rule?.selection {
        case .defaultBody, .defaultDeny: return true
        case .pattern, nil: return false
        }
    }

    /// What the evaluation cost.
    package var work: WorkStep? { outline.work }

    private func place(of violation: Violation, _ check: Check) -> JSONValue {
        if case .anchorConstraintNotMet(let failure) = violation.reason {
            return place(places.pointer(of: failure))
        }
        guard let pointer = outline.demands(of: check).last?.pointer else { return .null }
        return place(violation.pointer(pointer))
    }

    /// A pointer, with the place that it resolves to through the layers of the rule.
    private func place(_ pointer: String) -> JSONValue {
        var fields: [(String, JSONValue)] = [("pointer", .string(pointer))]
        switch places.place(of: pointer) {
        case .written(let location, let layer):
            switch layer {
            case .rule: fields.append(("layer", .string("rule")))
            case .profile(let id): fields.append(("layer", .string("profile \(id)")))
            }
            fields += [
                ("file", .string(location.file)),
                ("line", .whole(location.line)),
                ("column", .whole(location.column)),
            ]
        case .builtIn(let profile): fields.append(("layer", .string("built-in \(profile)")))
        case .unknown: fields.append(("layer", .string("unknown")))
        }
        return .members(fields)
    }

    /// A failure that did not reject.
    package func report(_ reported: Reported) -> JSONValue {
        var fields: [(String, JSONValue)] = [("violation", violation(reported.violation))]
        switch reported.reason {
        case .waived(let until):
            fields += [("reason", .string("waived")), ("until", .string(until.description))]
        case .reportOnly(let until):
            fields.append(("reason", .string("report-only")))
            if let until { fields.append(("until", .string(until.description))) }
        }
        return .members(fields)
    }

    /// A fact that the caller of an accept should know.
    package func notice(_ notice: Notice) -> JSONValue {
        var fields: [(String, JSONValue)] = [
            ("id", .string(notice.id)), ("summary", .string(CheckSentences.notice(notice))),
        ]
        switch notice {
        case .pinAgeing(let set, let until):
            fields += [
                ("set", .string(set)),
                ("enforceUntil", until.map { .string($0.description) } ?? .null),
            ]
        case .pinOverdue(let set, let until):
            fields += [("set", .string(set)), ("enforceUntil", .string(until.description))]
        case .tableStale(let confirmed, let until):
            fields += [
                ("confirmed", .string(confirmed.description)),
                ("until", .string(until.description)),
            ]
        case .issuance(let breaches):
            fields.append(("breaches", .array(breaches.map(breach))))
        case .tlsAssumed, .searchIncomplete:
            break
        }
        return .members(fields)
    }

    private func breach(_ breach: IssuanceBreach) -> JSONValue {
        .members([
            ("demand", .string(breach.demand)), ("certificate", certificate(breach.certificate)),
            ("found", .string(breach.found)),
        ])
    }

    private func repair(_ repair: Repair) -> JSONValue {
        .members(
            [("text", .string(repair.text)), ("snippet", .strings(repair.snippet))]
                + (repair.edit.map { [("edit", edit($0))] } ?? []))
    }

    private func edit(_ edit: PolicyEdit) -> JSONValue {
        .members([
            ("file", .string(edit.file)), ("line", .whole(edit.line)),
            ("replaced", .whole(edit.replaced)), ("lines", .strings(edit.lines)),
            ("placeholders", .strings(edit.placeholders)),
        ])
    }

    /// A certificate of a path.
    package func certificate(_ reference: CertificateReference) -> JSONValue {
        let origin: [(String, JSONValue)]
        switch reference.origin {
        case .presented(let index):
            origin = [("kind", .string("presented")), ("index", .whole(index))]
        case .offered(let set): origin = [("kind", .string("offered")), ("set", .string(set))]
        case .anchor(let set): origin = [("kind", .string("anchor")), ("set", .string(set))]
        }
        return .members([
            ("position", .whole(reference.position)), ("origin", .members(origin)),
            ("subject", .string(reference.subject)),
            ("fingerprint", .string(reference.fingerprint.text)),
        ])
    }

    // MARK: Steps

    /// The listed steps of the trace.
    var steps: [JSONValue] {
        explanation.trace.steps.filter(\.isListed).map { step in
            .members([("step", .string(step.id))] + fields(step))
        }
    }

    /// The instant until which a table is fresh.
    package static func freshness(_ freshness: TableFreshness) -> JSONValue {
        .members(
            [
                ("confirmed", .string(freshness.confirmed.description)),
                ("until", .string(freshness.until.description)),
                ("whenStale", .string(freshness.whenStale.rawValue)),
            ] + (freshness.expires.map { [("expires", .string($0.description))] } ?? [])
                // The traces of tables without dates stay what they were.
                + (freshness.basis == .issued ? [("basis", .string("issued"))] : []))
    }

    private func fields(_ step: TraceStep) -> [(String, JSONValue)] {
        switch step {
        case .engine(let step):
            return [
                ("policyDigest", .string(step.policyDigest.text)),
                (
                    "systemStoreDigest",
                    step.systemStoreDigest.map { .string($0.text) } ?? .null
                ),
            ]
                + (step.freshness.map { [("freshness", TraceJSON.freshness($0))] } ?? [])
        case .request(let step):
            return [
                ("host", .string(step.host)),
                ("canonicalHost", step.canonicalHost.map { .string($0) } ?? .null),
                ("port", .whole(step.port)), ("time", .string(step.time.description)),
                ("presented", .whole(step.presented)), ("tls", TraceJSON.tls(step.tls)),
            ]
        case .pattern(let step):
            return [
                ("pattern", .string(step.pattern)), ("rule", .string(step.rule)),
                ("outcome", .string(step.outcome.rawValue)),
                ("location", .location(places.pattern(step.pattern, rule: step.rule))),
            ]
        case .rule(let step): return fields(step)
        case .certificate(let step):
            return [("index", .whole(step.index))] + fields(step.status)
        case .presentedKey, .issuerAddresses, .misplacedEndEntity:
            // These steps are not listed.
            return []
        case .demand(let step):
            return [
                ("check", .string(step.check.rawValue)),
                ("enforcement", enforcement(step.enforcement)),
                ("place", step.pointer.map(place) ?? .null),
            ]
        case .path(let step):
            return [
                ("number", .whole(step.number)),
                ("certificates", .array(step.certificates.map(certificate))),
                ("end", end(step.end)),
            ]
        case .check(let step):
            return [
                ("path", .whole(step.path)), ("check", .string(step.check.rawValue)),
                ("citation", .string(step.check.citation)),
                ("outcome", outcome(step.outcome)), ("notices", .array(step.notices.map(notice))),
            ] + (step.wanted.isEmpty ? [] : [("wanted", EvidenceFields.wanted(step.wanted))])
        case .search(let step):
            return [("end", end(step.end)), ("limit", .whole(step.limit))]
        case .work(let step):
            return [
                ("spent", .whole(step.spent)), ("limit", .whole(step.limit)),
                ("signatures", .whole(step.signatures)), ("paths", .whole(step.paths)),
            ]
        }
    }

    private func fields(_ step: RuleStep) -> [(String, JSONValue)] {
        let selection: JSONValue
        switch step.selection {
        case .pattern(let pattern):
            selection = .members([("kind", .string("pattern")), ("pattern", .string(pattern))])
        case .defaultBody: selection = .members([("kind", .string("default"))])
        case .defaultDeny: selection = .members([("kind", .string("default-deny"))])
        }
        return [
            ("rule", .string(step.rule)), ("selection", selection),
            ("profile", .string(step.profile)), ("anchors", .strings(step.anchors)),
            ("pins", .strings(step.pins)),
            ("revocationGuarantee", step.guarantee.map(GuaranteeSentences.fields) ?? .null),
            ("location", .location(places.rule(step.rule))),
        ] + (step.logListDigest.map { [("logListDigest", .string($0.text))] } ?? [])
    }

    private func fields(_ status: CertificateStep.Status) -> [(String, JSONValue)] {
        switch status {
        case .read(let subject, let fingerprint):
            return [
                ("status", .string("read")), ("subject", .string(subject)),
                ("fingerprint", .string(fingerprint.text)),
            ]
        case .duplicate(let first):
            return [("status", .string("duplicate")), ("of", .whole(first))]
        case .setAside(let error):
            return [
                ("status", .string("set-aside")), ("field", .string(error.field)),
                ("reason", .string(error.reason)), ("offset", .whole(error.offset)),
            ]
        }
    }

    /// The known TLS parameters of the connection.
    package static func tls(_ state: TLSState) -> JSONValue {
        switch state {
        case .observed(let parameters):
            return .members([("state", .string("observed"))] + fields(parameters))
        case .enforced(let parameters, let rule, let digest):
            return .members(
                [
                    ("state", .string("enforced")), ("rule", .string(rule)),
                    ("policyDigest", .string(digest.text)),
                ] + fields(parameters))
        case .assumed(let parameters):
            return .members([("state", .string("assumed"))] + fields(parameters))
        case .notSupplied:
            return .members([("state", .string("not-supplied"))])
        case .cleartext:
            return .members([("state", .string("cleartext"))])
        }
    }

    private static func fields(_ parameters: TLSParameters) -> [(String, JSONValue)] {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return [
            ("version", text(parameters.version?.name)),
            ("cipherSuite", text(parameters.cipherSuite)), ("group", text(parameters.group)),
            ("signatureScheme", text(parameters.signatureScheme)),
            ("alpn", text(parameters.alpn)),
        ]
    }

    private func enforcement(_ enforcement: DemandStep.Enforcement) -> JSONValue {
        switch enforcement {
        case .enforced: return .members([("kind", .string("enforced"))])
        case .reported(let until):
            return .members(
                [("kind", .string("reported"))]
                    + (until.map { [("until", .string($0.description))] } ?? []))
        case .waived(let until, let limit):
            return .members(
                [("kind", .string("waived")), ("until", .string(until.description))]
                    + fields(limit))
        }
    }

    /// The limit of a waiver: in seconds, or a value of the field that the waiver is about.
    private func fields(_ limit: DemandStep.WaiverLimit?) -> [(String, JSONValue)] {
        switch limit {
        case nil: return [("limitSeconds", .null)]
        case .tolerance(let seconds): return [("limitSeconds", .whole(seconds))]
        case .demands(let ids):
            return [("limitSeconds", .null), ("demands", .strings(ids))]
        case .rsaMinimum(let bits):
            return [("limitSeconds", .null), ("downTo", .string("\(bits)"))]
        case .minimumHash(let hash):
            return [("limitSeconds", .null), ("downTo", .string(hash.name))]
        case .minimumVersion(let version):
            return [("limitSeconds", .null), ("downTo", .string(version.name))]
        }
    }

    private func end(_ end: PathStep.End) -> JSONValue {
        switch end {
        case .anchor(let set, let standard):
            return .members([
                ("kind", .string("anchor")), ("set", .string(set)),
                ("standard", .string(standard.name)),
            ])
        case .deadEnd: return .members([("kind", .string("dead-end"))])
        case .endEntityAlone: return .members([("kind", .string("end-entity-alone"))])
        }
    }

    private func end(_ end: SearchStep.End) -> JSONValue {
        switch end {
        case .satisfied(let path):
            return .members([("kind", .string("satisfied")), ("path", .whole(path))])
        case .exhausted: return .members([("kind", .string("exhausted"))])
        case .budget: return .members([("kind", .string("budget"))])
        case .notBegun: return .members([("kind", .string("not-begun"))])
        }
    }

    private func outcome(_ outcome: CheckStep.Outcome) -> JSONValue {
        switch outcome {
        case .passed(let passed):
            return .members([
                ("kind", .string("passed")), ("found", passed.map(self.passed) ?? .null),
            ])
        case .failed(let violations):
            return .members([
                ("kind", .string("failed")), ("violations", .array(violations.map(violation))),
            ])
        case .tolerated(let reported):
            return .members([
                ("kind", .string("tolerated")), ("reported", .array(reported.map(report))),
            ])
        case .notAsked: return .members([("kind", .string("not-asked"))])
        }
    }

    private func passed(_ passed: CheckStep.Passed) -> JSONValue {
        switch passed {
        case .identity(let reference, let presented):
            return .members([("wanted", .string(reference)), ("presented", .string(presented))])
        case .pins(let hits):
            return .members([
                (
                    "pins",
                    .array(
                        hits.map { hit in
                            .members([
                                ("set", .string(hit.set)), ("entry", .string(hit.entry)),
                                ("backup", .bool(hit.isBackup)), ("position", .whole(hit.position)),
                            ])
                        })
                )
            ])
        case .validity(let notBefore, let notAfter):
            return .members([
                ("notBefore", .string(notBefore.description)),
                ("notAfter", .string(notAfter.description)),
            ])
        case .signatures(let count): return .members([("verified", .whole(count))])
        case .anchor(let set): return .members([("set", .string(set))])
        case .constraints(let set, let keys):
            return .members([("set", .string(set)), ("constraints", .strings(keys))])
        case .intermediates(let maximum, let actual):
            return .members([("maximum", .whole(maximum)), ("actual", .whole(actual))])
        case .purposes(let wanted, let allowed):
            return .members([("wanted", .strings(wanted)), ("allowed", .strings(allowed))])
        case .keys(let types, let rsaMinimum, let found):
            return .members([
                ("types", .strings(types)), ("rsaMinimum", .whole(rsaMinimum)),
                ("found", .strings(found)),
            ])
        case .signatureAlgorithms(let minimumHash, let schemes, let found):
            return .members([
                ("minimumHash", .string(minimumHash)), ("schemes", .strings(schemes)),
                ("found", .strings(found)),
            ])
        case .lifetime(let maximum, let actual):
            return .members([
                ("maximumSeconds", .whole(maximum)), ("seconds", .whole(actual)),
            ])
        case .tls(let version, let minimum, let maximum, let parameters):
            let matches = parameters.map { match -> JSONValue in
                .members([
                    ("parameter", .string(match.parameter)), ("found", .string(match.found)),
                    ("allowed", .strings(match.allowed)),
                ])
            }
            return .members(
                [
                    ("version", .string(version.name)), ("minimumVersion", .string(minimum.name)),
                    ("maximumVersion", .string(maximum.name)),
                ] + (matches.isEmpty ? [] : [("parameters", .array(matches))]))
        case .forbiddenKeys(let entries): return .members([("forbidden", .strings(entries))])
        case .certificatePolicies(let wanted, let found):
            return .members([
                ("wantedPolicies", .strings(wanted)), ("foundPolicies", .strings(found)),
            ])
        case .checks(let names): return .members([("checks", .strings(names))])
        case .exempt(let set): return .members([("exemptSet", .string(set))])
        case .transparency(let report):
            return .members([("transparency", .members(TransparencyFields.report(report)))])
        case .revocation(let standings):
            return .members([
                (
                    "revocation",
                    EvidenceFields.standings(standings, certificate: certificate)
                )
            ])
        case .evidence(let records):
            return .members([("evidence", EvidenceFields.records(records))])
        }
    }
}

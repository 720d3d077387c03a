package import PolicyReading
package import TrustEngine

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
        if let replay { members += ["replay": replay] }
        members += ["assumptions": assumptions]
        members += reasons
        members += ["repairs": repairs.map(repair)]
        // A caller that has the octets at hand gives them; a trace only names certificates.
        if !commands.isEmpty { members += ["commands": commands] }
        if !certificates.isEmpty {
            members += ["certificates": certificates.map(\.json)]
            let places = pinPlaces
            if !places.isEmpty { members += ["pinPlaces": places] }
        }
        members += ["steps": steps]
        return .object(members)
    }

    /// Where the policy writes the pins that no key met.
    private var pinPlaces: [JSONValue] {
        explanation.verdict.violations.flatMap { violation -> [JSONValue] in
            guard case .pinMismatch(let mismatch) = violation.reason else { return [] }
            return mismatch.wanted.compactMap { pin in
                places.exact(pin.pointer(in: mismatch.set)).map {
                    .object(["set": mismatch.set, "id": pin.id, "location": JSONValue.location($0)])
                }
            }
        }
    }

    /// The verdict with its reasons as a JSON value, without repairs and steps. `members` stand
    /// behind the digests. Every other member is the member of the same name in `value`.
    package func verdictValue(schema: String, _ members: JSONMembers) -> JSONValue {
        .object(head(schema: schema) + members + reasons)
    }

    /// What was judged, by what, and how it came out.
    private func head(schema: String) -> JSONMembers {
        let verdict = explanation.verdict
        var members: JSONMembers = [
            "schema": schema, "verdict": verdict.isAccept ? "accept" : "reject",
        ]
        members += summary(verdict)
        members += [
            "policyDigest": verdict.policyDigest.text,
            "systemStoreDigest": verdict.systemStoreDigest?.text.json ?? .null,
            "logListDigest": verdict.logListDigest?.text,
        ]
        return members
    }

    /// The violations, in the order in which they are printed.
    var printedViolations: [Violation] { explanation.verdict.violations.saferFirst(situation) }

    /// What the verdict follows from.
    private var reasons: JSONMembers {
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
            "violations": printedViolations.map(violation),
            "path": path.map(certificate), "reported": reported.map(report),
            "notices": notices.map(notice), "wanted": EvidenceFields.wanted(verdict.wanted),
        ]
    }

    /// What a person at night asks first: the question, the rule with its owner, the place that
    /// decides, and whose side a reject is.
    func summary(_ verdict: Verdict) -> JSONMembers {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        let request = outline.request
        let authors = RuleAuthors(outline, table)
        var rule: String?
        if case .pattern? = outline.rule?.selection { rule = outline.rule?.rule }
        let ordered = printedViolations
        let first = ordered.first
        let sets = SetOwners(outline, table, situation.facts).sets(of: ordered)
        let readings = first.map { $0.readings(situation) } ?? []
        return [
            "host": text(request.map { $0.canonicalHost ?? $0.host }),
            "port": request?.port.json ?? .null, "time": text(request?.time.description),
            "rule": text(rule), "owner": text(authors.owner), "note": text(authors.note),
            "sets": sets.map { set in
                JSONValue.object([
                    "section": set.section.rawValue, "id": set.id, "owner": text(set.owner),
                    "location": JSONValue.location(places.named(set.section.rawValue, set.id)),
                ])
            }, "place": decidingPlace(first), "side": text(readings.first?.side.rawValue),
            "readings": readings.map { reading in
                JSONValue.object(["side": reading.side.rawValue, "summary": reading.words])
            },
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
        let head: JSONMembers = [
            "id": violation.id, "check": check.rawValue, "side": violation.side(situation).rawValue,
            "summary": violation.headline(situation), "forEndUser": violation.forEndUser(situation),
            "citation": violation.citation, "place": place(of: violation, check),
        ]
        return .object(head + ViolationFields(certificate: certificate).fields(violation))
    }

    /// A violation as records of decisions have it: the members that quote neither host nor
    /// certificate.
    package func recorded(_ violation: Violation) -> JSONValue {
        let check = violation.check
        return .object([
            "id": violation.id, "check": check.rawValue, "side": violation.side(situation).rawValue,
            "place": place(of: violation, check),
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
        var fields: JSONMembers = ["pointer": pointer]
        switch places.place(of: pointer) {
        case .written(let location, let layer):
            switch layer {
            case .rule: fields += ["layer": "rule"]
            case .profile(let id): fields += ["layer": "profile \(id)"]
            }
            fields += ["file": location.file, "line": location.line, "column": location.column]
        case .builtIn(let profile): fields += ["layer": "built-in \(profile)"]
        case .unknown: fields += ["layer": "unknown"]
        }
        return .object(fields)
    }

    /// A failure that did not reject.
    package func report(_ reported: Reported) -> JSONValue {
        var fields: JSONMembers = ["violation": violation(reported.violation)]
        switch reported.reason {
        case .waived(let until):
            fields += ["reason": "waived", "until": until.description]
        case .reportOnly(let until):
            fields += ["reason": "report-only", "until": until?.description]
        }
        return .object(fields)
    }

    /// A fact that the caller of an accept should know.
    package func notice(_ notice: Notice) -> JSONValue {
        var fields: JSONMembers = ["id": notice.id, "summary": CheckSentences.notice(notice)]
        switch notice {
        case .pinAgeing(let set, let until):
            fields += ["set": set, "enforceUntil": until?.description.json ?? .null]
        case .pinOverdue(let set, let until):
            fields += ["set": set, "enforceUntil": until.description]
        case .tableStale(let confirmed, let until):
            fields += ["confirmed": confirmed.description, "until": until.description]
        case .issuance(let breaches):
            fields += ["breaches": breaches.map(breach)]
        case .tlsAssumed, .searchIncomplete:
            break
        }
        return .object(fields)
    }

    private func breach(_ breach: IssuanceBreach) -> JSONValue {
        .object([
            "demand": breach.demand, "certificate": certificate(breach.certificate),
            "found": breach.found,
        ])
    }

    private func repair(_ repair: Repair) -> JSONValue {
        .object([
            "text": repair.text, "snippet": repair.snippet, "edit": repair.edit.map(edit),
        ])
    }

    private func edit(_ edit: PolicyEdit) -> JSONValue {
        .object([
            "file": edit.file, "line": edit.line, "replaced": edit.replaced, "lines": edit.lines,
            "placeholders": edit.placeholders,
        ])
    }

    /// A certificate of a path.
    package func certificate(_ reference: CertificateReference) -> JSONValue {
        let origin: JSONMembers
        switch reference.origin {
        case .presented(let index):
            origin = ["kind": "presented", "index": index]
        case .offered(let set): origin = ["kind": "offered", "set": set]
        case .anchor(let set): origin = ["kind": "anchor", "set": set]
        }
        return .object([
            "position": reference.position, "origin": JSONValue.object(origin),
            "subject": reference.subject, "fingerprint": reference.fingerprint.text,
        ])
    }

    // MARK: Steps

    /// The listed steps of the trace.
    var steps: [JSONValue] {
        explanation.trace.steps.filter(\.isListed).map { step in
            .object(["step": step.id] + fields(step))
        }
    }

    /// The instant until which a table is fresh.
    package static func freshness(_ freshness: TableFreshness) -> JSONValue {
        .object([
            "confirmed": freshness.confirmed.description, "until": freshness.until.description,
            "whenStale": freshness.whenStale.rawValue,
            "expires": freshness.expires?.description,
            // The traces of tables without dates stay what they were.
            "basis": freshness.basis == .issued ? "issued" : nil,
        ])
    }

    private func fields(_ step: TraceStep) -> JSONMembers {
        switch step {
        case .engine(let step):
            return [
                "policyDigest": step.policyDigest.text,
                "systemStoreDigest": step.systemStoreDigest?.text.json ?? .null,
                "freshness": step.freshness.map(TraceJSON.freshness),
            ]
        case .request(let step):
            return [
                "host": step.host, "canonicalHost": step.canonicalHost?.json ?? .null,
                "port": step.port, "time": step.time.description, "presented": step.presented,
                "tls": TraceJSON.tls(step.tls),
            ]
        case .pattern(let step):
            return [
                "pattern": step.pattern, "rule": step.rule, "outcome": step.outcome.rawValue,
                "location": JSONValue.location(places.pattern(step.pattern, rule: step.rule)),
            ]
        case .rule(let step): return fields(step)
        case .certificate(let step):
            return ["index": step.index] + fields(step.status)
        case .presentedKey, .issuerAddresses, .misplacedEndEntity:
            // These steps are not listed.
            return [:]
        case .demand(let step):
            return [
                "check": step.check.rawValue, "enforcement": enforcement(step.enforcement),
                "place": step.pointer.map(place) ?? .null,
            ]
        case .path(let step):
            return [
                "number": step.number, "certificates": step.certificates.map(certificate),
                "end": end(step.end),
            ]
        case .check(let step):
            return [
                "path": step.path, "check": step.check.rawValue, "citation": step.check.citation,
                "outcome": outcome(step.outcome), "notices": step.notices.map(notice),
                "wanted": step.wanted.isEmpty ? nil : EvidenceFields.wanted(step.wanted),
            ]
        case .search(let step):
            return ["end": end(step.end), "limit": step.limit]
        case .work(let step):
            return [
                "spent": step.spent, "limit": step.limit, "signatures": step.signatures,
                "paths": step.paths,
            ]
        }
    }

    private func fields(_ step: RuleStep) -> JSONMembers {
        let selection: JSONValue
        switch step.selection {
        case .pattern(let pattern):
            selection = .object(["kind": "pattern", "pattern": pattern])
        case .defaultBody: selection = .object(["kind": "default"])
        case .defaultDeny: selection = .object(["kind": "default-deny"])
        }
        return [
            "rule": step.rule, "selection": selection, "profile": step.profile,
            "anchors": step.anchors, "pins": step.pins,
            "revocationGuarantee": step.guarantee.map(GuaranteeSentences.fields) ?? .null,
            "location": JSONValue.location(places.rule(step.rule)),
            "logListDigest": step.logListDigest?.text,
        ]
    }

    private func fields(_ status: CertificateStep.Status) -> JSONMembers {
        switch status {
        case .read(let subject, let fingerprint):
            return ["status": "read", "subject": subject, "fingerprint": fingerprint.text]
        case .duplicate(let first):
            return ["status": "duplicate", "of": first]
        case .setAside(let error):
            return [
                "status": "set-aside", "field": error.field, "reason": error.reason,
                "offset": error.offset,
            ]
        }
    }

    /// The known TLS parameters of the connection.
    package static func tls(_ state: TLSState) -> JSONValue {
        switch state {
        case .observed(let parameters):
            return .object(["state": "observed"] + fields(parameters))
        case .enforced(let parameters, let rule, let digest):
            return .object(
                ["state": "enforced", "rule": rule, "policyDigest": digest.text]
                    + fields(parameters))
        case .assumed(let parameters):
            return .object(["state": "assumed"] + fields(parameters))
        case .notSupplied:
            return .object(["state": "not-supplied"])
        case .cleartext:
            return .object(["state": "cleartext"])
        }
    }

    private static func fields(_ parameters: TLSParameters) -> JSONMembers {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return [
            "version": text(parameters.version?.name), "cipherSuite": text(parameters.cipherSuite),
            "group": text(parameters.group), "signatureScheme": text(parameters.signatureScheme),
            "alpn": text(parameters.alpn),
        ]
    }

    private func enforcement(_ enforcement: DemandStep.Enforcement) -> JSONValue {
        switch enforcement {
        case .enforced: return .object(["kind": "enforced"])
        case .reported(let until):
            return .object(["kind": "reported", "until": until?.description])
        case .waived(let until, let limit):
            return .object(["kind": "waived", "until": until.description] + fields(limit))
        }
    }

    /// The limit of a waiver: in seconds, or a value of the field that the waiver is about.
    private func fields(_ limit: DemandStep.WaiverLimit?) -> JSONMembers {
        switch limit {
        case nil: return ["limitSeconds": JSONValue.null]
        case .tolerance(let seconds): return ["limitSeconds": seconds]
        case .demands(let ids):
            return ["limitSeconds": JSONValue.null, "demands": ids]
        case .rsaMinimum(let bits):
            return ["limitSeconds": JSONValue.null, "downTo": "\(bits)"]
        case .minimumHash(let hash):
            return ["limitSeconds": JSONValue.null, "downTo": hash.name]
        case .minimumVersion(let version):
            return ["limitSeconds": JSONValue.null, "downTo": version.name]
        }
    }

    private func end(_ end: PathStep.End) -> JSONValue {
        switch end {
        case .anchor(let set, let standard):
            return .object(["kind": "anchor", "set": set, "standard": standard.name])
        case .deadEnd: return .object(["kind": "dead-end"])
        case .endEntityAlone: return .object(["kind": "end-entity-alone"])
        }
    }

    private func end(_ end: SearchStep.End) -> JSONValue {
        switch end {
        case .satisfied(let path):
            return .object(["kind": "satisfied", "path": path])
        case .exhausted: return .object(["kind": "exhausted"])
        case .budget: return .object(["kind": "budget"])
        case .notBegun: return .object(["kind": "not-begun"])
        }
    }

    private func outcome(_ outcome: CheckStep.Outcome) -> JSONValue {
        switch outcome {
        case .passed(let passed):
            return .object(["kind": "passed", "found": passed.map(self.passed) ?? .null])
        case .failed(let violations):
            return .object(["kind": "failed", "violations": violations.map(violation)])
        case .tolerated(let reported):
            return .object(["kind": "tolerated", "reported": reported.map(report)])
        case .notAsked: return .object(["kind": "not-asked"])
        }
    }

    private func passed(_ passed: CheckStep.Passed) -> JSONValue {
        switch passed {
        case .identity(let reference, let presented):
            return .object(["wanted": reference, "presented": presented])
        case .pins(let hits):
            return .object([
                "pins": hits.map { hit in
                    JSONValue.object([
                        "set": hit.set, "entry": hit.entry, "backup": hit.isBackup,
                        "position": hit.position,
                    ])
                }
            ])
        case .validity(let notBefore, let notAfter):
            return .object(["notBefore": notBefore.description, "notAfter": notAfter.description])
        case .signatures(let count): return .object(["verified": count])
        case .anchor(let set): return .object(["set": set])
        case .constraints(let set, let keys):
            return .object(["set": set, "constraints": keys])
        case .intermediates(let maximum, let actual):
            return .object(["maximum": maximum, "actual": actual])
        case .purposes(let wanted, let allowed):
            return .object(["wanted": wanted, "allowed": allowed])
        case .keys(let types, let rsaMinimum, let found):
            return .object(["types": types, "rsaMinimum": rsaMinimum, "found": found])
        case .signatureAlgorithms(let minimumHash, let schemes, let found):
            return .object(["minimumHash": minimumHash, "schemes": schemes, "found": found])
        case .lifetime(let maximum, let actual):
            return .object(["maximumSeconds": maximum, "seconds": actual])
        case .tls(let version, let minimum, let maximum, let parameters):
            let matches = parameters.map { match -> JSONValue in
                .object([
                    "parameter": match.parameter, "found": match.found, "allowed": match.allowed,
                ])
            }
            return .object([
                "version": version.name, "minimumVersion": minimum.name,
                "maximumVersion": maximum.name, "parameters": matches.isEmpty ? nil : matches,
            ])
        case .forbiddenKeys(let entries): return .object(["forbidden": entries])
        case .certificatePolicies(let wanted, let found):
            return .object(["wantedPolicies": wanted, "foundPolicies": found])
        case .checks(let names): return .object(["checks": names])
        case .exempt(let set): return .object(["exemptSet": set])
        case .transparency(let report):
            return .object(["transparency": JSONValue.object(TransparencyFields.report(report))])
        case .revocation(let standings):
            return .object([
                "revocation": EvidenceFields.standings(standings, certificate: certificate)
            ])
        case .evidence(let records):
            return .object(["evidence": EvidenceFields.records(records)])
        }
    }
}

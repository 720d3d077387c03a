import TrustEngine

/// A reject for which advice is asked: its violations, the rule and the table that judged, and the
/// phrases that the advice on several violations shares.
///
/// A reject is often right, and the server that answered may be an attacker's. So no certificate or
/// key that it presents is offered as an anchor or a pin. Advice is words: what to do, whom to ask,
/// and for what.
struct Reject: Sendable {
    /// A violation of the reject, with the texts about it.
    struct Entry: Sendable {
        let violation: Violation
        let texts: any ViolationTexts
    }

    let outline: TraceOutline
    let entries: [Entry]
    let table: PolicyTable?
    let host: String
    let time: UTCInstant
    /// Id of the rule; empty for `default`.
    private let rule: String
    let anchors: [String]
    /// SHA-256 of presented keys, by SHA-256 of the certificate.
    private let presentedKeys: [Digest: Digest]
    let facts: RequestFacts
    /// Where presented certificates say that their issuers' are, by SHA-256 of the certificate.
    let issuerAddresses: [Digest: [String]]

    init(
        _ outline: TraceOutline, _ entries: [Entry], table: PolicyTable?,
        presentedKeys: [Digest: Digest], issuerAddresses: [Digest: [String]], facts: RequestFacts
    ) {
        self.outline = outline
        self.entries = entries
        self.table = table
        self.presentedKeys = presentedKeys
        self.issuerAddresses = issuerAddresses
        self.facts = facts
        host = outline.request.map { $0.canonicalHost ?? $0.host } ?? "the host"
        time = outline.request?.time ?? UTCInstant(secondsSinceEpoch: 0)
        rule = outline.rule?.rule ?? ""
        anchors = outline.rule?.anchors ?? []
    }

    // MARK: Facts

    var violations: [Violation] { entries.map(\.violation) }

    /// The port that was asked for.
    var port: UInt16 { outline.request?.port ?? 443 }

    /// The asked host with its port, as a pattern for both is written.
    var asked: String { HostWithPort.text(host, port) }

    var ruleName: String { rule.isEmpty ? "`default`" : "rule `\(rule)`" }

    /// Whether the path reaches one of the rule's anchors.
    var reachesAnchor: Bool { !entries.contains { $0.texts.isOfStranger } }

    /// Whether the rule's only anchors are its pinned keys.
    var trustsPinnedKeys: Bool { anchors == [PinnedKeys.setID] }

    /// Whether the TLS parameters were seen. Where they are assumed, timestamps of the handshake
    /// may be missing only because nobody handed them over.
    var sawHandshake: Bool {
        if case .observed? = outline.request?.tls { return true }
        return false
    }

    /// The table, if it is the one that judged.
    var judgingTable: PolicyTable? {
        table?.policyDigest == outline.engine?.policyDigest ? table : nil
    }

    /// The finder for the owners of the sets that the reject is about.
    var owners: SetOwners { SetOwners(outline, table, facts) }

    /// Where the demand of a check is written, for the end of a sentence; nil where it is not
    /// known.
    func demandPlace(_ check: Check) -> String? {
        guard let pointer = outline.demands(of: check).first?.pointer, let table,
            let profile = outline.rule?.profile
        else { return nil }
        let places = PlaceFinder(provenance: table.provenance(), profile: profile)
        guard case .written(let location, _) = places.place(of: pointer) else { return nil }
        return "`\(location.description)`"
    }

    /// Where the policy writes what stands at a pointer; nil where that is not known.
    func place(of pointer: String) -> String? {
        PlaceFinder(provenance: table?.provenance(), profile: "baseline").exact(pointer)?
            .description
    }

    /// Ids of anchor sets with the places that define them, where these are known.
    func placed(_ sets: [String]) -> String {
        let places = PlaceFinder(provenance: table?.provenance(), profile: "baseline")
        let named = sets.map { set in
            "`\(set)`" + (places.named("anchors", set).map { ", \($0.description)" } ?? "")
        }
        return Cut.list(named, most: 3, before: "").joined(separator: "; ")
    }

    // MARK: Who answers

    /// The server that answered, by a value that its owner can compare: its key where pins were
    /// compared, otherwise its certificate.
    var answered: String {
        for violation in violations {
            if case .pinMismatch(let mismatch) = violation.reason, let found = mismatch.found.first
            {
                return "the key `\(found.spki)` of \(Words.name(found.certificate))"
            }
        }
        if case .read(let subject, let digest)? = outline.certificates.first?.status {
            return named(subject, digest)
        }
        return "the server"
    }

    /// A presented certificate by its key and its subject. Where the key is not at hand, as in a
    /// recorded trace, by its digest. The subject is last: whoever made the certificate chose it.
    func named(_ certificate: CertificateReference) -> String {
        named(certificate.subject, certificate.fingerprint)
    }

    private func named(_ subject: String, _ digest: Digest) -> String {
        let name = "`\(Words.shortSubject(subject))`"
        guard let key = presentedKeys[digest] else {
            return "the certificate `\(digest.text)` of \(name)"
        }
        return "the key `\(KeyMatch(kind: .spki, digest: key).text)` of \(name)"
    }

    // MARK: Advice that several violations share

    func caution(_ fault: String) -> Repair {
        Repair(
            "something may be answering in place of `\(host)`: \(fault)",
            brief: "something else may be answering: ask whoever runs it, by another way",
            kind: .caution)
    }

    /// Advice whom to ask: where the rule trusts pinned keys, about a change of keys; otherwise
    /// about the certificate.
    func ask(_ more: String = "") -> Repair {
        let what =
            trustsPinnedKeys
            ? "its keys were changed\(Reject.newPin)" : "that is theirs\(more)"
        return Repair(
            "ask whoever runs `\(host)`, by another way than this connection, whether \(what)",
            brief: "", kind: .question)
    }

    /// Cautions about a certificate that does not verify under its issuer's key.
    func forgedCautions(_ certificate: CertificateReference) -> [Repair] {
        [
            caution(
                "\(named(certificate)) does not verify under the key of the authority that it "
                    + "names; anybody can write a name"), ask(),
        ]
    }

    /// Advice about a certificate that was altered.
    func altered(_ certificate: CertificateReference) -> Repair {
        Repair(
            "if it is theirs, see where it was altered on its way into the server: its authority "
                + "has the one that it issued",
            brief: "have the server send \(Words.name(certificate)) as its authority issued it")
    }

    static let newPin =
        "; if so, `hawser pin FILE` makes the pin, of a file that they hand over"

    static let refusing = Repair(
        "if nobody knows of it, nothing: refusing it is what the rule is for", kind: .refusal)

    /// Where the newest list of logs is.
    static let logList = "`https://www.gstatic.com/ct/log_list/v3/log_list.json`"

    /// Advice for a host that was asked for by its address.
    var byName: [Repair] { AddressAsked.repair(host: host, port: port).map { [$0] } ?? [] }

    /// Advice about an authority that vouches for more than it may.
    func unauthorised(_ authority: CertificateReference) -> [Repair] {
        [
            caution(
                "\(named(authority)) vouches for what it may not vouch for, directly or through "
                    + "others"), Reject.issuedAnew,
        ]
    }

    /// Advice about certificates that an authority issued with a fault.
    static let issuedAnew = Repair(
        "have the authority issue the certificates anew, without this fault")

    /// Where only `web-pki` makes a demand, the author may have meant the standard `rfc5280`.
    static let whetherPublic = Repair(
        "or, where no public authority issued it, ask whoever owns the anchor set whether "
            + "`web-pki` is meant for it: other rules may name it too")
}

// MARK: What lets more pass

extension Reject {
    /// The keys of the deciding rule that would let every violation pass; nil if a violation has
    /// none.
    var wholeChange: PolicyChange? {
        var joined: PolicyChange?
        for entry in entries {
            guard let change = entry.texts.change(self) else { return nil }
            joined = joined?.joined(with: change) ?? change
        }
        return joined
    }

    /// The change for a violation in words. A proven edit takes the place of these words.
    func untilThen(_ violation: Violation, _ change: PolicyChange?) -> [Repair] {
        guard reachesAnchor, let change else { return [] }
        // Where somebody else may be answering, nothing is said of what would let them pass.
        let situation = Situation(host: host)
        let isSuspicious = entries.contains {
            $0.texts.isInBetween(situation) && $0.texts.change(self) == nil
        }
        guard !isSuspicious else { return [] }
        // A change for several violations is told with the first of them.
        guard
            entries.first(where: { $0.texts.change(self)?.parts == change.parts })?.violation
                == violation
        else { return [] }
        let only = wholeChange == nil ? ", and only once nothing else is wrong" : ""
        return change.parts.compactMap { part in
            let text: String
            switch part {
            case .waiver(let tolerance, _):
                text =
                    "until then only a waiver of `\(tolerance.name)`, with an end, lets it "
                    + "pass\(only), \(place)"
            case .reportOnly(let check):
                let cost = change.costs.map { "; \($0)" }.joined()
                text =
                    "until then `report-only` of `\(check.name)`, with an end, lets it "
                    + "pass\(only), \(place)\(cost)"
            // The violation that has the change says it itself.
            case .revocationSources, .listedName: return nil
            }
            return Repair(text, kind: .change)
        }
    }

    /// Where a change that lets more pass may be written, as the end of a sentence. A line in a
    /// rule holds for every host that the rule covers.
    var place: String {
        let more: String
        switch RuleCoverage(outline, table) {
        case .askedHostAlone: return "in \(ruleName)"
        case .more: more = "\(ruleName) \(covered)"
        case .unknown: more = "\(ruleName) may cover more"
        }
        let moves = selectedPattern == asked ? ", to which this pattern moves" : ""
        return "in a rule of its own for `\(asked)` alone\(moves), with the same anchors and pins: "
            + more
    }

    /// The pattern that decided; nil where `default` did.
    var selectedPattern: String? {
        guard case .pattern(let pattern)? = outline.rule?.selection else { return nil }
        return pattern
    }

    /// How much the rule covers, as a verb with its object.
    var covered: String {
        guard let selected = selectedPattern else {
            return "decides every host that no rule names"
        }
        let patterns = RuleCoverage.patterns(outline, table) ?? 1
        if selected.contains("*") || selected.contains("/") {
            let others =
                patterns > 1 ? " and \(Words.count(patterns - 1, "other"))" : ""
            return "covers every host of `\(selected)`\(others)"
        }
        return patterns > 1 ? "covers \(patterns) patterns" : "covers more"
    }
}

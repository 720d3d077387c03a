package import TrustEngine

/// Finds changes that would turn a reject into an accept, from the fields of its violations.
///
/// A reject is often right, and the server that answered may be an attacker's. So no certificate
/// or key that it presents is offered as an anchor or a pin. The finder offers words alone: what to
/// do, whom to ask, and for what. Where keys of the policy would let the requested host pass,
/// `change` has them; they become lines to write only after `RepairProof` has proven them.
///
/// One file because the advice on all kinds of violations must be judged as a whole.
package struct RepairFinder: Sendable {
    let outline: TraceOutline
    private let violations: [Violation]
    let table: PolicyTable?
    let host: String
    private let time: UTCInstant
    /// Id of the rule; empty for `default`.
    private let rule: String
    let anchors: [String]
    /// SHA-256 of presented keys, by SHA-256 of the certificate.
    private let presentedKeys: [Digest: Digest]
    let facts: RequestFacts
    /// Where presented certificates say that their issuers' are, by SHA-256 of the certificate.
    let issuerAddresses: [Digest: [String]]

    /// A finder for the violations of one reject. `table` is the table that judged, and says how
    /// much the rule covers; nil where it is not at hand. `presentedKeys`, `issuerAddresses` and
    /// `facts` come from the explanation.
    package init(
        _ outline: TraceOutline, _ violations: [Violation], table: PolicyTable?,
        presentedKeys: [Digest: Digest] = [:], issuerAddresses: [Digest: [String]] = [:],
        facts: RequestFacts = RequestFacts()
    ) {
        self.presentedKeys = presentedKeys
        self.issuerAddresses = issuerAddresses
        self.facts = facts
        self.outline = outline
        self.violations = violations
        self.table = table
        self.host = outline.request.map { $0.canonicalHost ?? $0.host } ?? "the host"
        self.time = outline.request?.time ?? UTCInstant(secondsSinceEpoch: 0)
        self.rule = outline.rule?.rule ?? ""
        self.anchors = outline.rule?.anchors ?? []
    }

    /// Keys of the deciding rule that would let the request pass; nil where there are none, or
    /// where the path reaches no anchor.
    package var change: PolicyChange? {
        reachesAnchor ? changes.change(for: violations) : nil
    }

    /// The repair that a proven edit makes.
    ///
    /// - Parameters:
    ///   - isInPlace: whether the deciding rule is only for the requested host, so that no rule was
    ///     added.
    ///   - isPresent: whether the request was judged at the present time.
    package func repair(
        _ change: PolicyChange, _ edit: PolicyEdit, isInPlace: Bool, isPresent: Bool
    ) -> Repair {
        let onPorts = selectedPattern == asked ? "" : ", on every port"
        let what =
            isInPlace
            ? "write into \(ruleName), which is for `\(host)` alone\(onPorts), \(edit.place)"
            : "write a rule of its own for `\(asked)`, \(edit.place), "
                + "because \(ruleName) \(covered)"
        let missing = edit.placeholders.map { "; in place of `\($0)` put who answers for it" }
        let counted =
            isPresent || change.isLasting
            ? "" : "; its end counts from \(time), which was asked about"
        return Repair(
            (change.isLasting ? what : "until then, \(what)")
                + change.costs.map { "; \($0)" }.joined() + counted
                + missing.joined(), kind: .change, edit: edit)
    }

    /// The asked host with its port, as a pattern for both is written.
    private var asked: String { HostWithPort.text(host, outline.request?.port ?? 443) }

    /// The pattern that decided; nil where `default` did.
    private var selectedPattern: String? {
        guard case .pattern(let pattern)? = outline.rule?.selection else { return nil }
        return pattern
    }

    private var changes: ChangeFinder {
        var sawHandshake = false
        if case .observed? = outline.request?.tls { sawHandshake = true }
        return ChangeFinder(sawHandshake: sawHandshake, facts: facts)
    }

    /// Whether an anchor set of the rule holds public authorities, or whether that is not known.
    private var trustsPublicAuthorities: Bool {
        guard let table, table.policyDigest == outline.engine?.policyDigest else { return true }
        let sets = (0..<table.anchorSetCount).lazy.map { table.anchorSet(at: $0) }
        return anchors.contains { id in
            id != PinnedKeys.setID
                && (sets.first { $0.id == id }?.groups.contains(where: \.isPublic) ?? true)
        }
    }

    /// The repairs for all violations, each once. Pin violations are skipped while the path reaches
    /// no anchor: the keys on that path belong to nobody that the rule trusts.
    package var repairs: [Repair] {
        var seen: Set<Repair> = []
        var repairs: [Repair] = []
        // Of a stranger's certificate nothing matters as much as that it is a stranger's.
        let first = violations.filter(RepairFinder.isOfStranger)
        let rest = SideSentences.ordered(
            violations.filter { !RepairFinder.isOfStranger($0) }, Situation(host: host))
        for violation in first + rest {
            if violation.reason.kind == .pinMismatch, !reachesAnchor { continue }
            for repair in self.repairs(for: violation) where seen.insert(repair).inserted {
                repairs.append(repair)
            }
        }
        // Cautions stand first, what lets more pass stands last. Whoever answers chooses which
        // violations there are, and so would choose the order.
        return repairs.filter(\.isCaution)
            + repairs.filter { !$0.isCaution && !$0.isOfChange }
            + repairs.filter { !$0.isCaution && $0.isOfChange }
    }

    /// The cautions of violations by which the chain is a stranger's.
    var cautionsOfStranger: [Repair] {
        var seen: Set<Repair> = []
        return violations.filter { violation in
            if case .selfSignedLeaf(_, let sets) = violation.reason, !sets.isEmpty { return false }
            return RepairFinder.isOfStranger(violation)
        }.flatMap(repairs(for:)).filter { $0.isCaution && seen.insert($0).inserted }
    }

    /// Where the demand of a check is written, for the end of a sentence; nil where it is not
    /// known.
    private func demandPlace(_ check: Check) -> String? {
        guard let pointer = outline.demands(of: check).first?.pointer, let table,
            let profile = outline.rule?.profile
        else { return nil }
        let places = PlaceFinder(provenance: table.provenance(), profile: profile)
        guard case .written(let location, _) = places.place(of: pointer) else { return nil }
        return "`\(location.description)`"
    }

    /// The repairs for one violation: first a caution, if there is one, then the likeliest repair.
    private func repairs(for violation: Violation) -> [Repair] {
        switch violation.reason {
        case .badHost:
            return [Repair("ask for a host name, or for an address in its usual form")]
        case .noApplicableRule(let host):
            return byName + [
                Repair(
                    "write a rule for `\(host)` that names the anchors that may vouch for it: "
                        + "whoever runs it knows which authority issues its certificates")
            ]
        case .nothingPresented:
            return [
                Repair("hand over the chain that the server presents, its own certificate first")
            ]
        case .endEntityUnreadable(let error) where error.isAboutKey:
            return [Repair("have the server's certificate issued anew, for another key")]
        case .endEntityUnreadable(let error) where error.isAboutDates:
            return [
                Repair(
                    "have the server's certificate issued anew: its dates are not in the form of RFC "
                        + "5280, section 4.1.2.5")
            ]
        case .endEntityUnreadable(let error) where error.isInsideCertificate:
            return [
                Repair(
                    "have the server's certificate issued anew: its `\(error.field)` is not in the "
                        + "form of RFC 5280"),
                Repair("if its authority issued it otherwise, see where it was damaged"),
            ]
        case .endEntityUnreadable:
            return [Repair("hand over the server's own certificate first, as PEM or DER")]
        case .issuerNotFound(let last, let issuer, let unreadable):
            return issuerRepairs(last: last, issuer: issuer, isUnreadable: !unreadable.isEmpty)
        case .selfSignedLeaf(let leaf, let sets) where !sets.isEmpty:
            return AuthorityAsServer.repairs(Words.name(leaf), host: host)
        case .selfSignedLeaf:
            return selfSignedRepairs
        case .anchorNotTrusted(let top, let heldBy, _):
            return unknownAnchorRepairs(top, heldBy: heldBy)
        case .nameMismatch(let wanted, let presented):
            return nameRepairs(wanted, presented)
        case .notX509SVID(let failure): return failure.repairs
        case .pinMismatch(let mismatch):
            return pinRepairs(mismatch)
        case .path(let path): return repairs(for: path) + untilThen(violation)
        case .anchorConstraintNotMet(let failure): return constraintRepairs(failure)
        case .forbiddenKey(let found): return found.repairs
        case .checkFailed(let name, _):
            return [
                Repair("ask whoever owns this program: it registers the check `\(name)` itself")
            ]
        case .cleartext:
            return [
                Repair("use TLS"),
                Repair(
                    "until then only a waiver of `cleartext`, with an end, lets it pass, and with "
                        + "it whoever answers on the way; it belongs \(place)"),
            ]
        case .tlsNotSupplied:
            return [
                Repair(
                    "say how the server was reached: `--connect ADDRESS` sees its TLS parameters")
            ]
        case .tlsVersion(let version, let minimum, let maximum):
            return tlsVersionRepairs(version, minimum: minimum, maximum: maximum)
                + untilThen(violation)
        case .tlsForwardSecrecy:
            return [
                Repair(
                    "have the server speak `tls1.3`, or prefer suites that begin with `TLS_ECDHE_`")
            ] + untilThen(violation)
        case .tlsParameter(let parameter, _, let allowed):
            return [
                Repair(
                    "have the server use a \(ViolationSentences.words(parameter)) of "
                        + Words.list(allowed))
            ] + untilThen(violation)
        case .transparencyNotMet(let report):
            return [
                Repair(
                    "ask whoever runs `\(host)`, by another way than this connection, whether this "
                        + "certificate is theirs: what no log holds may have been issued to somebody "
                        + "else",
                    brief: "ask whoever runs it, by another way, whether the certificate is theirs",
                    kind: .question)
            ] + transparencyRepairs(report) + untilThen(violation)
        case .logListStale:
            return [
                Repair(
                    "put a newer log list in its place and compile anew: "
                        + "`https://www.gstatic.com/ct/log_list/v3/log_list.json`")
            ]
        case .revoked(let certificate, let answer):
            let first = caution(
                "\(Words.name(certificate)) was revoked, and whoever stole its key "
                    + "can answer with it")
            // `superseded` says that no key is thought to be known (X.509 section 9.5.3.1).
            if certificate.position > 0, case .revoked(.superseded, _) = answer.finding {
                return [
                    first,
                    Repair(
                        "have the server send the successor of "
                            + "\(Words.name(certificate)): its authority calls it "
                            + "superseded, and a certificate of the same name and key that is not "
                            + "revoked is accepted in its place"),
                ]
            }
            return [
                first,
                Repair(
                    "replace \(Words.name(certificate)), with a new key if the old one "
                        + "may be known: its authority has revoked it"),
            ]
        case .revocationUndetermined(let certificate, _, _)
        where facts.subjects[certificate.fingerprint]?.lacksResponderForStaple == true
            && violations.contains(where: { $0.kind == .stapleMissing }):
            // Evidence, or a report mode, leaves the missing staple.
            return []
        case .revocationUndetermined(let certificate, let cause, let answers):
            let untilThen = untilThen(violation)
            let caution = Repair(
                "ask the authority of \(Words.name(certificate)) whether it is revoked: "
                    + "whoever holds a stolen key can keep the evidence away",
                brief:
                    "ask the authority of \(Words.name(certificate)) whether it is revoked",
                kind: .question)
            return (untilThen.isEmpty ? [] : [caution])
                + RevocationSentences.repairs(
                    certificate, cause, answers, facts, ruleName: ruleName,
                    place: demandPlace(.revocation)) + untilThen
        case .stapleMissing(let certificate, let answers):
            return RevocationSentences.stapleRepairs(certificate, answers, facts)
        case .tableStale(_, _, _, let basis):
            return StaleTableSentences.repairs(basis, facts.statement)
        case .evidenceTooLarge:
            return [
                Repair(
                    "prepare large CRLs once, and give every request what was prepared: "
                        + "`PreparedEvidence`, or a file of `hawser revocations`")
            ]
        case .engineError:
            return [Repair("report it, with the output of `--trace --format json`")]
        }
    }

    // MARK: Who answers

    /// Whether the path reaches one of the rule's anchors.
    private var reachesAnchor: Bool {
        !violations.contains(where: RepairFinder.isOfStranger)
    }

    /// Whether a path leads to no anchor of the rule, or a certificate on it was not signed by the
    /// issuer that it names: anybody can write the name of an authority that the rule trusts.
    private static func isOfStranger(_ violation: Violation) -> Bool {
        if case .path(.badSignature) = violation.reason { return true }
        if case .path(.unsupportedSignature) = violation.reason { return true }
        if case .path(.algorithmMismatch) = violation.reason { return true }
        return violation.check == .anchor
    }

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
            ? "its keys were changed\(RepairFinder.newPin)" : "that is theirs\(more)"
        return Repair(
            "ask whoever runs `\(host)`, by another way than this connection, whether \(what)",
            brief: "", kind: .question)
    }

    /// Ids of anchor sets with the places that define them, where these are known.
    func placed(_ sets: [String]) -> String {
        let places = PlaceFinder(provenance: table?.provenance(), profile: "baseline")
        let shown = sets.prefix(3).map { set in
            "`\(set)`" + (places.named("anchors", set).map { ", \($0.description)" } ?? "")
        }
        let more = sets.count > 3 ? ["\(sets.count - 3) more"] : []
        return (shown + more).joined(separator: "; ")
    }

    private var selfSignedRepairs: [Repair] {
        let issued = Repair(
            "if it is, have the server use a certificate that an authority of \(ruleName) issued")
        return [caution("\(answered) vouches for itself"), ask()]
            + (trustsPinnedKeys ? [] : [issued]) + [RepairFinder.refusing]
    }

    // MARK: What lets more pass

    /// Where a change that lets more pass may be written, as the end of a sentence. A line in a
    /// rule holds for every host that the rule covers.
    private var place: String {
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

    /// How much the rule covers, as a verb with its object.
    private var covered: String {
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

    /// What the change for a violation would write, in words. A proven edit takes the place of
    /// these words.
    private func untilThen(_ violation: Violation) -> [Repair] {
        guard reachesAnchor, let change = changes.change(for: violation, among: violations) else {
            return []
        }
        // Where somebody else may be answering, nothing is said of what would let them pass.
        let situation = Situation(host: host)
        let isSuspicious = violations.contains { other in
            SideSentences.isInBetween(other, situation)
                && changes.change(for: other, among: violations) == nil
        }
        guard !isSuspicious else { return [] }
        // A change for several violations is told with the first of them.
        guard
            violations.first(where: {
                changes.change(for: $0, among: violations)?.parts == change.parts
            }) == violation
        else { return [] }
        let isWhole = changes.change(for: violations) != nil
        let only = isWhole ? "" : ", and only once nothing else is wrong"
        return change.parts.compactMap { part in
            let cost = change.costs.map { "; \($0)" }.joined()
            let text: String
            switch part {
            case .waiver(let tolerance, _):
                text =
                    "until then only a waiver of `\(tolerance.name)`, with an end, lets it pass\(only), \(place)"
            case .reportOnly(let check):
                text =
                    "until then `report-only` of `\(check.name)`, with an end, lets it pass\(only), "
                    + "\(place)\(cost)"
            // Said by `RevocationSentences.repairs`, and by `OwnAnchorSentences.repairs`.
            case .revocationSources, .listedName: return nil
            }
            return Repair(text, kind: .change)
        }
    }

    private func expiryRepairs(
        _ certificate: CertificateReference, notAfter: UTCInstant, tolerance: Int64
    ) -> [Repair] {
        let renewal = Repair(
            "renew \(Words.name(certificate)); it was good until \(notAfter)")
        guard tolerance != 0 else {
            if let set = certificate.setOfPolicy {
                return policyExpiryRepairs(certificate, set, notAfter: notAfter)
            }
            let days = (time.secondsSinceEpoch - notAfter.secondsSinceEpoch) / 86_400
            // Where several have ended, it is more likely that the clock is wrong.
            let ended = violations.filter { $0.id == "expired" }.count
            guard days > ChangeFinder.longestEnded, certificate.position == 0, ended == 1 else {
                return [renewal]
            }
            return [
                caution(
                    "\(Words.name(certificate)) ended \(days) days ago, and its key may "
                        + "be in other hands since"),
                renewal,
            ]
        }
        return [
            renewal,
            Repair(
                "the waiver of \(ruleName) allows \(Words.duration(tolerance)); "
                    + "whether it may allow more is for its owner to say"),
        ]
    }

    /// Repairs for a certificate of the policy itself that has ended.
    private func policyExpiryRepairs(
        _ certificate: CertificateReference, _ set: String, notAfter: UTCInstant
    ) -> [Repair] {
        let name = Words.name(certificate)
        let asked = owners.anchors(set).asked
        let brief = "ask \(asked) to replace \(name)"
        guard case .offered = certificate.origin else {
            return [
                Repair(
                    "replace \(name) in the anchor set \(placed([set])): it was good until "
                        + "\(notAfter); ask \(asked) which certificate follows it", brief: brief)
            ]
        }
        return [
            Repair(
                "replace \(name) under `intermediates` of the anchor set \(placed([set])): it was "
                    + "good until \(notAfter); ask \(asked) which certificate follows it",
                brief: brief),
            Repair(
                "or have the server send the certificate that follows \(name): that trusts nothing "
                    + "new"),
        ]
    }

    private func tlsVersionRepairs(
        _ version: TLSVersion, minimum: TLSVersion, maximum: TLSVersion
    ) -> [Repair] {
        guard version < minimum else {
            let allowed =
                minimum == maximum ? "`\(maximum.name)`" : "`\(minimum.name)` to `\(maximum.name)`"
            return [
                Repair(
                    "ask whoever owns \(ruleName) whether `\(version.name)` is kept out on "
                        + "purpose: `tls.maximum-version` says so"),
                Repair("if it is, have the server speak \(allowed)"),
            ]
        }
        return [Repair("have the server speak `\(minimum.name)` or later")]
    }

    // MARK: Names and pins

    private func nameRepairs(_ wanted: [String], _ presented: [String]) -> [Repair] {
        if let ownAnchor = facts.ownAnchor {
            return OwnAnchorSentences.repairs(
                ownAnchor, host: host, ruleName: ruleName, setPlaces: placed(ownAnchor.sets),
                own: place)
        }
        // A CA's certificate is never issued for a host.
        if facts.isAuthorityAlone {
            guard !violations.contains(where: { $0.kind == .selfSignedLeaf }) else { return [] }
            let name = outline.certificates.first.flatMap { step -> String? in
                guard case .read(let subject, _) = step.status else { return nil }
                return "`\(Words.shortSubject(subject))`"
            }
            return AuthorityAsServer.repairs(name ?? "the authority's", host: host)
        }
        if let mistake = NameSentences.mistake(presented: presented, wanted: wanted) {
            return [
                Repair(
                    "have the certificate issued anew for "
                        + wanted.prefix(3).map { "`\($0)`" }.joined(separator: " or ")
                        + ": the name that it has, "
                        + "`\(Words.unquoted(Words.shortened(mistake, to: 100)))`"
                        + ", never counts, for any host")
            ]
        }
        // Where the rule lists names other than the host, a request for another host does not help.
        guard wanted == [host] else {
            return [
                Repair(
                    "have the certificate issued for "
                        + wanted.prefix(3).map { "`\($0)`" }.joined(separator: " or ")),
                Repair(
                    "whether what it presents is right is for whoever owns \(ruleName) to say: its "
                        + "`identity` names what every host of it must present"),
            ]
        }
        // An address that is presented as a DNS name does not identify the host.
        let names = presented.filter { $0 != host && $0.utf8.allSatisfy(RepairFinder.isPlain) }
            .prefix(3)
        guard !names.isEmpty else {
            return [Repair("have the certificate issued for `\(host)` too")]
                + otherName([], of: presented)
        }
        return [
            Repair(
                "see whether `\(host)` is the host that was meant: what answers has a certificate "
                    + "for " + names.map { "`\($0)`" }.joined(separator: " or ")
                    + ", and may be somebody else's server",
                brief: "see whether that is the host you meant: it may be somebody else's server",
                kind: .caution),
            Repair(
                "if `\(host)` was meant, have the certificate issued for it too",
                brief: "if it was, have the certificate issued for that host too"),
        ] + byName + otherName(Array(names), of: presented)
    }

    /// What to do where the host was asked for by its address.
    private var byName: [Repair] {
        AddressAsked.repair(host: host, port: outline.request?.port ?? 443).map { [$0] } ?? []
    }

    /// Words about `identity`, for a name of the same domain and where nothing else is wrong. No
    /// lines are offered: a server chooses which of its certificates it presents, and the name in
    /// it may belong to a stranger or to another service.
    private func otherName(_ names: [String], of presented: [String]) -> [Repair] {
        guard reachesAnchor, violations.count == 1, !trustsPublicAuthorities else { return [] }
        // Where a certificate presents one URI and nothing else, its service has no other name.
        let only = presented.count == 1 ? presented.first.flatMap(listedURI) : nil
        let name = names.first { isExactName($0) && sharesDomain($0) }
        guard let name = name ?? only else { return [] }
        return [
            Repair(
                "or, if whoever runs `\(host)` says that `\(name)` is the same service, let "
                    + "`identity` list that name, \(place); `reference: listed` with "
                    + "`\(name == only ? "uri" : "dns"): [\"\(name)\"]` wants it in place of "
                    + "`\(host)`", kind: .change)
        ]
    }

    /// A presented name where it is a URI that a policy can list as it is.
    private func listedURI(_ name: String) -> String? {
        guard URIPattern.isCanonical(name), !name.contains("*"), name.utf8.count <= 200,
            name.utf8.allSatisfy({ RepairFinder.isPlain($0) || $0 == UInt8(ascii: "/") })
        else { return nil }
        return name
    }

    /// Whether a presented name is a DNS name without a wildcard, in the form in which a policy has
    /// it.
    private func isExactName(_ text: String) -> Bool {
        guard text != host, case .name(let name)? = try? CanonicalHost(text: text) else {
            return false
        }
        return name == text
    }

    /// Whether the host and a name end with the same two labels or more, and these labels are not a
    /// public suffix.
    private func sharesDomain(_ name: String) -> Bool {
        let shared = zip(
            host.split(separator: ".").reversed(), name.split(separator: ".").reversed()
        ).prefix { $0 == $1 }.map(\.0)
        let domain = shared.reversed().joined(separator: ".")
        return shared.count >= 2 && !PublicSuffixes.contains(Array(domain.utf8).span)
    }

    private func pinRepairs(_ mismatch: PinMismatch) -> [Repair] {
        let mistakes = PinMistakes.of(mismatch, facts).map { pin in
            PinMistakes.repair(pin, place: pinPlace(pin, in: mismatch))
        }
        if PinMistakes.explainAll(mismatch, facts) { return mistakes }
        let wrongPlace = mismatch.wanted.filter { wanted in
            !wanted.matched && mismatch.found.contains { wanted.digests.contains($0.spki) }
        }
        let owner = owners.pins(mismatch.set)
        let backups = mismatch.wanted.filter { $0.isBackup && !$0.matched }.prefix(1)
        return [caution("\(answered) does not meet pin set `\(mismatch.set)`")]
            + wrongPlace.prefix(1).map { wanted in
                Repair(
                    "`\(wanted.id)` is on the path, but not at `\(wanted.position)`: whoever owns "
                        + "pin set `\(mismatch.set)` knows which place was meant",
                    brief: "ask \(owner.asked) at which place `\(wanted.id)` was meant")
            } + [
                Repair(
                    "ask whoever runs `\(host)`, by another way than this connection, whether its "
                        + "keys were changed\(RepairFinder.newPin)", brief: "", kind: .question),
                Repair(
                    "ask \(owner.asked) whether the keys were to change, and to which: only they can "
                        + "add a pin\(pinSetPlace(mismatch.set))",
                    brief: "ask \(owner.asked) whether the keys were changed"),
            ]
            + backups.map { backup in
                let use =
                    ["leaf", "any"].contains(backup.position)
                    ? "use the key of the backup `\(backup.id)`"
                    : "use a certificate below the key of the backup `\(backup.id)`"
                return Repair(
                    "if its key must change, have the server \(use), which the set already has",
                    brief: "or have the server \(use)")
            } + [
                Repair(
                    "if nobody knows of a change, nothing: refusing it is what the pins are for",
                    kind: .refusal)
            ] + mistakes
    }

    /// Where the policy defines a pin set, in brackets; empty where that is not known.
    private func pinSetPlace(_ set: String) -> String {
        PlaceFinder(provenance: table?.provenance(), profile: "baseline").named("pins", set)
            .map { " (\($0.description))" } ?? ""
    }

    /// Where the policy writes a mistaken pin.
    private func pinPlace(_ pin: MistakenPin, in mismatch: PinMismatch) -> String? {
        guard let table, let wanted = mismatch.wanted.first(where: { $0.id == pin.pin }) else {
            return nil
        }
        return PlaceFinder(provenance: table.provenance(), profile: "baseline")
            .exact(PathWords.pointer(of: wanted, in: pin.set))?.description
    }

    // MARK: Everything else

    /// Repairs for violations that the path validator finds.
    private func repairs(for violation: PathViolation) -> [Repair] {
        switch violation {
        case .expired(let certificate, let notAfter, _, let tolerance):
            return expiryRepairs(certificate, notAfter: notAfter, tolerance: tolerance)
        case .notYetValid where time < RepairFinder.beforeAnyCertificate:
            return [
                Repair(
                    "set the clock of the machine that judges, or ask about another time: at "
                        + "\(time) no certificate of today's form had been issued")
            ]
        case .neverValid(let certificate, _, _):
            return [
                Repair(
                    "have \(Words.name(certificate)) issued anew, with an end behind "
                        + "its begin: no waiting mends it")
            ]
        case .notYetValid(_, let notBefore, _):
            return [
                Repair("wait until \(notBefore), or judge then: `--at \(notBefore)`"),
                Repair("if the certificate is new, look at the clock of the machine that judges"),
            ]
        case .badSignature(let certificate, _, _, _), .algorithmMismatch(let certificate):
            return signatureRepairs(violation, certificate)
        case .tooManyIntermediates(let limit, let actual):
            return [
                Repair(
                    "have the certificate issued with no more than "
                        + "\(Words.count(limit, "intermediate")) above it")
            ]
                + (actual > Requirements.mostIntermediates
                    ? []
                    : [
                        Repair(
                            "or, if whoever owns \(ruleName) means longer paths, let "
                                + "`path.maximum-intermediates` be \(actual), \(place)")
                    ])
        case .keyTooSmall(let certificate, _, let minimum):
            return [
                Repair(
                    "have \(Words.name(certificate)) issued with an RSA key of at "
                        + "least \(minimum) bits")
            ]
        case .keyTypeNotAllowed(let certificate, _, let allowed):
            if case .anchor = certificate.origin {
                return [
                    Repair(
                        "use certificates that lead to an anchor with a key of "
                            + "\(Words.list(allowed)), and not to "
                            + Words.name(certificate))
                ]
            }
            return [
                Repair(
                    "have \(Words.name(certificate)) issued with a key of "
                        + Words.list(allowed))
            ]
        case .maskHashTooWeak(let certificate, let hash, _, _):
            return [
                Repair(
                    "have \(Words.name(certificate)) signed again, with MGF1 over "
                        + "`\(hash)`, the hash of the signature itself")
            ]
        case .hashTooWeak(let certificate, _, _), .signatureSchemeNotAllowed(let certificate, _, _):
            return [
                Repair(
                    "have \(Words.name(certificate)) signed again, as the rule wants")
            ]
        case .purposeNotNamed(let certificate, let wanted, _):
            return [
                Repair(
                    "have \(Words.name(certificate)) issued anew, with "
                        + "\(Words.list(wanted)) in its extended key usage")
            ] + whetherPublic
        case .purposeNotAllowed(let certificate, let wanted, _):
            return [
                Repair(
                    "use a certificate for \(Words.list(wanted)) instead of "
                        + Words.name(certificate))
            ]
        case .lifetimeTooLong(_, _, let maximum):
            return [
                Repair(
                    "have the certificate issued for at most "
                        + Words.duration(maximum))
            ]
        case .certificatePolicyNotSatisfied(let certificate, let wanted, _, let demandedBy):
            return ExplicitPolicySentences.repairs(
                certificate, wanted: wanted, demandedBy: demandedBy, ruleName: ruleName,
                place: demandPlace(.certificatePolicies))
        case .standardNotMet(let certificate, let demand, _):
            return [
                Repair(
                    "have \(Words.name(certificate)) issued again: "
                        + StandardSentences.demand(demand))
            ] + (demand.isIssuance ? [] : otherStandard(demand))
        case .budgetExhausted:
            return [Repair("have the server send the certificates of one chain, and no others")]
        case .notACertificateAuthority(let certificate), .pathLengthExceeded(let certificate, _, _),
            .nameNotPermitted(_, _, let certificate, _, _):
            return [
                caution(
                    "\(named(certificate)) vouches for what it may not vouch for, directly or through "
                        + "others"),
                Repair("have the authority issue the certificates anew, without this fault"),
            ]
        case .unsupportedSignature(let certificate, let issuer):
            return [
                caution(
                    "nobody can check who vouches for \(named(certificate)); anybody can write a name"
                ),
                ask(),
                Repair(
                    "if it is theirs, have \(Words.name(issuer)) issue it anew, "
                        + "signed by an algorithm that this engine has"),
                RepairFinder.refusing,
            ]
        // A constraint that takes too much work does not have a faulty form.
        case .constraintNotEvaluated where violations.contains(where: \.isOfWork):
            return [Repair("have the authority issue the certificates anew, without this fault")]
        case .constraintNotEvaluated(_, let by, let constraint, _):
            return constraintFormRepairs(by, isOfNames: constraint == "names")
        case .keyUsageMissing, .unknownCriticalExtension:
            return [Repair("have the authority issue the certificates anew, without this fault")]
        }
    }

    /// Repairs for a constraint of a certificate that cannot be judged. Where the certificate is an
    /// anchor, its set can say the same in the language of policies, and the linter says how.
    private func constraintFormRepairs(
        _ by: CertificateReference, isOfNames: Bool
    ) -> [Repair] {
        let name = Words.name(by)
        let form = isOfNames ? "RFC 5280 §4.2.1.10" : "RFC 5280 §4.2.1.4"
        let issued = "have \(name) issued anew, in the form of \(form)"
        guard case .anchor(let set) = by.origin, set != "system", set != PinnedKeys.setID else {
            return [Repair(issued)]
        }
        let replaced = Repair(
            "\(issued), and put it in its place in anchor set \(placed([set]))")
        guard isOfNames else { return [replaced] }
        return [
            replaced,
            Repair(
                "or ask whoever owns anchor set `\(set)`: `hawser lint` says what a set can say in "
                    + "place of the limits in its certificates"),
        ]
    }

    private func constraintRepairs(_ failure: AnchorConstraintFailure) -> [Repair] {
        return [
            Repair(
                "have the certificate issued by another authority, or so that "
                    + "`constraints.\(failure.side.key)` is met"),
            Repair(
                "whether that authority may vouch for it is for "
                    + "\(owners.anchors(failure.set).asked) to say: other rules may name the set too"
            ),
        ]
    }

    /// Where only `web-pki` makes the demand, the author may have meant the standard `rfc5280`.
    private func otherStandard(_ demand: StandardDemand) -> [Repair] {
        demand.section.hasPrefix("BR ") ? whetherPublic : []
    }

    private var whetherPublic: [Repair] {
        [
            Repair(
                "or, where no public authority issued it, ask whoever owns the anchor set whether "
                    + "`web-pki` is meant for it: other rules may name it too"
            )
        ]
    }

    /// The month of RFC 5280. A machine without a clock begins at 1970 or at another instant before
    /// it.
    private static let beforeAnyCertificate = UTCInstant(secondsSinceEpoch: 1_209_600_000)

    private func transparencyRepairs(_ report: TransparencyReport) -> [Repair] {
        var repairs: [Repair] = []
        let problems = report.timestamps.compactMap { finding -> TimestampProblem? in
            if case .unusable(let problem) = finding.standing { return problem }
            return nil
        }
        if problems.contains(.unknownLog) {
            repairs.append(
                Repair(
                    "put a newer log list in its place and compile anew, if these logs are new: "
                        + "`https://www.gstatic.com/ct/log_list/v3/log_list.json`"))
        }
        repairs.append(
            Repair(
                "have a public authority issue \(Words.name(report.certificate)) anew: "
                    + "they embed timestamps of enough logs"))
        return repairs
    }

    static let refusing = Repair(
        "if nobody knows of it, nothing: refusing it is what the rule is for", kind: .refusal)

    /// The finder for the owners of the sets that the reject is about.
    var owners: SetOwners { SetOwners(outline, table, facts) }

    private static let newPin =
        "; if so, `hawser pin FILE` makes the pin, of a file that they hand over"

    /// Whether the rule's only anchors are its pinned keys.
    var trustsPinnedKeys: Bool { anchors == ["pinned-keys"] }

    var ruleName: String { rule.isEmpty ? "`default`" : "rule `\(rule)`" }

    /// Whether a byte is a letter, a digit or a sign of names, so that the text can be pasted into
    /// a policy unchanged.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"),
            UInt8(ascii: ":"):
            return true
        default: return false
        }
    }
}

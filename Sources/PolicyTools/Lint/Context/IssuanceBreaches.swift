import PolicyCompiler
import Rendering
import TrustEngine

/// A certificate that an anchor set names, and the demands on its issuer that it does not meet
/// (LANGUAGE section 12.10).
struct IssuanceBreaches {
    let anchor: BoundAnchor
    /// What the certificate does not meet under one of the standards that may judge it. In the
    /// order of the judgement, each demand once.
    let flaws: [StandardRules.Flaw]
    /// A rule that rejects every path through the certificate, and the demands for which it does:
    /// those that the certificate does not meet under any standard that may judge it.
    let refusal: (rule: IssuanceEnforcers.Enforcer, demands: [StandardDemand])?

    var certificate: Certificate { anchor.certificate }

    /// Who can mend the certificate: whoever has its issuer's key.
    var mender: String {
        certificate.isSelfIssued
            ? "whoever runs this CA"
            : "whoever runs `\(Words.shortSubject(certificate.issuerText))`"
    }

    /// One line for each demand, with what was found.
    var notes: [String] {
        flaws.map {
            "`\($0.demand.rawValue)`: \(anchor.name) "
                + $0.demand.flaw(found: $0.found)
        }
    }

    /// What a certificate that is issued again must be like.
    func repair(_ demands: [StandardDemand]) -> String {
        "\(mender) can issue it again: "
            + demands.map(\.sentence).joined(separator: "; ")
    }
}

extension LintContext {
    /// The certificates of every anchor set, members and intermediates, that do not meet a demand
    /// on their issuer. A member of the machine's store is not judged: a root programme has judged
    /// it. A member that `only` or `exclude` removes is nobody's anchor.
    func computeIssuanceBreaches() -> [IssuanceBreaches] {
        let enforcers = issuanceEnforcers
        let issued = issuedCertificates()
        return bound.anchorSets.flatMap { set -> [IssuanceBreaches] in
            let terms = AnchorTerms(set)
            let groups = parts.anchorSets[set.id.value]?.groups ?? []
            let isLeaf = terms.kind == .leaf
            let members = set.members.compactMap { anchor -> IssuanceBreaches? in
                // `rfc5280` demands nothing of a certificate that is trusted as itself. A
                // certificate that is not of the set's kind has another finding.
                guard terms.isKindKnown, !isLeaf || terms.standard == .webPKI,
                    groups.contains(where: { terms.hold(anchor.certificate, in: $0) })
                else { return nil }
                return issuanceBreaches(
                    of: anchor, at: isLeaf ? .endEntity : .anchor, [terms.standard],
                    constraintsBind: !terms.ignoredLimits.contains(.nameConstraints),
                    issued[anchor.certificate] ?? []
                ) { enforcers.enforcers(of: anchor.certificate, terms, &anchorWork) }
            }
            let standards = Set(groups.map(\.standard))
            let offers = set.offers.compactMap { offer -> IssuanceBreaches? in
                issuanceBreaches(
                    of: offer, at: .intermediate, standards.isEmpty ? [terms.standard] : standards,
                    constraintsBind: true, issued[offer.certificate] ?? []
                ) { enforcers.enforcers(ofOffered: offer.certificate, &anchorWork) }
            }
            return members + offers
        }
    }

    /// For each certificate of an anchor set, the certificates of anchor sets that it issued.
    private func issuedCertificates() -> [Certificate: [Certificate]] {
        var issued: [Certificate: [Certificate]] = [:]
        for set in bound.anchorSets {
            for anchor in set.members + set.offers {
                for issuer in known.issuers(of: anchor.certificate) {
                    issued[issuer, default: []].append(anchor.certificate)
                }
            }
        }
        return issued
    }

    /// The breaches of one certificate; nil without any. Of several known issuers, or issued
    /// certificates, one that has a key identifier is judged beside it: that one demands most.
    private func issuanceBreaches(
        of anchor: BoundAnchor, at role: StandardRules.Role, _ standards: Set<Standard>,
        constraintsBind: Bool, _ issued: [Certificate],
        _ enforcers: () -> [IssuanceEnforcers.Enforcer]
    ) -> IssuanceBreaches? {
        let issuers = known.issuers(of: anchor.certificate)
        let issuer =
            issuers.first { !$0.layout.extensions.subjectKeyIdentifier.isEmpty } ?? issuers.first
        let subject =
            issued.first { !$0.layout.extensions.authorityKeyIdentifier.isEmpty } ?? issued.first
        var flaws: [StandardRules.Flaw] = []
        var certain = IssuanceDemands.all.rawValue
        for standard in standards.sorted(by: { $0.rawValue < $1.rawValue }) {
            let found = StandardRules.flaws(
                of: anchor.certificate, at: role,
                neighbours: StandardRules.Neighbours(issuer: issuer, issued: subject),
                standard: standard, constraintsBind: constraintsBind, budget: &anchorWork)
            let ofIssuance = (found ?? []).filter(\.demand.isIssuance)
            for flaw in ofIssuance where !flaws.contains(where: { $0.demand == flaw.demand }) {
                flaws.append(flaw)
            }
            certain &= IssuanceDemands(ofIssuance.map(\.demand)).rawValue
        }
        guard !flaws.isEmpty else { return nil }
        let certainlyUnmet = flaws.map(\.demand).filter {
            certain & IssuanceDemands([$0]).rawValue != 0
        }
        let refusal = enforcers().lazy.compactMap {
            enforcer -> (rule: IssuanceEnforcers.Enforcer, demands: [StandardDemand])? in
            let refused = certainlyUnmet.filter { enforcer.parameters.excuse($0) == nil }
            return refused.isEmpty ? nil : (enforcer, refused)
        }.first
        return IssuanceBreaches(anchor: anchor, flaws: flaws, refusal: refusal)
    }
}

/// The rules whose `path.issuance` is `enforce`, by the sets that they name.
struct IssuanceEnforcers {
    /// A rule, or `default`.
    struct Enforcer {
        let name: String
        /// The setting that enforces; nil when it could not be found.
        let setting: SourceSpan?
        let parameters: PathParameters
    }

    /// By the id of the set that a rule names. Of rules that waive the same demands one is kept.
    private var bySet: [String: [Enforcer]] = [:]
    private let sets: ResolvedAnchorSets

    init(_ context: LintContext) {
        sets = context.parts.anchorSets
        let layers = context.parts.layers
        for (decider, body) in context.judgedBodies(demanding: \.enforcesIssuance) {
            // Nearly every rule ends here, so it is asked first.
            guard
                layers.flatten(body.fields, over: body.profile?.value).requirements.value
                    .enforcesIssuance,
                !context.waives([.path], body),
                let parameters = context.body(of: decider)?.parameters(at: context.time),
                parameters.enforcesIssuance
            else { continue }
            let setting = layers.setting(
                .enforcesIssuance, in: body.fields, over: body.profile?.value)
            let enforcer = Enforcer(
                name: body.name, setting: setting?.span, parameters: parameters)
            let waived = parameters.leniency.issuanceWaiver?.limit
            for id in Set((body.anchors?.items ?? []).map(\.value))
            where !(bySet[id] ?? []).contains(where: {
                $0.parameters.leniency.issuanceWaiver?.limit == waived
            }) {
                bySet[id, default: []].append(enforcer)
            }
        }
    }

    /// Whether no rule enforces.
    var isEmpty: Bool { bySet.isEmpty }

    /// The rules that judge paths to a certificate that a set names itself.
    func enforcers(
        of certificate: Certificate, _ terms: AnchorTerms, _ budget: inout WorkBudget
    ) -> [Enforcer] {
        enforcers(&budget) { resolution in
            resolution.groups.contains { terms.hold(certificate, in: $0) }
        }
    }

    /// The rules that judge paths through a certificate that a set offers.
    func enforcers(
        ofOffered certificate: Certificate, _ budget: inout WorkBudget
    ) -> [Enforcer] {
        enforcers(&budget) { $0.intermediates.contains(certificate.der) }
    }

    private func enforcers(
        _ budget: inout WorkBudget, _ isUsed: (ResolvedAnchorSets.Resolution) -> Bool
    ) -> [Enforcer] {
        bySet.keys.sorted().flatMap { id -> [Enforcer] in
            guard let resolution = sets[id], budget.spend(resolution.groups.count),
                isUsed(resolution)
            else { return [] }
            return bySet[id] ?? []
        }
    }
}

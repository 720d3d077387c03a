import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW305: an anchor's key is below the baseline, or below the demand of a rule that has no
    /// other anchors; or another CA issued the anchor with a hash that is too weak. Not reported
    /// while waivers let the anchor pass.
    static let weakAnchor = LintRule(.weakAnchor) { context in
        let baseline = PathParameters(
            Requirements(), leniency: Leniency(), issuedAt: context.time, at: context.time)
        return context.anchorFindings(.weakAnchor) { terms, anchor in
            WeakAnchors.fault(of: anchor, terms, baseline, context)
        }
            + context.judgedBodies(demanding: WeakAnchors.demandsKeys) { sets in
                // Of the machine's store nothing is known, and that decides where it comes first.
                let first = sets.first.flatMap { context.parts.anchorSets[$0] }?.groups.first
                return first.map { !$0.isSystem } ?? false
            }
            .compactMap { WeakAnchors.finding($0.body, $0.decider, context) }
    }
}

/// What makes an anchor too weak.
private enum WeakAnchors {
    // MARK: For the baseline

    static func fault(
        of anchor: BoundAnchor, _ terms: AnchorTerms, _ baseline: PathParameters,
        _ context: LintContext
    ) -> AnchorFault? {
        let certificate = anchor.certificate
        if let problem = AnchorDeadEnd.keyProblem(certificate, terms.kind, baseline) {
            guard context.isRejected(certificate, terms, { _ in problem }) else { return nil }
            return AnchorFault(
                message: "no path can end at `\(certificate.shortSubject)`: the key of "
                    + "\(anchor.name) \(AnchorDeadEnd.words(for: problem, certificate, baseline))",
                help: [AnchorDeadEnd.keyHelp(isShort: problem == .keyTooSmall)], sort: "key")
        }
        // Nobody relies on the signature of a self-issued certificate.
        guard !certificate.isSelfIssued,
            let problem = CertificateRules.signatureHash(certificate, baseline),
            context.isRejected(certificate, terms, { _ in problem })
        else { return nil }
        let hash = certificate.layout.signatureAlgorithm.weakHashText(below: baseline.minimumHash)
            .map { "`\($0)`" }
        return AnchorFault(
            message: "nothing proves who issued `\(certificate.shortSubject)`: \(anchor.name) is "
                + "signed with \(hash ?? "a hash that proves nothing"), and an anchor's signature is "
                + "not verified",
            help: [
                "trust the root that issued it instead, or a certificate for the same key that is "
                    + "signed with `sha256` or better"
            ], sort: "signature")
    }

    // MARK: For a rule

    /// The finding if every anchor of a rule is too weak for the rule, though not every one is too
    /// weak for the baseline.
    static func finding(
        _ body: BoundBody, _ decider: HostCoverage.Decider, _ context: LintContext
    ) -> Diagnostic? {
        guard demandsKeys(body, context), !context.waives([.path], body),
            let groups = context.anchorGroups(of: body),
            let parameters = context.body(of: decider)?.parameters(at: context.time)
        else { return nil }
        var weakest: (item: Located<String>, certificate: Certificate, problem: CertificateProblem)?
        var isOfRule = false
        for (item, group) in groups {
            guard !group.isSystem else { return nil }
            for certificate in group.members {
                guard context.anchorWork.spend(1),
                    let problem = AnchorDeadEnd.keyProblem(certificate, group.kind, parameters),
                    parameters.leniency.excuse(problem, of: certificate, at: context.time) == nil
                else { return nil }
                if !isBelowBaseline(certificate) { isOfRule = true }
                if weakest.map({ !$0.certificate.precedes(certificate) }) ?? true {
                    weakest = (item, certificate, problem)
                }
            }
        }
        guard isOfRule, let (item, certificate, problem) = weakest else { return nil }
        return Diagnostic(
            .weakAnchor,
            "`\(body.name)` can accept no path: none of its anchors has a key that it allows, the "
                + "key of `\(certificate.shortSubject)` "
                + AnchorDeadEnd.words(for: problem, certificate, parameters),
            at: Diagnostic.Label(item.span), labels: setting(of: body, context),
            help: ["name an anchor with a key that it allows, or allow the keys of its anchors"],
            notes: ["the subject is `\(certificate.shownSubject)`"])
    }

    /// Whether a body, or its profile, demands more of keys than the baseline.
    private static func demandsKeys(_ body: BoundBody, _ context: LintContext) -> Bool {
        body.fields.writes(oneOf: fields)
            || demandsKeys(
                context.parts.layers.flattened(of: body.profile?.value).requirements.value)
    }

    static func demandsKeys(_ requirements: Requirements) -> Bool {
        requirements.keyTypes != baseline.keyTypes
            || requirements.leafKeyTypes != baseline.leafKeyTypes
            || requirements.rsaMinimum != baseline.rsaMinimum
    }

    private static let baseline = Requirements()
    private static let fields: [ProfileField] = [.keyTypes, .leafKeyTypes, .rsaMinimum]

    private static func isBelowBaseline(_ certificate: Certificate) -> Bool {
        let key = certificate.layout.publicKey
        guard let type = key.type, baseline.keyTypes.contains(KeyTypeSet(type)) else { return true }
        return type == .rsa && Int(key.bits) < baseline.rsaMinimum
    }

    /// The setting that writes the demand.
    private static func setting(
        of body: BoundBody, _ context: LintContext
    ) -> [Diagnostic.Label] {
        let layers = context.parts.layers
        return fields.lazy.compactMap {
            layers.setting($0, in: body.fields, over: body.profile?.value)
        }.prefix(2).map { Diagnostic.Label($0.span, "asked here") }
    }
}

extension Certificate {
    /// An order of certificates that is the same in every run.
    func precedes(_ other: Certificate) -> Bool { der.lexicographicallyPrecedes(other.der) }
}

package import TrustEngine

/// Why no path can end at a certificate of an anchor set, by the rules of the engine. The compiler
/// asks it for the sets none of whose anchors can end a path; the linter asks it for each
/// certificate. Dates are not judged here: compiling reads no clock.
package enum AnchorDeadEnd: Hashable, Sendable {
    /// The key usage of a CA does not let it sign certificates.
    case noCertSign
    /// The key usage of a certificate of kind `leaf` suits no rule that trusts it.
    case uselessKeyUsage
    case preCertificate
    /// A critical extension that is not processed: a dotted identifier or a name.
    case criticalExtension(String)
    /// Key purposes of the certificate, and those that its rules want.
    case purposes(found: [String], wanted: [String])
    /// A demand of the set's standard.
    case standard(StandardRules.Flaw, Standard)
    /// The key is of a type that no rule which trusts the certificate allows, or of too few bits.
    /// `isShort` tells the second, which a waiver can let through.
    case weakKey(String, isShort: Bool)

    /// The terms of the set that names the certificate.
    package struct Terms: Hashable, Sendable {
        package let kind: AnchorKind
        package let standard: Standard
        package let ignoredLimits: AnchorLimits

        package init(kind: AnchorKind, standard: Standard, ignoredLimits: AnchorLimits) {
            self.kind = kind
            self.standard = standard
            self.ignoredLimits = ignoredLimits
        }
    }

    /// The reason that holds under every one of the parameters; nil where there is none. A
    /// certificate that is not of the set's kind has another diagnostic and no reason here.
    /// `parameters` is asked only where the answer depends on rules, and is nil where the rules
    /// that trust the certificate are not all known. Keys are not judged (`weakKey(of:_:_:)`).
    package static func reason(
        _ certificate: Certificate, _ terms: Terms, budget: inout WorkBudget,
        parameters: (inout WorkBudget) -> [PathParameters]?
    ) -> AnchorDeadEnd? {
        guard AnchorKindCheck.problem(of: certificate, as: terms.kind) == nil else { return nil }
        let extensions = certificate.layout.extensions
        if terms.kind != .leaf, extensions.present.contains(.keyUsage),
            extensions.keyUsage & KeyUsageBit.keyCertSign == 0
        {
            return .noCertSign
        }
        switch CertificateRules.criticalExtensions(certificate) {
        case nil: break
        case .preCertificate: return .preCertificate
        default:
            return .criticalExtension(certificate.unknownCriticalExtension ?? "issuerAltName")
        }
        return ofRules(certificate, terms, budget: &budget, parameters)
            ?? ofStandard(certificate, terms, budget: &budget, parameters)
    }

    /// The reasons that depend on the rules: the key usage of an end entity, and key purposes,
    /// which bind every path below the certificate.
    private static func ofRules(
        _ certificate: Certificate, _ terms: Terms, budget: inout WorkBudget,
        _ parameters: (inout WorkBudget) -> [PathParameters]?
    ) -> AnchorDeadEnd? {
        let present = certificate.layout.extensions.present
        let asksUsage = terms.kind == .leaf && present.contains(.keyUsage)
        let asksPurposes =
            present.contains(.extendedKeyUsage) && !certificate.allowsAnyPurpose
            && !terms.ignoredLimits.contains(.keyPurposes)
        guard asksUsage || asksPurposes, let rules = parameters(&budget), !rules.isEmpty else {
            return nil
        }
        if asksUsage,
            rules.allSatisfy({
                CertificateRules.keyUsage(certificate, isEndEntity: true, $0) != nil
            })
        {
            return .uselessKeyUsage
        }
        guard asksPurposes,
            rules.allSatisfy({ CertificateRules.purpose(certificate, $0) != nil })
        else { return nil }
        return .purposes(
            found: certificate.purposeNames,
            wanted: Set(rules.flatMap(\.keyPurposes.names)).sorted())
    }

    /// The fault of a certificate's key, if all of the parameters refuse it and none of their
    /// waivers and report modes lets it through.
    package static func weakKey(
        of certificate: Certificate, _ kind: AnchorKind, _ parameters: [PathParameters]
    ) -> AnchorDeadEnd? {
        var first: AnchorDeadEnd?
        for rule in parameters {
            guard let problem = keyProblem(certificate, kind, rule),
                rule.leniency.excuse(problem, of: certificate, at: rule.time) == nil
            else { return nil }
            first =
                first
                ?? .weakKey(
                    words(for: problem, certificate, rule), isShort: problem == .keyTooSmall)
        }
        return first
    }

    /// What a rule finds wrong with the key of an anchor.
    package static func keyProblem(
        _ certificate: Certificate, _ kind: AnchorKind, _ parameters: PathParameters
    ) -> CertificateProblem? {
        CertificateRules.keyType(certificate, isEndEntity: kind == .leaf, parameters)
            ?? CertificateRules.keySize(certificate, parameters)
    }

    /// A problem of a key in words that follow "the key of … ".
    package static func words(
        for problem: CertificateProblem, _ certificate: Certificate, _ parameters: PathParameters
    ) -> String {
        let key = certificate.layout.publicKey
        guard problem == .keyTooSmall else {
            guard let type = key.type else {
                return "is \(key.unsupportedName(in: certificate.der.span)); the engine cannot "
                    + "check such keys"
            }
            return "is of the type `\(type.name)`, allowed: " + list(parameters.keyTypes.names)
        }
        return "is RSA of \(key.bits) bits, at least \(parameters.rsaMinimum) wanted"
    }
}

// MARK: The standard

extension AnchorDeadEnd {
    /// The first demand of the set's standard that the certificate does not meet as an anchor,
    /// whatever it issued. A demand of issuance counts where every rule enforces it and waives
    /// nothing. The only place here that asks the standard.
    private static func ofStandard(
        _ certificate: Certificate, _ terms: Terms, budget: inout WorkBudget,
        _ parameters: (inout WorkBudget) -> [PathParameters]?
    ) -> AnchorDeadEnd? {
        let isLeaf = terms.kind == .leaf
        // `rfc5280` judges no certificate of kind `leaf`.
        let flaws =
            isLeaf && terms.standard == .rfc5280
            ? StandardRules.flaws(ofCertificateAlone: certificate)
            : StandardRules.flaws(
                of: certificate, at: isLeaf ? .endEntity : .anchor,
                neighbours: StandardRules.Neighbours(issuer: nil, issued: nil),
                standard: terms.standard,
                constraintsBind: !terms.ignoredLimits.contains(.nameConstraints), budget: &budget)
        guard let flaws, !flaws.isEmpty else { return nil }
        if let flaw = flaws.first(where: { !$0.demand.isIssuance }) {
            return .standard(flaw, terms.standard)
        }
        guard let rules = parameters(&budget), !rules.isEmpty else { return nil }
        let flaw = flaws.first { flaw in
            rules.allSatisfy { $0.excuse(flaw.demand) == nil }
        }
        return flaw.map { .standard($0, terms.standard) }
    }
}

// MARK: Words

extension AnchorDeadEnd {
    /// The reason in words that follow the name of the certificate. A demand of a standard is
    /// named by its id: the sentences about demands are in `Rendering`, above this target.
    package var words: String {
        switch self {
        case .noCertSign: return "may not sign certificates, by its key usage"
        case .uselessKeyUsage:
            return "may not be used by what it stands for, by its key usage"
        case .preCertificate: return "is a pre-certificate, which is no certificate"
        case .criticalExtension(let name):
            return "has the critical extension \(name), which is not processed"
        case .purposes(let found, let wanted):
            guard !found.isEmpty else { return "allows no purpose: its extKeyUsage is empty" }
            return "is for \(AnchorDeadEnd.list(found)) alone, wanted: "
                + AnchorDeadEnd.list(wanted)
        case .standard(let flaw, _) where flaw.demand.isIssuance:
            return "does not meet the demand `\(flaw.demand.rawValue)`, which "
                + "`path.issuance: enforce` makes of it"
        case .standard(let flaw, let standard):
            return "does not meet the demand `\(flaw.demand.rawValue)` of `\(standard.name)`"
        case .weakKey(let words, _): return "has a key that \(words)"
        }
    }

    /// What to do.
    package var help: String {
        switch self {
        case .noCertSign, .uselessKeyUsage, .preCertificate, .criticalExtension:
            return "trust another certificate of the same CA, or another CA"
        case .purposes(let found, _) where found.isEmpty:
            return "have the CA issue one that names its purposes, or none of them"
        case .purposes:
            return "trust a CA for servers; where the purposes in the certificate shall not bind, "
                + "write `ignore-limits: [key-purposes]`"
        case .standard(let flaw, _) where flaw.demand.isIssuance:
            return
                "have the CA issue one that keeps to it; until then the waiver `issuance` can name "
                + "the demand, and `path.issuance: report` makes a notice of every such breach"
        case .standard:
            return "have the CA issue one that keeps to it, or trust another certificate of the "
                + "same CA"
        case .weakKey(_, let isShort): return AnchorDeadEnd.keyHelp(isShort: isShort)
        }
    }

    /// What to do about an anchor's key. A waiver exists only for RSA keys of too few bits.
    package static func keyHelp(isShort: Bool) -> String {
        "replace it by an anchor with a key that is allowed"
            + (isShort
                ? "; only the waiver `keys`, with its reason and end, lets RSA keys of fewer bits "
                    + "through meanwhile" : "")
    }

    /// Names in backticks, at most six of them.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(6).map { "`\($0)`" }.joined(separator: ", ")
        return names.count > 6 ? "\(shown) and \(names.count - 6) more" : shown
    }
}

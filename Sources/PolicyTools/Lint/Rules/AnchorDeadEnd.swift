import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW312: a certificate of an anchor set is of the set's kind and valid, but no path can end at
    /// it because of its key usage, an extension, its key purposes or a demand of the set's
    /// standard.
    static let anchorDeadEnd = LintRule(.anchorDeadEnd) { context in
        context.anchorFindings(.anchorDeadEnd) { terms, anchor in
            let certificate = anchor.certificate
            // A certificate that is not of the set's kind has another finding.
            guard terms.isKindKnown, terms.kind == .leaf || certificate.layout.extensions.isCA,
                let (reason, help) = DeadEnd.reason(certificate, terms, context)
            else { return nil }
            return AnchorFault(
                message:
                    "no path can end at `\(certificate.shortSubject)`: \(anchor.name) \(reason)",
                help: [help], sort: reason)
        }
    }
}

/// Why no path can end at a certificate, by the rules of the engine.
private enum DeadEnd {
    static func reason(
        _ certificate: Certificate, _ terms: AnchorTerms, _ context: LintContext
    ) -> (reason: String, help: String)? {
        let isLeaf = terms.kind == .leaf
        if CertificateRules.basicConstraints(certificate, isEndEntity: isLeaf) != nil {
            let version = certificate.layout.version
            return ("is of version \(version), and only version 3 can say that it is a CA", replace)
        }
        if isLeaf ? isUseless(certificate, terms, context) : certificate.lacksCertSign {
            let use = isLeaf ? "be used by what it stands for" : "sign certificates"
            return ("may not \(use), by its key usage", replace)
        }
        switch CertificateRules.criticalExtensions(certificate) {
        case nil: break
        case .preCertificate: return ("is a pre-certificate, which is no certificate", replace)
        default:
            let id = certificate.unknownCriticalExtension.map { " \($0)" } ?? " issuerAltName"
            return ("has the critical extension\(id), which is not processed", replace)
        }
        return purpose(certificate, terms, context) ?? standard(certificate, terms, context)
    }

    private static let replace = "trust another certificate of the same CA, or another CA"

    /// Whether the key usage of a certificate of kind `leaf` suits no rule.
    private static func isUseless(
        _ certificate: Certificate, _ terms: AnchorTerms, _ context: LintContext
    ) -> Bool {
        guard certificate.layout.extensions.present.contains(.keyUsage) else { return false }
        let uses = context.uses(of: certificate, terms)
        return uses.isComplete
            && uses.parameters.allSatisfy {
                CertificateRules.keyUsage(certificate, isEndEntity: true, $0) != nil
            }
    }

    /// The fault of a certificate whose key purposes suit no rule that trusts it. Key purposes
    /// apply to every path below the certificate.
    private static func purpose(
        _ certificate: Certificate, _ terms: AnchorTerms, _ context: LintContext
    ) -> (reason: String, help: String)? {
        guard certificate.layout.extensions.present.contains(.extendedKeyUsage),
            !certificate.allowsAnyPurpose, !terms.ignoredLimits.contains(.keyPurposes)
        else { return nil }
        let uses = context.uses(of: certificate, terms)
        guard uses.isComplete,
            uses.parameters.allSatisfy({ CertificateRules.purpose(certificate, $0) != nil })
        else { return nil }
        let wanted = Set(uses.parameters.flatMap(\.keyPurposes.names)).sorted()
        return (
            "is for \(ViolationSentences.list(certificate.purposeNames)) alone, wanted: "
                + ViolationSentences.list(wanted),
            "trust a CA for servers; where the purposes in the certificate shall not bind, write "
                + "`ignore-limits: [key-purposes]`"
        )
    }

    /// The demands of the set's standard on a certificate, whatever the certificate issued.
    private static func standard(
        _ certificate: Certificate, _ terms: AnchorTerms, _ context: LintContext
    ) -> (reason: String, help: String)? {
        let isLeaf = terms.kind == .leaf
        // `rfc5280` demands nothing of a certificate of kind `leaf`.
        if isLeaf, terms.standard == .rfc5280 { return nil }
        let flaws = StandardRules.flaws(
            of: certificate, at: isLeaf ? .endEntity : .anchor, issuer: nil, issued: nil,
            standard: terms.standard,
            constraintsBind: !terms.ignoredLimits.contains(.nameConstraints),
            budget: &context.anchorWork)
        guard let flaw = flaws?.first else { return nil }
        return (
            StandardSentences.flaw(flaw.demand, found: flaw.found)
                + ", which `\(terms.standard.name)` does not allow",
            "have the CA issue one that keeps to it, or trust another certificate of the same CA"
        )
    }
}

extension Certificate {
    /// Whether the certificate has a key usage that does not allow signing certificates.
    fileprivate var lacksCertSign: Bool {
        layout.extensions.present.contains(.keyUsage)
            && layout.extensions.keyUsage & KeyUsageBit.keyCertSign == 0
    }
}

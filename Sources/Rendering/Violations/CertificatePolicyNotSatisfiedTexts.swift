import TrustEngine

/// A path without a valid certificate policy: a certificate of the path or the rule demands one.
extension CertificatePolicyNotSatisfiedTexts {
    private var name: String { Words.name(certificate) }

    var headline: String {
        let asserts = "\(name) asserts \(Words.list(found))"
        guard let demandedBy else {
            let policy =
                wanted.isEmpty ? "any certificate policy" : "one of \(Words.list(wanted))"
            return "the rule wants \(policy) along the whole path; \(asserts)"
        }
        let listed =
            wanted.isEmpty
            ? "" : ", one of those that the rule lists (\(Words.list(wanted))),"
        return "\(place(demandedBy)) demands a certificate policy\(listed) along the whole path "
            + "(its policyConstraints have requireExplicitPolicy); \(asserts)"
            + (found.isEmpty ? "" : ", which does not hold along the whole path")
    }

    /// A certificate by its number on the path, from 1, and its subject.
    private func place(_ certificate: CertificateReference) -> String {
        let name = Words.name(certificate)
        if case .anchor(let set) = certificate.origin, certificate.position > 0 {
            return "certificate \(certificate.position + 1) of the path, the anchor \(name) of "
                + "`\(set)`,"
        }
        return "certificate \(certificate.position + 1) of the path, \(name),"
    }

    var citation: String { "RFC 5280 §6.1.5(g)" }

    func forEndUser(_ situation: Situation) -> String {
        guard let demandedBy else {
            return "\(name) was not issued under a certificate policy that \(situation.rule) wants"
        }
        return "\(name) was not issued under a certificate policy, as "
            + (demandedBy == certificate ? "it itself" : Words.name(demandedBy)) + " demands"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        guard let demandedBy else {
            return [
                declared("its certificate is not what the rule demands"),
                .init(.policy, "the rule demands a certificate policy, and nobody meant that"),
            ]
        }
        let name = Words.name(demandedBy)
        let issued = declared(
            "whoever issued its certificates left out the policy that \(name) demands")
        return demandedBy.setOfPolicy != nil
            ? [issued, .init(.policy, "its own certificate \(name) demands certificate policies")]
            : [issued]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        guard let demandedBy else {
            let under = wanted.isEmpty ? "a certificate policy" : Words.list(wanted)
            let written = reject.demandPlace(.certificatePolicies).map { " (\($0))" } ?? ""
            return [
                Repair("use certificates that were issued under \(under), all the way up"),
                Repair(
                    "or ask whoever owns \(reject.ruleName) whether "
                        + "`path.explicit-policy`\(written) is meant: a private authority often "
                        + "issues under no certificate policy"),
            ]
        }
        let anew =
            certificate == demandedBy
            ? "have \(name) issued anew, without requireExplicitPolicy or under a certificate "
                + "policy that every certificate above it asserts"
            : "have \(name) issued anew, under a certificate policy that every certificate above "
                + "it asserts: \(Words.name(demandedBy)) demands that, and no setting of the rule "
                + "lifts it"
        return [Repair(anew)]
    }
}

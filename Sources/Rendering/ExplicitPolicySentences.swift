import TrustEngine

/// The words for a path without a valid certificate policy: whether a certificate of the path or
/// the rule demands one, and what would meet the demand.
enum ExplicitPolicySentences {
    /// Both sides of the comparison.
    static func headline(
        _ certificate: CertificateReference, wanted: [String], found: [String],
        demandedBy: CertificateReference?
    ) -> String {
        let name = Words.name(certificate)
        let asserts = "\(name) asserts " + (found.isEmpty ? "none" : Words.list(found))
        guard let demandedBy else {
            let policy =
                wanted.isEmpty
                ? "any certificate policy" : "one of \(Words.list(wanted))"
            return "the rule wants \(policy) along the whole path; \(asserts)"
        }
        let listed =
            wanted.isEmpty
            ? "" : ", one of those that the rule lists (\(Words.list(wanted))),"
        return "\(place(demandedBy)) demands a certificate policy\(listed) along the whole path "
            + "(its policyConstraints have requireExplicitPolicy); \(asserts)"
            + (found.isEmpty ? "" : ", which does not hold along the whole path")
    }

    /// One sentence for a reader who only wanted to connect.
    static func forEndUser(
        _ certificate: CertificateReference, demandedBy: CertificateReference?,
        _ situation: Situation
    ) -> String {
        let name = Words.name(certificate)
        guard let demandedBy else {
            return "\(name) was not issued under a certificate policy that \(situation.rule) wants"
        }
        return "\(name) was not issued under a certificate policy, as "
            + (demandedBy == certificate ? "it itself" : Words.name(demandedBy))
            + " demands"
    }

    /// Whose side it is.
    static func readings(demandedBy: CertificateReference?) -> [SideReading] {
        guard let demandedBy else {
            return [
                .init(.server, "its certificate is not what the rule demands"),
                .init(.policy, "the rule demands a certificate policy, and nobody meant that"),
            ]
        }
        let name = Words.name(demandedBy)
        let issued = SideReading(
            .server, "whoever issued its certificates left out the policy that \(name) demands")
        return demandedBy.setOfPolicy != nil
            ? [issued, .init(.policy, "its own certificate \(name) demands certificate policies")]
            : [issued]
    }

    /// The repairs. `ruleName` is the deciding rule's, `place` its demand's.
    static func repairs(
        _ certificate: CertificateReference, wanted: [String],
        demandedBy: CertificateReference?, ruleName: String, place: String?
    ) -> [Repair] {
        guard let demandedBy else {
            let under =
                wanted.isEmpty ? "a certificate policy" : Words.list(wanted)
            let written = place.map { " (\($0))" } ?? ""
            return [
                Repair("use certificates that were issued under \(under), all the way up"),
                Repair(
                    "or ask whoever owns \(ruleName) whether `path.explicit-policy`\(written) is "
                        + "meant: a private authority often issues under no certificate policy"),
            ]
        }
        let name = Words.name(certificate)
        let anew =
            certificate == demandedBy
            ? "have \(name) issued anew, without requireExplicitPolicy or under a certificate policy "
                + "that every certificate above it asserts"
            : "have \(name) issued anew, under a certificate policy that every certificate above it "
                + "asserts: \(Words.name(demandedBy)) demands that, and no "
                + "setting of the rule lifts it"
        return [Repair(anew)]
    }

    /// A certificate by its number on the path, from 1, and its subject.
    private static func place(_ certificate: CertificateReference) -> String {
        let name = Words.name(certificate)
        if case .anchor(let set) = certificate.origin, certificate.position > 0 {
            return "certificate \(certificate.position + 1) of the path, the anchor \(name) of "
                + "`\(set)`,"
        }
        return "certificate \(certificate.position + 1) of the path, \(name),"
    }
}

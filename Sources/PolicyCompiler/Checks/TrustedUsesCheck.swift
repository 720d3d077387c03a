internal import TrustEngine

/// Checks that each rule asks only for key purposes that its anchors are trusted for, where an
/// anchor is one of OpenSSL's trusted certificates (LANGUAGE section 5). Certificates that are not
/// trusted for servers are not members of a set. The other uses matter to rules with other
/// `path.key-purposes`.
enum TrustedUsesCheck {
    static func run(
        _ policy: BoundPolicy, sets: ResolvedAnchorSets, rules: RulesOfSets,
        into diagnostics: inout [Diagnostic]
    ) {
        for set in policy.anchorSets {
            var reported: Set<SourceSpan> = []
            for member in set.members {
                guard let uses = member.uses,
                    !allowed(by: uses, of: set.id.value, rules),
                    reported.insert(member.span).inserted
                else { continue }
                diagnostics.append(finding(member, uses))
            }
        }
    }

    /// Whether every rule that trusts a set asks only for trusted uses. Where a rule could not be
    /// read, there is another error. Where the rules are too many to ask, only uses without a limit
    /// are allowed.
    private static func allowed(
        by uses: TrustedUses, of set: String, _ rules: RulesOfSets
    ) -> Bool {
        guard let asked = rules.all(of: set) else {
            return !rules.areTooMany || uses.limitNothing
        }
        return asked.allSatisfy { parameters in
            !parameters.keyPurposes.contains(where: { !uses.allow($0) })
        }
    }

    private static func finding(_ member: BoundAnchor, _ uses: TrustedUses) -> Diagnostic {
        let names = uses.trustedNames.map { "`\($0)`" }.joined(separator: ", ")
        return Diagnostic(
            .flagConflict,
            "\(member.name) is trusted for \(names.isEmpty ? "some uses" : names) alone, by the uses "
                + "that OpenSSL keeps beside it, and a rule asks for another purpose",
            at: Diagnostic.Label(member.span),
            help: ["write `path.key-purposes` with purposes that the certificate is trusted for"],
            notes: ["its subject is `\(member.certificate.subjectText)`"])
    }
}

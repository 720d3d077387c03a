import PolicyCompiler
import Rendering
import TrustEngine

// Rules that ask CRLite filters about certificates that no filter knows. Each finding stands at the
// rule's `revocation.sources`, or at its profile's.

extension LintRule {
    /// HW523: `crlite` is asked, beside staples at most, and the scope goes beyond the leaf.
    /// Filters know certificates of leaves only, and servers staple for the leaf only.
    static let filtersBeyondLeaf = LintRule(.filtersBeyondLeaf) { context in
        context.filterFindings { body, requirements in
            let revocation = requirements.revocation
            guard revocation.scope != .leaf, revocation.asksNothingPublished else { return nil }
            let effect: String
            switch revocation.causes[.noEndpoint] {
            case .fail: effect = "every path with an intermediate is rejected"
            case .report: effect = "each accept reports that nothing is known of intermediates"
            case .pass: effect = "nothing is known of intermediates, and nothing says so"
            }
            return FilterFinding(
                .filtersBeyondLeaf,
                "`\(body.name)` asks filters about revocation in the scope "
                    + "`\(revocation.scope.name)`, and filters know certificates of leaves only: "
                    + effect,
                help: [
                    "add `crl` to `revocation.sources`; to demand nothing of the other certificates, "
                        + "write `revocation: { scope: leaf }`"
                ])
        }
    }

    /// HW524: `crlite` is asked, and every anchor is private. Filters are made of the certificates
    /// that public logs have, so that they never know the issuer.
    static let filtersOfPrivateAnchors = LintRule(.filtersOfPrivateAnchors) { context in
        context.filterFindings { body, requirements in
            guard context.areAnchorsPrivate(of: body) else { return nil }
            let revocation = requirements.revocation
            let causes = revocation.causes
            // Staples alone would leave the intermediates without a source.
            let others = revocation.sources.filter { $0 != .crlite }
            let sources = (revocation.asksNothingPublished ? others + [.crl] : others).map(\.name)
            let isRejected = causes[.notEnrolled] == .fail && causes[.notCovered] == .fail
            return FilterFinding(
                .filtersOfPrivateAnchors,
                "`\(body.name)` asks filters about revocation, and trusts private CAs only, which no "
                    + "filter knows: "
                    + (isRejected
                        ? "a certificate without other evidence is rejected"
                        : "a revocation is never found by a filter"),
                help: [
                    "write `sources: [\(sources.joined(separator: ", "))]`: a private CA can publish "
                        + "CRLs",
                    "if the CAs are public, say so in their set: `standard: web-pki`",
                ])
        }
    }

    /// HW525: only filters and staples are asked, and `not-covered` rejects, but no timestamps are
    /// demanded. A certificate without timestamps is never covered.
    static let filtersWithoutTimestamps = LintRule(.filtersWithoutTimestamps) { context in
        context.filterFindings { body, requirements in
            let revocation = requirements.revocation
            guard revocation.asksNothingPublished, revocation.causes[.notCovered] == .fail,
                !requirements.transparency.isDemanded, !context.areAnchorsPrivate(of: body)
            else { return nil }
            return FilterFinding(
                .filtersWithoutTimestamps,
                "`\(body.name)` rejects what no filter covers, and demands no timestamps: a filter "
                    + "covers a certificate by its timestamps, so one without timestamps is rejected "
                    + "for its revocation status",
                help: [
                    "demand timestamps: `transparency: { preset: chrome, log-list: ct/log_list.json }`",
                    "or add `crl` to `revocation.sources`",
                ])
        }
    }
}

/// A fault in the sources of a rule that asks filters.
private struct FilterFinding {
    let code: DiagnosticCode
    let message: String
    let help: [String]

    init(_ code: DiagnosticCode, _ message: String, help: [String]) {
        self.code = code
        self.message = message
        self.help = help
    }
}

extension RevocationRequirement {
    /// Whether filters are asked, and neither CRLs nor responders are.
    fileprivate var asksNothingPublished: Bool {
        asksFilters && sources.allSatisfy(\.isOfEndEntities)
    }
}

extension LintContext {
    /// The findings about bodies that ask filters and that no waiver of revocation covers.
    fileprivate func filterFindings(
        _ find: (BoundBody, Requirements) -> FilterFinding?
    ) -> [Diagnostic] {
        bodies(demanding: \.revocation.asksFilters).compactMap { body in
            guard let requirements = requirements(of: body), requirements.revocation.asksFilters,
                !isTolerated([.path, .revocation], by: body),
                let found = find(body, requirements)
            else { return nil }
            let own = body.fields.setting(.revocationSources)
            let written =
                own
                ?? parts.layers.setting(
                    .revocationSources, in: body.fields, over: body.profile?.value)
            return Diagnostic(
                found.code, found.message,
                at: Diagnostic.Label(own?.span ?? body.profile?.span ?? body.key),
                labels: own == nil
                    ? written.map { [Diagnostic.Label($0.span, "filters are asked here")] } ?? []
                    : [], help: found.help)
        }
    }

    /// Whether no anchor of a body is known to be a public CA. False where some are not known.
    fileprivate func areAnchorsPrivate(of body: BoundBody) -> Bool {
        guard let groups = anchorGroups(of: body), !groups.isEmpty else { return false }
        return groups.allSatisfy { !$0.group.isSystem && $0.group.standard == .rfc5280 }
    }
}

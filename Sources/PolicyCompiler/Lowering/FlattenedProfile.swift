package import TrustEngine

/// A profile of a policy as it lowers: what a rule under it that writes nothing itself is judged by.
/// Tables hold no profiles; this is for whoever asks a policy of them.
package struct FlattenedProfile: Hashable, Sendable {
    /// What it extends; nil for the baseline.
    package let parent: String?
    /// Every field of LANGUAGE section 8.
    package let requirements: Requirements
    /// Of each check the entry of the nearest layer, in the order of `ReportOnly.Check.precedes`.
    package let reportOnly: [ReportOnly]

    /// Flattens a profile by id; nil when the policy has none of that name.
    package init?(_ id: String, of policy: CheckedPolicy) {
        guard let profile = policy.layers.profile(id) else { return nil }
        parent = profile.parent?.value
        requirements = policy.layers.requirements(profile.fields, over: parent)
        reportOnly = Lowering.reportOnly(
            of: profile.fields, named: id, over: parent, policy.layers,
            checks: requirements.checks)
    }

    /// Ids of a policy's own profiles, sorted.
    package static func ids(of policy: CheckedPolicy) -> [String] {
        policy.bound.profiles.map(\.id.value).sorted()
    }
}

package import TrustEngine

/// A profile of a policy with the requirements of all its layers. Tables hold no profiles; this is
/// for commands that show one.
package struct FlattenedProfile: Hashable, Sendable {
    /// The profile that it extends; nil for the baseline.
    package let parent: String?
    /// Every field of LANGUAGE section 8.
    package let requirements: Requirements
    /// For each check the entry of the nearest layer, in the order of `ReportOnly.Check.precedes`.
    package let reportOnly: [ReportOnly]

    /// Flattens a profile by its id; nil if the policy has no profile with that id.
    package init?(_ id: String, of policy: CheckedPolicy) {
        guard let profile = policy.layers.profile(id) else { return nil }
        parent = profile.parent?.value
        requirements = policy.layers.requirements(profile.fields, over: parent)
        reportOnly = policy.layers.reportedChecks(
            of: profile.fields, named: id, over: parent, checks: requirements.checks)
    }

    /// The ids of a policy's own profiles, sorted.
    package static func ids(of policy: CheckedPolicy) -> [String] {
        policy.bound.profiles.map(\.id.value).sorted()
    }
}

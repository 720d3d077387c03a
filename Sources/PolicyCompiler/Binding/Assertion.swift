package import TrustEngine

/// A statement about the hosts of a policy, as a file of assertions has it.
package struct Assertion: Sendable {
    /// The hosts of an assertion.
    package enum Hosts: Hashable, Sendable {
        /// Every host there is.
        case all
        /// Every host that one of the patterns matches.
        case inside([HostPattern])
    }

    package let id: Located<String>
    package let hosts: Hosts
    /// The span of the value of `hosts`.
    package let hostsPlace: SourceSpan
    /// The time that it is about. Without a first instant it begins when it is asked.
    package let during: DateWindow
    /// The span of `until`; nil where it is not written.
    package let untilPlace: SourceSpan?
    /// At least one, in the order of the language. All of them must hold.
    package let demands: [AssertedDemand]
    package let owner: String?
    package let note: String?

    /// Whether one of the demands is that nothing is accepted.
    package var demandsDenial: Bool { demands.contains { $0.key == .decision } }
}

/// One of the demands of an assertion.
package struct AssertedDemand: Sendable {
    /// What must hold.
    package enum Statement: Sendable {
        case atLeast(AssertedFloor)
        case noWeakerThan(AssertedComparison)
        /// Every accepted certificate is for the requested host.
        case identityHost
        /// No exception is in force but these.
        case exceptions(AllowedExceptions)
        /// Nothing is accepted.
        case deny
        /// Every rule that decides has this owner.
        case ownedBy(String)
        case neverTrusts(AssertedKeys)
        case noAnchor(AssertedKeys)
    }

    /// The keys, as a file has them, in the order of the language.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case atLeast = "at-least"
        case noWeakerThan = "no-weaker-than"
        case identity
        case exceptions
        case decision
        case ownedBy = "owned-by"
        case neverTrusts = "never-trusts"
        case noAnchor = "no-anchor"
    }

    package let key: Key
    package let statement: Statement
    /// The span of the key.
    package let place: SourceSpan
}

/// The demands of `at-least`.
package struct AssertedFloor: Sendable {
    /// The anchors that a rule may trust.
    package enum Anchors: Hashable, Sendable {
        /// Not the machine's store.
        case noSystem
        /// Only the anchors of these anchor sets, sorted by id.
        case sets([String])
        /// Only the pinned keys.
        case pinnedKeys
    }

    /// The fields in the order of the language, `forbidden-keys` left out.
    package let settings: [BoundSetting]
    package let forbiddenKeys: [ForbiddenKey]
    package let anchors: Anchors?
    /// Whether `pins: bound` is written.
    package let bindsPins: Bool
    /// The log lists that `settings` names.
    package let logLists: [LogListContents]
    /// The spans of the values by the names of the demands, as the file has them.
    package let places: [String: SourceSpan]
}

/// The policy that `no-weaker-than` compares with.
package enum AssertedComparison: Sendable {
    /// A profile with everything that it and the profiles under it write.
    case profile(Located<String>, Requirements, reportOnly: [ReportOnly], [LogListContents])
    case rule(Located<String>)
    case byDefault(SourceSpan)
    /// The folder of another unit, as the file names it: a path from the file's own folder.
    case unit(Located<String>)
}

/// The keys or certificates that `never-trusts` or `no-anchor` names.
package struct AssertedKeys: Hashable, Sendable {
    /// For each key or certificate every digest that stands for it or for more. The digests of a
    /// certificate include the digests of its key.
    package let identities: [Set<KeyMatch>]
    /// The digests in `identities` of a key in an encoding that is not its canonical one.
    package let ofOtherEncodings: Set<KeyMatch>
    /// As the file writes it: `spki-file: retired.pem`.
    package let text: String
    /// The span of the value.
    package let place: SourceSpan
}

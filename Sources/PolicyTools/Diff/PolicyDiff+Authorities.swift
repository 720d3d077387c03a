package import TrustEngine

/// The authorities that a change of policy is about.
extension PolicyDiff {
    /// An authority that a rule trusts.
    package struct Authority: Hashable, Sendable {
        /// The subject; nil for the machine's store.
        package let subject: String?
        /// SHA-256 of the key; nil for the machine's store.
        package let keyDigest: Digest?
        /// The anchor set.
        package let set: String
    }

    /// The authorities that a change adds and removes.
    package struct AuthorityChange: Hashable, Sendable {
        package let added: [Authority]
        package let removed: [Authority]
        /// The added authorities that replace an authority of the same name.
        package let rekeyed: [Rekeyed]

        package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

        init(added: [Authority] = [], removed: [Authority] = [], rekeyed: [Rekeyed] = []) {
            self.added = added
            self.removed = removed
            self.rekeyed = rekeyed
        }

        /// Several changes as one.
        init(_ parts: [AuthorityChange]) {
            self.init(
                added: parts.flatMap(\.added), removed: parts.flatMap(\.removed),
                rekeyed: parts.flatMap(\.rekeyed))
        }
    }

    /// How many authorities could vouch for the hosts of changed classes, before and after.
    package struct Surface: Hashable, Sendable {
        /// The number of listed authorities; nil where the policy denies.
        package struct Count: Hashable, Sendable {
            package let listed: Int
            package let holdsStore: Bool
            package let arePinnedKeys: Bool
            /// The number of authorities of the machine's store that no set lists; nil where the
            /// store is not counted.
            package let stored: Int?
            /// The waivers in force by which others than these authorities can vouch, or a server
            /// of another name is accepted.
            package let open: [Waived]
        }

        /// A waiver of `path`, `identity` or `cleartext`.
        package struct Waived: Hashable, Sendable {
            /// `waivers.path`.
            package let path: String
            /// The last second in which it is in force.
            package let until: UTCInstant
        }

        package let before: Count?
        package let after: Count?
        package let change: AuthorityChange
        /// Whether pinned keys are the anchors on both sides and the keys differ.
        package let hasOtherPinnedKeys: Bool
        /// The number of classes of which this holds.
        package let classes: Int
        /// The first of them.
        package let example: HostText
    }

    /// An authority of which the name stays and the key is replaced. A reader who compares names
    /// alone takes the two for one authority.
    package struct Rekeyed: Hashable, Sendable {
        /// The subject, which is the same on both sides.
        package let subject: String
        /// The anchor set of the new policy.
        package let set: String
        /// SHA-256 of the key before and after.
        package let oldKey: Digest
        package let newKey: Digest

        /// The change in one sentence, with both digests in full.
        package var sentence: String {
            "`\(subject)`: the same name with another key, \(oldKey.text) -> \(newKey.text)"
        }

        /// The same with the beginnings of the digests, for a headline.
        package var short: String {
            "`\(subject)`: the same name with another key, \(oldKey.beginning) -> "
                + newKey.beginning
        }
    }
}

extension Digest {
    /// The algorithm and the first 16 digits.
    var beginning: String {
        "\(text.prefix(algorithm.name.utf8.count + 1 + 16))…"
    }
}

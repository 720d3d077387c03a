import Rendering
package import TrustEngine

/// Which mistakes in a policy its tests notice.
package struct MutationReport: Sendable {
    /// A mutant, and the cases that fail because of it.
    package struct Entry: Sendable {
        package let mutant: Mutant
        /// The names of the cases, in the order in which they were given.
        package let noticedBy: [String]
    }

    package let entries: [Entry]
    /// Changes that do not count as mutants, because every host is decided as before.
    package let equal: Int
    /// Changes that were not looked at.
    package let omitted: Int

    /// Joins mutants with what noticed them.
    ///
    /// - Parameter noticedBy: for each mutant in its order, the cases that fail because of it.
    package init(_ mutants: Mutants, noticedBy: [[String]]) {
        entries = zip(mutants.list, noticedBy).map { Entry(mutant: $0, noticedBy: $1) }
        equal = mutants.equal
        omitted = mutants.omitted
    }

    /// Judges each mutant in turn.
    ///
    /// - Parameter notices: the names of the cases that fail under a policy.
    package init(
        _ mutants: Mutants, crypto: some CryptoBackend, notices: (PolicyTable) -> [String]
    ) {
        self.init(mutants, noticedBy: mutants.list.map { notices($0.table(crypto: crypto)) })
    }

    /// The mutants that no case notices, in the order of the policy's lines.
    package var survivors: [Mutant] { entries.filter(\.noticedBy.isEmpty).map(\.mutant) }

    /// The number of mutants that a case notices.
    package var killed: Int { entries.count - survivors.count }

    /// Why there are too many survivors, in one sentence; nil where there are not.
    package func excess(over most: Int) -> String? {
        let count = survivors.count
        guard count > most else { return nil }
        return "\(Words.count(count, "mistake is", "mistakes are")) noticed by no case, "
            + "\(count - most) more than `--most-survivors` lets pass"
    }

    // MARK: Words

    /// The first line: what was made and what was noticed.
    package var headline: String {
        var text =
            "\(Words.count(entries.count, "mistake", "mistakes")) tried: \(killed) noticed, "
            + "\(survivors.count) not"
        if equal > 0 {
            text += "; \(Words.count(equal, "more decides", "more decide")) nothing"
        }
        if omitted > 0 {
            text += "; \(omitted) not tried, because a policy may have \(Mutants.most)"
        }
        return text
    }

    /// A mistake that no case notices.
    package static func sentence(_ mutant: Mutant) -> String {
        "nothing notices when \(mutant.change)"
    }
}

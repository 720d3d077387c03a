package import Foundation

/// The divergences that are known, each with its reason: what `expectations.json` holds. A ratchet:
/// a divergence that is not listed fails a run, and so does one that is listed and is gone.
package struct Expectations: Sendable {
    /// One known divergence.
    package struct Entry: Codable, Hashable, Sendable {
        package let divergence: Divergence
        /// A sentence that a reviewer of another validator would accept.
        package let reason: String

        package init(divergence: Divergence, reason: String) {
            self.divergence = divergence
            self.reason = reason
        }
    }

    /// A case that differs from its expectation.
    package enum Surprise: Hashable, Sendable {
        /// It diverges without an entry.
        case unlisted(id: String, Divergence)
        /// An entry lists another divergence.
        case otherThanListed(id: String, Divergence, listed: Divergence)
        /// An entry lists it, and it agrees.
        case agrees(id: String, listed: Divergence)
        /// Its verdicts under `enforce` and under the defaults differ by more than issuance.
        case unexplained(id: String, enforced: String, reported: String)
        /// The defaults accept it with a notice of these demands, where the suite expects a
        /// failure; it is listed under other demands. Without demands: the defaults do not accept
        /// it.
        case otherDemands(id: String, [String], listed: [String])

        /// The line for people.
        package var sentence: String {
            switch self {
            case .unlisted(let id, let divergence):
                return "\(id): \(divergence.rawValue), and no entry expects it"
            case .otherThanListed(let id, let divergence, let listed):
                return "\(id): \(divergence.rawValue), where the entry expects \(listed.rawValue)"
            case .agrees(let id, let listed):
                return "\(id): agrees, where the entry expects \(listed.rawValue): remove the entry"
            case .unexplained(let id, let enforced, let reported):
                return "\(id): issuance alone does not explain the difference: \(enforced) under "
                    + "enforce; \(reported) under the defaults"
            case .otherDemands(let id, let breached, let listed):
                func words(_ demands: [String]) -> String {
                    demands.isEmpty ? "no demand" : demands.joined(separator: ", ")
                }
                return "\(id): the suite expects a failure, and it is an accept with a notice of "
                    + "\(words(breached)), where \(words(listed)) is expected"
            }
        }
    }

    package let entries: [String: Entry]

    package init(entries: [String: Entry] = [:]) { self.entries = entries }

    /// The entries of a file.
    ///
    /// - Throws: `CaseProblem` for a file that is not a list of expectations, or an entry without a
    ///   reason.
    package init(json: Data) throws {
        let entries: [String: Entry]
        do {
            entries = try JSONDecoder().decode([String: Entry].self, from: json)
        } catch {
            throw CaseProblem("it is not a map from ids to `divergence` and `reason`: \(error)")
        }
        for (id, entry) in entries where entry.reason.allSatisfy(\.isWhitespace) {
            throw CaseProblem("the entry of `\(id)` has no reason")
        }
        self.entries = entries
    }

    /// The difference between a case and its expectation; nil where they agree.
    package func surprise(of result: CaseResult) -> Surprise? {
        let id = result.vector.id
        switch (result.divergence, entries[id]?.divergence) {
        case (nil, nil): return nil
        case (let divergence?, nil): return .unlisted(id: id, divergence)
        case (nil, let listed?): return .agrees(id: id, listed: listed)
        case (let divergence?, let listed?):
            return divergence == listed
                ? nil : .otherThanListed(id: id, divergence, listed: listed)
        }
    }
}

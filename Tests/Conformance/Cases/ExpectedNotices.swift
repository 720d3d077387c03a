package import Foundation
import TrustEngine

/// The vectors that their suites call a failure, and that the defaults accept with a notice: what
/// `expectations-defaults.json` holds. A map from each demand of issuance to the ids of the vectors
/// that breach it.
package struct ExpectedNotices: Sendable {
    /// Ids of vectors by the id of the demand.
    package let vectors: [String: Set<String>]

    package init(_ vectors: [String: Set<String>] = [:]) { self.vectors = vectors }

    /// The entries of a file.
    ///
    /// - Throws: `CaseProblem` for a file that is not a map of notices, and for a key that is not a
    ///   demand of issuance.
    package init(json: Data) throws {
        let vectors: [String: [String]]
        do {
            vectors = try JSONDecoder().decode([String: [String]].self, from: json)
        } catch {
            throw CaseProblem("it is not a map from demands to lists of ids: \(error)")
        }
        for demand in vectors.keys.sorted() where !ExpectedNotices.isIssuance(demand) {
            throw CaseProblem(
                "`\(demand)` is not the id of a demand of issuance: a breach of any other demand "
                    + "rejects under the defaults too")
        }
        self.vectors = vectors.mapValues(Set.init)
    }

    /// The octets of a file with these entries.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(vectors.mapValues { $0.sorted() }) + Data("\n".utf8)
    }

    /// The demands that list a vector; empty for a vector that no demand lists.
    package func demands(of id: String) -> Set<String> {
        Set(vectors.filter { $0.value.contains(id) }.keys)
    }

    /// Whether a violation's id is the id of a demand of issuance.
    package static func isIssuance(_ id: String) -> Bool {
        StandardDemand(rawValue: id)?.isIssuance == true
    }

    /// The difference between a case under the defaults and its expectations; nil where they agree.
    /// `known` is the list of the divergences under `enforce`.
    package func surprise(
        of compared: ComparedResult, known: Expectations
    ) -> Expectations.Surprise? {
        let id = compared.reported.vector.id
        if compared.relation == .unexplained {
            return .unexplained(
                id: id, enforced: compared.enforced.outcome, reported: compared.reported.outcome)
        }
        let listed = demands(of: id)
        if compared.isNoticedFailure {
            let breached = Set(compared.reported.breaches)
            return breached == listed
                ? nil : .otherDemands(id: id, breached.sorted(), listed: listed.sorted())
        }
        if !listed.isEmpty { return .otherDemands(id: id, [], listed: listed.sorted()) }
        // A known divergence may be one that the defaults do not have.
        if compared.reported.divergence == nil, compared.enforced.divergence != nil { return nil }
        return known.surprise(of: compared.reported)
    }
}

extension CaseResult {
    /// The verdict and its reasons in a few words.
    package var outcome: String {
        if let reason { return "\(verdict.rawValue) for \(reason)" }
        return breaches.isEmpty
            ? verdict.rawValue
            : "\(verdict.rawValue) with a notice of \(breaches.joined(separator: ", "))"
    }
}

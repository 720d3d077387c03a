package import Rendering
package import TrustEngine

/// What becomes of recorded requests under the old and the new policy.
package struct RecordedVerdicts: Sendable {
    /// How many requests were judged under both policies.
    package let judged: Int
    /// The requests whose verdict flips.
    package let flips: [Flip]
    /// The requests that cannot be judged again, one sentence each.
    package let unjudged: [String]

    package init(judged: Int, flips: [Flip], unjudged: [String]) {
        self.judged = judged
        self.flips = flips
        self.unjudged = unjudged
    }

    /// No request was recorded.
    package static let none = RecordedVerdicts(judged: 0, flips: [], unjudged: [])

    package var isEmpty: Bool { judged == 0 && unjudged.isEmpty }

    /// A recorded request whose verdict is another under the new policy.
    package struct Flip: Sendable {
        /// Where the request was recorded.
        package let source: String
        package let accepts: Bool
        /// The first lines of `explain` under the old and the new policy.
        package let before: String
        package let after: String
        /// The paths under the old and the new policy.
        package let paths: (old: PathDrawing, new: PathDrawing)

        /// - Parameter certificates: the certificates at hand: presented ones and anchors.
        package init(
            source: String, before: Explanation, after: Explanation,
            certificates: [CertificateFacts]
        ) {
            self.source = source
            accepts = after.verdict.isAccept
            self.before = ExplainDocument.firstLine(of: before)
            self.after = ExplainDocument.firstLine(of: after)
            paths = (PathDrawing(before, certificates), PathDrawing(after, certificates))
        }
    }
}

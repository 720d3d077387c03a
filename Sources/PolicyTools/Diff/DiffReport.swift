import Rendering
import TrustEngine

/// What a run of `diff` found, with what the formats need besides.
package struct DiffReport: Sendable {
    package enum Outcome: Sendable {
        /// The comparisons, at least one: several where a branch has several merge bases.
        case compared([DiffAnswer])
        /// Why there is none. It is never "no changes".
        case notCompared(AnswerFailure)
    }

    package let outcome: Outcome
    /// The unit, by the name that is the same for every push of a branch.
    package let unit: String
    /// The command line that compares the same again.
    package let command: String
    /// The folders of the old and the new unit, by their paths from the folder in which the report
    /// is read; empty where they are that folder, or not known.
    package let folders: (old: String, new: String)
    /// The version of the tool, by Semantic Versioning.
    package let version: String

    package init(
        _ outcome: Outcome, unit: String, command: String, folders: (old: String, new: String),
        version: String
    ) {
        self.outcome = outcome
        self.unit = unit
        self.command = command
        self.folders = folders
        self.version = version
    }

    /// The sentence in which every format says that nothing was compared.
    package static func sentence(_ failure: AnswerFailure) -> String {
        "\(undone): \(failure.context)"
    }

    /// What a failed comparison did not do.
    package static let undone = "not compared"
}

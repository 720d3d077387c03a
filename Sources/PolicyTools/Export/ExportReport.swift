package import Rendering
package import TrustEngine

/// What a run of `export` did, or found.
package struct ExportReport: Sendable {
    package enum Outcome: Sendable {
        /// The files, in the order of `exports.yaml`.
        case answered([Entry], at: UTCInstant)
        /// Why the question has no answer.
        case notAsked(AnswerFailure)
    }

    /// One exported file.
    package struct Entry: Sendable {
        /// The id of the export; nil if the command line named the file.
        package let id: String?
        /// The word of the format.
        package let format: String
        /// The system that reads the file.
        package let system: String
        /// The path from the current folder; nil where the file is printed.
        package let path: String?
        package let state: State
        /// How the exported file differs from the policy; nil if there is none.
        package let loss: ExportLoss?
        /// How the file as it is differs from the exported one.
        package let difference: ExportLoss?
        /// The other files that it names, from the current folder.
        package let companions: [String]
        /// What the file had and has no more.
        package let dropped: [String]
        /// The first instant at which the export makes another file.
        package let nextChange: UTCInstant?

        package init(
            id: String?, format: String, system: String, path: String?, state: State,
            loss: ExportLoss? = nil, difference: ExportLoss? = nil, companions: [String] = [],
            dropped: [String] = [], nextChange: UTCInstant? = nil
        ) {
            self.id = id
            self.format = format
            self.system = system
            self.path = path
            self.state = state
            self.loss = loss
            self.difference = difference
            self.companions = companions
            self.dropped = dropped
            self.nextChange = nextChange
        }
    }

    /// What became of a file.
    package enum State: Hashable, Sendable {
        case created
        case replaced
        /// The file is octet by octet what the export makes.
        case unchanged
        /// The file means what the export means, and was not written by an export.
        case left
        /// The file was printed.
        case printed([UInt8])
        /// `--require` is not met, so that nothing was written.
        case unmet
        /// The file was not written, for a reason.
        case refused(String)
        /// `--check`: the file means what the export means.
        case same
        /// `--check`: the file means something else, or is not there.
        case differs
        case missing
        /// `--check`: the file cannot be read, for a reason.
        case unreadable(String)

        /// The word in JSON.
        package var name: String {
            switch self {
            case .created: return "created"
            case .replaced: return "replaced"
            case .unchanged: return "unchanged"
            case .left: return "left"
            case .printed: return "printed"
            case .unmet: return "unmet"
            case .refused: return "refused"
            case .same: return "same"
            case .differs: return "differs"
            case .missing: return "missing"
            case .unreadable: return "unreadable"
            }
        }

        /// Whether the export failed to do its task.
        package var isFailure: Bool {
            switch self {
            case .refused, .unreadable: return true
            case .created, .replaced, .unchanged, .left, .printed, .unmet, .same, .differs,
                .missing:
                return false
            }
        }

        /// Whether the run ends with 1.
        package var isFinding: Bool {
            switch self {
            case .unmet, .differs, .missing: return true
            case .created, .replaced, .unchanged, .left, .printed, .refused, .same, .unreadable:
                return false
            }
        }
    }

    package let outcome: Outcome
    /// The command line that asks the same again.
    package let command: String
    /// Whether files were compared and not written.
    package let isCheck: Bool
    /// The file that `--output` names; nil where `exports.yaml` names the files.
    package let namedFile: String?
    /// The folder of the policy as places are read; empty if it is the current one.
    package let folder: String

    package init(
        _ outcome: Outcome, command: String, isCheck: Bool, namedFile: String? = nil,
        folder: String = ""
    ) {
        self.outcome = outcome
        self.command = command
        self.isCheck = isCheck
        self.namedFile = namedFile
        self.folder = folder
    }

    /// The entries; none where nothing was asked.
    package var entries: [Entry] {
        switch outcome {
        case .answered(let entries, _): return entries
        case .notAsked: return []
        }
    }
}

extension ExportReport: FormattedAnswer {
    package static let writers = FormatWriters<ExportReport>([
        .answer(.text): { report, _ in ExportText.text(report) },
        .answer(.json): { report, _ in ExportJSON.render(report) },
    ])
}

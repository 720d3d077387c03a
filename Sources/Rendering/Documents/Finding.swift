/// The findings of an answer, with their places. Code scanning and annotations show them.
package struct Findings: Sendable {
    /// The outcome of the run, for systems that store results.
    package enum Run: Sendable {
        /// The answer does not state an outcome.
        case unstated
        /// The run gave an answer; with facts about the whole answer.
        case succeeded(JSONMembers = [:])
        /// The run failed, with the reason.
        case failed(String)
    }

    package var run = Run.unstated
    /// The kinds of finding that `results` can have.
    package var rules: [FindingRule] = []
    package var results: [Finding] = []
    /// The findings to show beside the lines of a pull request; nil for all results.
    package var annotations: [Finding]?
    /// The number of annotations to write, and the line that counts the others.
    package var tally = Tally.ofEachKind

    package init() {}

    /// The line that ends the annotations.
    package enum Tally: Sendable {
        /// The most annotations that GitHub shows of each kind. If some are left out, a notice
        /// counts all findings.
        case ofEachKind
        /// The most annotations that GitHub shows of one kind, for all kinds together. The last one
        /// is a notice with `lines`; it counts the omitted findings in units of `noun`.
        case all(lines: [String], noun: String)
    }
}

/// A kind of finding.
package struct FindingRule: Sendable {
    package var id: String
    /// A name in one word, if it has one besides its id.
    package var name: String?
    package var title: String
    package var explanation: String
    package var help: String
    package var level: FindingLevel
    /// Whether an alert of this kind is about security.
    package var isSecurity: Bool

    package init(
        id: String, name: String? = nil, title: String, explanation: String, help: String,
        level: FindingLevel, isSecurity: Bool
    ) {
        self.id = id
        self.name = name
        self.title = title
        self.explanation = explanation
        self.help = help
        self.level = level
        self.isSecurity = isSecurity
    }
}

/// How bad a finding is.
package enum FindingLevel: String, Hashable, Sendable, CaseIterable {
    case error, warning, note
}

/// One thing that an answer finds.
package struct Finding: Sendable {
    /// The id of its rule.
    package var rule: String
    package var level: FindingLevel
    /// The title of an annotation.
    package var title: String
    /// The finding, in sentences.
    package var lines: [String]
    /// The sentences of an annotation; nil for `lines`.
    package var annotation: [String]?
    /// The first is the place of the finding; the others are related.
    package var places: [FindingPlace]
    /// Whether SARIF writes an empty list of locations for a finding without places.
    package var statesNoPlace = false
    /// The full names of the hosts that the finding is about.
    package var names: [String] = []
    /// Stays the same when lines move. The key names the scheme: `hawser/1`.
    package var fingerprint: (key: String, value: String)?
    package var suppression: Suppression?
    package var fixes: [Fix] = []
    /// The priority of the finding if space is short, lowest first; nil for its position in the
    /// list.
    package var choice: Int?
    /// The group in which an omitted finding is counted.
    package var group: Group?
    /// Whether the finding is never omitted.
    package var isKept = false

    package init(
        rule: String, level: FindingLevel, title: String, lines: [String],
        places: [FindingPlace] = []
    ) {
        self.rule = rule
        self.level = level
        self.title = title
        self.lines = lines
        self.places = places
    }

    /// A group of findings that are counted together, and its order among groups.
    package struct Group: Hashable, Comparable, Sendable {
        package var order: Int
        package var words: String

        package init(order: Int, words: String) {
            self.order = order
            self.words = words
        }

        package static func < (left: Group, right: Group) -> Bool { left.order < right.order }
    }

    /// Why a finding does not fail the run.
    package struct Suppression: Hashable, Sendable {
        /// Whether the suppression is written in the file of the finding.
        package var isInSource: Bool
        package var reason: String
        /// `suppressed`, `allowed`.
        package var word: String

        package init(isInSource: Bool, reason: String, word: String) {
            self.isInSource = isInSource
            self.reason = reason
            self.word = word
        }
    }

    /// Edits to files that fix a finding.
    package struct Fix: Sendable {
        package var title: String
        package var edits: [(place: FindingPlace, text: String)]

        package init(title: String, edits: [(place: FindingPlace, text: String)]) {
            self.title = title
            self.edits = edits
        }
    }
}

/// A place of a finding. Lines and columns count from 1, columns in Unicode scalars.
package struct FindingPlace: Hashable, Sendable {
    package var file: String
    package var line: Int
    package var column: Int
    /// The place after the last character; nil if only the start is known.
    package var end: End?
    /// The message at this place.
    package var text = ""

    /// `policy.yaml:12:5`.
    package var citation: String { "\(file):\(line):\(column)" }

    /// The place after the last character.
    package struct End: Hashable, Sendable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    package init(file: String, line: Int, column: Int, end: End? = nil, text: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.end = end
        self.text = text
    }
}

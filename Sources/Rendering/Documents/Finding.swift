/// What an answer finds, each thing with its place. Code scanning and annotations show these.
package struct Findings: Sendable {
    /// How the run went, where its results are stored.
    package enum Run: Sendable {
        /// The run does not say.
        case unstated
        /// The answer was given; with facts about all of it.
        case succeeded([(String, JSONValue)] = [])
        /// There is no answer, for a reason.
        case failed(String)
    }

    package var run = Run.unstated
    /// What can be found, the kinds of `results`.
    package var rules: [FindingRule] = []
    package var results: [Finding] = []
    /// What is shown beside the lines of a pull request; nil for all results.
    package var annotations: [Finding]?
    /// How many annotations there are, and what is said of the others.
    package var tally = Tally.ofEachKind

    package init() {}

    /// The line that ends the annotations.
    package enum Tally: Sendable {
        /// As many of each kind as are shown. What is left out is counted, if there is any.
        case ofEachKind
        /// As many as are shown of one kind are all. The last annotation is a notice with `lines`;
        /// what is left out is counted by its `noun`.
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
    /// What an annotation is called.
    package var title: String
    /// What is found, in sentences.
    package var lines: [String]
    /// The sentences of an annotation; nil for `lines`.
    package var annotation: [String]?
    /// The first is where it is; the others are related.
    package var places: [FindingPlace]
    /// What it is about, by full names: hosts.
    package var names: [String] = []
    /// Stays the same when lines move. The key names what it was made of: `hawser/1`.
    package var fingerprint: (key: String, value: String)?
    package var suppression: Suppression?
    package var fixes: [Fix] = []
    /// The order in which findings are given room; nil for their order.
    package var choice: Int?
    /// By what words a finding that has no room is counted.
    package var group: Group?
    /// Whether it has room whatever else there is.
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

    /// A kind of thing, by which findings are counted, and its order among kinds.
    package struct Group: Hashable, Comparable, Sendable {
        package var order: Int
        package var words: String

        package init(order: Int, words: String) {
            self.order = order
            self.words = words
        }

        package static func < (left: Group, right: Group) -> Bool { left.order < right.order }
    }

    /// Why a finding fails nothing.
    package struct Suppression: Hashable, Sendable {
        /// Whether it is written in the file that it is about.
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

    /// Changes of files that mend a finding.
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
    /// After the last character; nil where the place has no end.
    package var end: End?
    /// What is to be seen there.
    package var text = ""

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

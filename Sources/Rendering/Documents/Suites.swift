/// The cases of an answer, by file.
package struct Suites: Sendable {
    package var suites: [Suite]
    /// Whether a case can be one that could not be asked.
    package var haveErrors: Bool

    package init(_ suites: [Suite], haveErrors: Bool = true) {
        self.suites = suites
        self.haveErrors = haveErrors
    }

    /// The cases of one file, or of one thing that was asked.
    package struct Suite: Sendable {
        package var name: String
        package var cases: [Case]

        package init(_ name: String, _ cases: [Case]) {
            self.name = name
            self.cases = cases
        }
    }

    /// One thing that was asked.
    package struct Case: Sendable {
        package var name: String
        package var place: (file: String, line: Int)?
        package var outcome: Outcome

        package init(_ name: String, place: (file: String, line: Int)? = nil, _ outcome: Outcome) {
            self.name = name
            self.place = place
            self.outcome = outcome
        }
    }

    /// How a case ended. Each item of `lines` is a line; a line end inside one is kept.
    package enum Outcome: Sendable {
        case passed
        /// Passed, with something to tell.
        case told(lines: [String])
        case failed(kind: String, message: String, lines: [String])
        /// It could not be asked.
        case error(kind: String?, message: String, lines: [String])
        case skipped(message: String, lines: [String])
    }
}

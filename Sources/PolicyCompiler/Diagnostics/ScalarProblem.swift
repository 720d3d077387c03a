/// Why a scalar is not what its field takes (LANGUAGE section 11). A scanner throws it, and the
/// binder turns it into a diagnostic at the characters that are wrong.
package struct ScalarProblem: Error, Hashable, Sendable {
    package var code: DiagnosticCode
    /// Names the value that was found and what would be right. Lower case, no full stop.
    package var message: String
    /// The wrong part of the text, as byte offsets; nil for all of it.
    package var range: Range<Int>?
    package var help: [String]
    package var notes: [String]
    /// The scalar that was probably meant, to replace all of the text. A fix writes it, so it
    /// demands no less than any other scalar that may have been meant.
    package var replacement: String?
    /// The condition under which `replacement` is the intended text, such as ` if it is UTC`; empty
    /// if nothing else can be meant.
    package var condition = ""
    /// Whether `replacement` is the value that was written, in the spelling of the field. The fix
    /// is safe then.
    package var isSameValue = false
    /// The items that were probably meant, where the text stands for several items of a list.
    package var items: [String] = []

    package init(
        _ code: DiagnosticCode, _ message: String, range: Range<Int>? = nil, help: [String] = [],
        notes: [String] = [], replacement: String? = nil
    ) {
        self.code = code
        self.message = message
        self.range = range
        self.help = help
        self.notes = notes
        self.replacement = replacement
    }

    /// The problem, whose replacement is the value that was written in another spelling.
    package var ofSameValue: ScalarProblem {
        var problem = self
        problem.isSameValue = true
        return problem
    }

    /// A problem whose help is to write another scalar in place of all of the text, under a
    /// condition if there is one.
    package init(
        _ code: DiagnosticCode, _ message: String, range: Range<Int>? = nil, write text: String,
        _ condition: String = "", notes: [String] = []
    ) {
        self.init(
            code, message, range: range, help: ["write `\(text)`\(condition)"], notes: notes,
            replacement: text)
        self.condition = condition
    }
}

extension ScalarProblem {
    /// Whether the text should have been a host pattern, an exact name or an address.
    var isOfHost: Bool { [.badHost, .urlNotHost, .badWildcard].contains(code) }

    /// The most octets of free text (LANGUAGE section 1.6), and so of every scalar but `pem`.
    package static let textLimit = 1_000

    /// User text for a message: in backticks, cut after 80 characters.
    static func quote(_ text: some StringProtocol) -> String {
        text.count <= 80 ? "`\(text)`" : "`\(text.prefix(80))…`"
    }

    /// Refuses an empty scalar (HW014) and one with too many octets (HW011), so that the scanners
    /// after it never see an empty or a long text.
    static func requireText(
        _ text: String, of what: @autoclosure () -> String, limit: Int = textLimit
    ) throws(ScalarProblem) {
        let count = text.utf8.count
        guard count > 0 else {
            throw ScalarProblem(.emptyValue, "\(what()) is empty")
        }
        guard count <= limit else {
            let octets = Array(text.utf8.prefix(limit + 1))
            throw ScalarProblem(
                .limits, "\(what()) has \(count) octets; the limit is \(limit)",
                range: octets.characterStart(limit)..<count)
        }
    }
}

/// A format by the name that users give it.
package enum NamedFormat: Hashable, Sendable {
    case answer(AnswerFormat)
    case domain(DomainFormat)

    /// The format of a name; nil if there is none.
    package init?(_ name: String) {
        if let format = AnswerFormat(rawValue: name) {
            self = .answer(format)
        } else if let format = DomainFormat(rawValue: name) {
            self = .domain(format)
        } else {
            return nil
        }
    }

    /// The word of `--format` and `--output`.
    package var name: String {
        switch self {
        case .answer(let format): return format.rawValue
        case .domain(let format): return format.rawValue
        }
    }
}

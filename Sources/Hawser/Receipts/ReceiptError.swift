package import Rendering
public import TrustEngine

/// Why a text is not a receipt.
public struct ReceiptError: CodedError {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// The text is longer than the longest receipt that is read.
        case tooLong = "too-long"
        /// The text is not JSON.
        case notJSON = "not-json"
        /// The text has another format, or a version that is not known here.
        case otherFormat = "other-format"
        /// A member is missing, is unknown, or has a value that it cannot have.
        case malformed
    }

    /// The reason.
    public let code: Code
    /// What was found: lower case, no full stop. Text of the file in it is not escaped.
    public let context: String

    /// Makes an error from its values.
    package init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}

extension ReceiptError {
    /// The error of a receipt whose text breaks a rule of `StrictJSON`.
    package init(_ problem: StrictJSON.Problem) {
        let code: Code =
            switch problem.kind {
            case .notJSON: .notJSON
            case .malformed: .malformed
            case .otherFormat: .otherFormat
            }
        self.init(code: code, context: problem.context)
    }
}

public import TrustEngine

/// Why a table does not load.
public struct TableLoadError: CodedError {
    /// The step of a load that failed.
    public enum Step: Hashable, Sendable, CaseIterable {
        /// A file cannot be read (`FileReadError`).
        case file
        /// The bytes are not a policy table, or the envelope of the table is not in order
        /// (`TableDecodingError`).
        case table
        /// Too few of the trusted keys have signed the table (`TableSignatureError`).
        case signature
        /// An input that the table needs is missing or cannot be read (`EngineError`): the system
        /// store, an anchor, a custom check, or a log list.
        case engine
    }

    /// The step that failed.
    public let step: Step
    /// The reason's stable name: a code of the error that `step` names.
    public let code: ErrorCode
    /// What was found: lower case, no full stop.
    public let context: String

    private init(_ step: Step, _ error: some CodedError) {
        self.step = step
        code = ErrorCode(error.code)
        context = error.context
    }

    static func file(_ error: FileReadError) -> TableLoadError { TableLoadError(.file, error) }

    static func table(_ error: TableDecodingError) -> TableLoadError {
        TableLoadError(.table, error)
    }

    static func signature(_ error: TableSignatureError) -> TableLoadError {
        TableLoadError(.signature, error)
    }

    static func engine(_ error: EngineError) -> TableLoadError { TableLoadError(.engine, error) }
}

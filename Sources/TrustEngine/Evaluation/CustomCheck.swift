/// A check that a program registers under a name of `checks` (LANGUAGE section 8).
///
/// It is asked of candidate paths while they are searched, so it must be pure: the same subject, the
/// same answer, and nothing else touched. It sees paths whose signatures were not verified and that
/// are not accepted in the end. It can refuse a path and never save one.
public struct CustomCheck: Sendable {
    /// What a check is asked about.
    public struct Subject: Hashable, Sendable {
        /// DER of each certificate of the path, end entity first, anchor last.
        public let path: [[UInt8]]
        /// The host asked for, in canonical form.
        public let host: String
        /// The port asked for.
        public let port: UInt16
        /// The instant judged at.
        public let time: UTCInstant

        /// A subject.
        public init(path: [[UInt8]], host: String, port: UInt16, time: UTCInstant) {
            self.path = path
            self.host = host
            self.port = port
            self.time = time
        }
    }

    /// What a check says.
    public enum Answer: Hashable, Sendable {
        case pass
        /// Why not: lower case, no full stop. It is shown, escaped, to whoever reads the verdict.
        case fail(reason: String)
    }

    /// Cost units of asking once: what two signatures cost, since nobody knows what the program does.
    static let cost = 200

    private let judge: @Sendable (Subject) -> Answer

    /// A check.
    public init(_ judge: @escaping @Sendable (Subject) -> Answer) { self.judge = judge }

    /// Asks it.
    public func callAsFunction(_ subject: Subject) -> Answer { judge(subject) }
}

/// A check that a program registers under a name of `checks` (LANGUAGE section 8).
///
/// The engine asks the check about candidate paths during its search. So a check must be pure: it
/// gives the same answer for the same subject and changes nothing else. The engine also asks about
/// paths whose signatures were not verified, and about paths that are not accepted in the end. A
/// check can refuse a path; it cannot make the engine accept one.
public struct CustomCheck: Sendable {
    /// The path and the request that a check is asked about.
    public struct Subject: Hashable, Sendable {
        /// DER of each certificate of the path, end entity first, anchor last.
        public let path: [[UInt8]]
        /// The host asked for, in canonical form.
        public let host: String
        /// The port of the request.
        public let port: UInt16
        /// The instant at which the path is judged.
        public let time: UTCInstant

        /// A subject.
        public init(path: [[UInt8]], host: String, port: UInt16, time: UTCInstant) {
            self.path = path
            self.host = host
            self.port = port
            self.time = time
        }
    }

    /// The answer of a check.
    public enum Answer: Hashable, Sendable {
        case pass
        /// The check refuses the path. `reason` is lower case without a full stop; renderers escape
        /// it and show it to readers of the verdict.
        case fail(reason: String)
    }

    /// Cost units for asking a check once. A check costs as much as two P-256 signatures, because
    /// the engine cannot know what the program does.
    static let cost = 200

    private let judge: @Sendable (Subject) -> Answer

    /// Makes a check from a function of the program.
    public init(_ judge: @escaping @Sendable (Subject) -> Answer) { self.judge = judge }

    /// Asks the check about one path.
    public func callAsFunction(_ subject: Subject) -> Answer { judge(subject) }
}

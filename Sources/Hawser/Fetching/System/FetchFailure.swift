public import TrustEngine

/// Why a piece of evidence could not be fetched.
public struct FetchFailure: CodedError {
    /// Stable names of the reasons.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // The place itself.
        /// The URL may not be fetched.
        case urlRefused = "url-refused"
        /// The host's name does not resolve.
        case nameUnknown = "name-unknown"
        /// The host has an address that may not be asked.
        case addressRefused = "address-refused"

        // The connection.
        /// No address of the host accepts a connection.
        case connectFailed = "connect-failed"
        /// The time was over before the answer was complete.
        case timedOut = "timed-out"
        /// The connection ended before the answer was complete.
        case cutShort = "cut-short"

        // The answer.
        /// The HTTP status is not 200. Redirects are not followed.
        case status = "http-status"
        /// The answer's media type is absent or not the expected one.
        case wrongType = "wrong-type"
        /// The answer is longer than the limit.
        case tooLarge = "too-large"
        /// The answer is not HTTP, or its content does not parse. Also when libcrypto cannot make
        /// the request.
        case malformed
        /// The responder answers with an error status instead of a revocation status.
        case useless

        // Us.
        /// The exchange failed before, and the pause after the failure is not over.
        case backedOff = "backed-off"
        /// Too many names are being resolved already, or the system has no thread left.
        case busy
        /// The request has fetched as many octets as it may.
        case budgetSpent = "budget-spent"
    }

    /// The reason.
    public let code: Code
    /// What was found: lower case, no full stop. Text of strangers in it is not escaped.
    public let context: String
    /// The address that may not be asked; nil for another reason.
    public let refusedAddress: String?
    /// The HTTP status; nil for another reason.
    public let httpStatus: Int?
    /// The octets that an answer may have; nil for another reason.
    public let octetLimit: Int?

    private init(
        _ code: Code, _ context: String, refusedAddress: String? = nil, httpStatus: Int? = nil,
        octetLimit: Int? = nil
    ) {
        self.code = code
        self.context = context
        self.refusedAddress = refusedAddress
        self.httpStatus = httpStatus
        self.octetLimit = octetLimit
    }

    static func urlRefused(_ reason: String) -> FetchFailure {
        FetchFailure(.urlRefused, "the URL is not fetched: \(reason)")
    }

    static func nameUnknown(_ reason: String) -> FetchFailure {
        FetchFailure(.nameUnknown, "the name does not resolve: \(reason)")
    }

    /// An address that may not be asked, and the kind of its network.
    static func addressRefused(_ address: String, _ kind: String) -> FetchFailure {
        FetchFailure(
            .addressRefused, "\(address) is not asked, as it is not a public address (\(kind))",
            refusedAddress: address)
    }

    static func connectFailed(_ reason: String) -> FetchFailure {
        FetchFailure(.connectFailed, "no connection: \(reason)")
    }

    // These are computed: a global constant is made under a lock of Swift's runtime, which a child
    // after `fork` may find held for ever.
    static var timedOut: FetchFailure { FetchFailure(.timedOut, "no answer in the time allowed") }
    static var cutShort: FetchFailure {
        FetchFailure(.cutShort, "the connection ended before the answer did")
    }

    static func status(_ status: Int) -> FetchFailure {
        let isRedirect = (300..<400).contains(status)
        return FetchFailure(
            .status, "status \(status)\(isRedirect ? ", and redirects are not followed" : "")",
            httpStatus: status)
    }

    static var wrongType: FetchFailure {
        FetchFailure(.wrongType, "the answer has another media type")
    }

    static func tooLarge(limit: Int) -> FetchFailure {
        FetchFailure(
            .tooLarge, "the answer has more than \(limit) octets", octetLimit: limit)
    }

    static func malformed(_ reason: String) -> FetchFailure {
        FetchFailure(.malformed, "the answer cannot be read: \(reason)")
    }

    static func useless(_ reason: String) -> FetchFailure {
        FetchFailure(.useless, "the answer is of no use: \(reason)")
    }

    static var backedOff: FetchFailure {
        FetchFailure(.backedOff, "it failed before, and is not asked again yet")
    }

    static var busy: FetchFailure { FetchFailure(.busy, "too much is being fetched already") }
    static var budgetSpent: FetchFailure {
        FetchFailure(.budgetSpent, "the octets that one request may fetch are spent")
    }

    /// Whether the failure is a failure of the host rather than of the answer.
    var isOfHost: Bool {
        switch code {
        case .nameUnknown, .addressRefused, .connectFailed, .timedOut, .cutShort: return true
        case .urlRefused, .status, .wrongType, .tooLarge, .malformed, .useless, .backedOff, .busy,
            .budgetSpent:
            return false
        }
    }
}

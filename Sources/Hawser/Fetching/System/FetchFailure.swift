/// Why a piece of evidence could not be fetched.
public enum FetchFailure: Error, Hashable, Sendable {
    // The place itself.
    /// The URL may not be fetched; the reason.
    case urlRefused(String)
    /// The host's name does not resolve; the resolver's reason.
    case nameUnknown(String)
    /// The host has an address that may not be asked: the address, and the kind of its network.
    case addressRefused(String, String)

    // The connection.
    /// No address of the host accepts a connection; the reason of the last one.
    case connectFailed(String)
    /// The time was over before the answer was complete.
    case timedOut
    /// The connection ended before the answer was complete.
    case cutShort

    // The answer.
    /// The HTTP status is not 200. Redirects are not followed.
    case status(Int)
    /// The answer's media type is absent or not the expected one.
    case wrongType
    /// The answer is longer than `limit` octets.
    case tooLarge(limit: Int)
    /// The answer is not HTTP, or its content does not parse; the reason. Also when libcrypto
    /// cannot make the request.
    case malformed(String)
    /// The responder answers with an error status instead of a revocation status; the reason.
    case useless(String)

    // Us.
    /// The exchange failed before, and the pause after the failure is not over.
    case backedOff
    /// Too many names are being resolved already, or the system has no thread left.
    case busy
    /// The request has fetched as many octets as it may.
    case budgetSpent

    /// The reason's stable name.
    public var id: String {
        switch self {
        case .urlRefused: return "url-refused"
        case .nameUnknown: return "name-unknown"
        case .addressRefused: return "address-refused"
        case .connectFailed: return "connect-failed"
        case .timedOut: return "timed-out"
        case .cutShort: return "cut-short"
        case .status: return "http-status"
        case .wrongType: return "wrong-type"
        case .tooLarge: return "too-large"
        case .malformed: return "malformed"
        case .useless: return "useless"
        case .backedOff: return "backed-off"
        case .busy: return "busy"
        case .budgetSpent: return "budget-spent"
        }
    }

    /// What was found: lower case, no full stop. Text of strangers in it is not escaped.
    public var context: String {
        switch self {
        case .urlRefused(let reason): return "the URL is not fetched: \(reason)"
        case .nameUnknown(let reason): return "the name does not resolve: \(reason)"
        case .addressRefused(let address, let kind):
            return "\(address) is not asked, as it is no public address (\(kind))"
        case .connectFailed(let reason): return "no connection: \(reason)"
        case .timedOut: return "no answer in the time allowed"
        case .cutShort: return "the connection ended before the answer did"
        case .status(let status) where (300..<400).contains(status):
            return "status \(status), and redirects are not followed"
        case .status(let status): return "status \(status)"
        case .wrongType: return "the answer has another media type"
        case .tooLarge(let limit): return "the answer has more than \(limit) octets"
        case .malformed(let reason): return "the answer cannot be read: \(reason)"
        case .useless(let reason): return "the answer is of no use: \(reason)"
        case .backedOff: return "it failed before, and is not asked again yet"
        case .busy: return "too much is being fetched already"
        case .budgetSpent: return "the octets that one request may fetch are spent"
        }
    }

    /// Whether the failure is a failure of the host rather than of the answer.
    var isOfHost: Bool {
        switch self {
        case .nameUnknown, .addressRefused, .connectFailed, .timedOut, .cutShort: return true
        default: return false
        }
    }
}

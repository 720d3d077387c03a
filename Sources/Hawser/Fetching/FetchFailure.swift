/// Why a piece of evidence could not be had.
public enum FetchFailure: Error, Hashable, Sendable {
    // The place itself.
    /// The URL is none that is fetched.
    case urlRefused(String)
    /// The host's name does not resolve.
    case nameUnknown(String)
    /// The host has an address that is not asked: the address, and what it is.
    case addressRefused(String, String)

    // The connection.
    /// No address of the host takes a connection.
    case connectFailed(String)
    /// The time allowed ran out.
    case timedOut
    /// The connection ended before the answer did.
    case cutShort

    // The answer.
    /// Another HTTP status than 200. Redirects are not followed.
    case status(Int)
    /// Another media type than the one asked for, or none.
    case wrongType
    /// It is longer than what is read.
    case tooLarge(limit: Int)
    /// It is no HTTP, or what it carries does not parse.
    case malformed(String)
    /// It parses, and is about another certificate, or its time has not come or is over.
    case useless(String)

    // Us.
    /// It failed before, and is not asked again yet.
    case backedOff
    /// Too much is being fetched already.
    case busy
    /// The bytes that one request may fetch are spent.
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

    /// What was found, lower case, no full stop. Text of strangers in it is raw.
    public var context: String {
        switch self {
        case .urlRefused(let reason): return "the URL is not fetched: \(reason)"
        case .nameUnknown(let reason): return "the name does not resolve: \(reason)"
        case .addressRefused(let address, let kind):
            return "\(address) is not asked: \(kind)"
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

    /// Whether it says something of the host rather than of what was asked.
    var isOfHost: Bool {
        switch self {
        case .nameUnknown, .addressRefused, .connectFailed, .timedOut, .cutShort: return true
        default: return false
        }
    }
}

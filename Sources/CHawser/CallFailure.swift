import CHawserABI
import Hawser
import Rendering
import TrustEngine

/// Why a call from C failed.
struct CallFailure: Error {
    /// `HAWSER_E_*`.
    let result: Int
    /// A stable word for the reason.
    let reason: String
    /// The value that was found and the values that are allowed: lower case, no full stop, not
    /// escaped.
    let message: String

    init(_ result: Int, _ reason: String, _ message: String) {
        self.result = result
        self.reason = reason
        self.message = message
    }

    /// NULL where a pointer must be given.
    @inline(never)
    static func null(_ what: String) -> CallFailure {
        CallFailure(HAWSER_E_ARGUMENT, "null-pointer", "`\(what)` is NULL")
    }

    /// A value above a limit.
    @inline(never)
    static func beyond(_ limit: Int, _ what: String) -> CallFailure {
        CallFailure(HAWSER_E_LIMIT, "too-large", "`\(what)` has more than \(limit)")
    }

    /// A value that is not allowed.
    static func value(_ what: String, _ found: some BinaryInteger, allowed: String) -> CallFailure {
        CallFailure(
            HAWSER_E_ARGUMENT, "value-not-allowed", "`\(what)` is \(found), allowed: \(allowed)")
    }
}

/// Why a function answers `HAWSER_REJECT`.
struct RejectReason {
    /// A stable word.
    let id: String
    /// What was found: lower case, no full stop, not escaped.
    let sentence: String

    init(_ id: String, _ sentence: String) {
        self.id = id
        self.sentence = sentence
    }

    /// The first violation of a reject, with the words about it. `isDecision` is false where the
    /// caller asked for no verdict.
    init(_ reject: RejectError, isDecision: Bool = true) {
        self.init(
            reject.violations.first?.id ?? "",
            reject.message(atMost: RejectReason.longest, withID: isDecision))
    }

    /// The octets that `hawser_error.message` has room for, without the NUL.
    private static let longest = MemoryLayout.size(ofValue: hawser_error().message) - 1
}

/// Runs the body of a function of the interface, and writes into `error` whether it failed and why.
/// It leaves the caller's queue of OpenSSL errors unchanged, even though libcrypto and callbacks of
/// the program run inside. `why` is as of `answer`.
func call(
    _ error: UnsafeMutablePointer<hawser_error>?, _ body: () throws(CallFailure) -> Int,
    why: () -> RejectReason? = { nil }
) -> Int32 {
    EngineLoader.keepingErrorQueue { unsafe answer(error, body, why: why) }
}

/// As `call`, for a body that keeps the queue of OpenSSL errors by itself, where libcrypto or a
/// callback of the program may run. A host without a rule is denied without either, and keeping the
/// queue costs as much as looking the host up.
///
/// When `body` returns `HAWSER_REJECT` and the caller asks for an error, `why` gives the reason.
/// Its sentence costs more than the verdict on a host without a rule, so a caller that gives no
/// struct does not pay for it.
func answer(
    _ error: UnsafeMutablePointer<hawser_error>?, _ body: () throws(CallFailure) -> Int,
    why: () -> RejectReason? = { nil }
) -> Int32 {
    let sink: CheckedStruct<hawser_error>?
    do throws(CallFailure) {
        sink = try unsafe CheckedStruct(optional: error, "error")
    } catch {
        return Int32(truncatingIfNeeded: error.result)
    }
    do throws(CallFailure) {
        let result = try body()
        if let sink {
            let reason = result == HAWSER_REJECT ? why() : nil
            sink.fill(
                result: result, reason: reason?.id ?? "",
                message: TerminalEscape.escape(reason?.sentence ?? ""))
        }
        return Int32(truncatingIfNeeded: result)
    } catch {
        sink?.fill(
            result: error.result, reason: error.reason,
            message: TerminalEscape.escape(error.message))
        return Int32(truncatingIfNeeded: error.result)
    }
}

extension CheckedStruct where Value == hawser_error {
    fileprivate func fill(result: Int, reason: String, message: String) {
        var error = hawser_error()
        error.result = Int32(truncatingIfNeeded: result)
        unsafe withUnsafeMutableBytes(of: &error.reason) { buffer in
            _ = unsafe CText.write(reason, into: buffer)
        }
        unsafe withUnsafeMutableBytes(of: &error.message) { buffer in
            _ = unsafe CText.write(message, into: buffer)
        }
        write(error)
    }
}

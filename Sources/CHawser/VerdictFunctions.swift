// The functions of hawser.h that judge requests, and those that read verdicts.

public import CHawserABI
import Hawser
import Rendering
import TrustEngine

/// Judges a request; see hawser.h.
@c @implementation
public func hawser_evaluate(
    _ store: hawser_store, _ request: UnsafePointer<hawser_request>?,
    _ outcome: UnsafeMutablePointer<hawser_outcome>?,
    _ verdict: UnsafeMutablePointer<hawser_verdict>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe judge(store, request, outcome, verdict, error, explains: false)
}

/// Judges a request and says why; see hawser.h.
@c @implementation
public func hawser_explain(
    _ store: hawser_store, _ request: UnsafePointer<hawser_request>?,
    _ outcome: UnsafeMutablePointer<hawser_outcome>?,
    _ verdict: UnsafeMutablePointer<hawser_verdict>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe judge(store, request, outcome, verdict, error, explains: true)
}

/// Judges a request, with evidence that is fetched; see hawser.h.
@c @implementation
public func hawser_evaluate_fetching(
    _ store: hawser_store, _ fetcher: hawser_fetcher, _ request: UnsafePointer<hawser_request>?,
    _ outcome: UnsafeMutablePointer<hawser_outcome>?,
    _ verdict: UnsafeMutablePointer<hawser_verdict>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe judge(store, request, outcome, verdict, error, fetcher: fetcher, explains: false)
}

/// Judges a request, with evidence that is fetched, and says why; see hawser.h.
@c @implementation
public func hawser_explain_fetching(
    _ store: hawser_store, _ fetcher: hawser_fetcher, _ request: UnsafePointer<hawser_request>?,
    _ outcome: UnsafeMutablePointer<hawser_outcome>?,
    _ verdict: UnsafeMutablePointer<hawser_verdict>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe judge(store, request, outcome, verdict, error, fetcher: fetcher, explains: true)
}

/// The common part of the functions that judge: reads the request, judges it by one snapshot, and
/// writes the results. `fetcher` is nil where nothing is fetched.
private func judge(
    _ store: hawser_store, _ request: UnsafePointer<hawser_request>?,
    _ outcome: UnsafeMutablePointer<hawser_outcome>?,
    _ verdict: UnsafeMutablePointer<hawser_verdict>?, _ error: UnsafeMutablePointer<hawser_error>?,
    fetcher: hawser_fetcher? = nil, explains: Bool
) -> Int32 {
    // The caller's outputs are cleared first, so that old contents cannot be taken for an answer.
    unsafe verdict?.pointee = hawser_verdict()
    unsafe hawser_outcome.undecide(outcome)
    var told: RejectError?
    // The engine calls libcrypto, and the program's callbacks run, where the queue is kept below.
    return unsafe answer(error) { () throws(CallFailure) in
        let sink = try unsafe CheckedStruct(optional: outcome, "outcome")
        sink?.write(.undecided)
        // An explanation that nobody gets would be made in vain.
        guard unsafe verdict != nil || !explains else { throw .null("verdict") }
        let served = try Handles.stores.held(store, "store")
        let opened: HeldFetcher?
        if let fetcher {
            opened = try Handles.fetchers.held(fetcher, "fetcher")
        } else {
            opened = nil
        }
        let asked = try unsafe CheckedRequest(request)
        if unsafe verdict == nil, fetcher == nil,
            let quick = served.decide(asked, into: sink)
        {
            guard !quick.verdict.isAccept else { return HAWSER_OK }
            if unsafe error != nil {
                told = EngineLoader.keepingErrorQueue {
                    RejectError(judged: quick.verdict, of: asked.whole, by: quick.snapshot)
                }
            }
            return HAWSER_REJECT
        }
        let reached = EngineLoader.keepingErrorQueue {
            served.judge(asked, opened, explains: explains)
        }
        // Another thread closed the store after this thread had looked up its handle.
        guard let held = reached else { throw .misuse(store, "store") }
        if unsafe error != nil { told = EngineLoader.keepingErrorQueue { held.reject } }
        if unsafe verdict != nil {
            guard let handle = Handles.verdicts.insert(held) else {
                throw CallFailure(
                    HAWSER_E_LIMIT, "too-many-objects",
                    "too many verdicts are alive; each is to be freed by hawser_verdict_free")
            }
            unsafe verdict?.pointee = handle
        }
        sink?.write(held.outcome)
        return held.verdict.isAccept ? HAWSER_OK : HAWSER_REJECT
    } why: {
        told.map { RejectReason($0) }
    }
}

/// A verdict in numbers; see hawser.h.
@c @implementation
public func hawser_verdict_outcome(
    _ verdict: hawser_verdict, _ outcome: UnsafeMutablePointer<hawser_outcome>?
) -> Int32 {
    unsafe hawser_outcome.undecide(outcome)
    return call(nil) { () throws(CallFailure) in
        guard let sink = try unsafe CheckedStruct(optional: outcome, "outcome") else {
            throw .null("outcome")
        }
        sink.write(.undecided)
        let held = try Handles.verdicts.held(verdict, "verdict")
        sink.write(held.outcome)
        return HAWSER_OK
    }
}

/// A text of a verdict; see hawser.h.
@c @implementation
public func hawser_verdict_text(
    _ verdict: hawser_verdict, _ which: UInt32, _ index: Int,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ length: UnsafeMutablePointer<Int>?
) -> Int32 {
    call(nil) { () throws(CallFailure) in
        try unsafe CText.clear(buffer, capacity, length)
        let held = try Handles.verdicts.held(verdict, "verdict")
        return try unsafe CText.answer(try held.text(which, index), buffer, capacity, length)
    }
}

/// Frees a verdict; see hawser.h.
@c @implementation
public func hawser_verdict_free(_ verdict: hawser_verdict) -> Int32 {
    call(nil) { () throws(CallFailure) in
        try Handles.verdicts.free(verdict, "verdict")
    }
}

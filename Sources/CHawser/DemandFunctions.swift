// The functions of hawser.h that say what a rule demands of a connection.

public import CHawserABI
import Hawser
import Rendering
import TrustEngine

/// The demands of the rule for a host; see hawser.h.
@c @implementation
public func hawser_store_demands(
    _ store: hawser_store, _ host: UnsafeRawPointer?, _ length: Int, _ port: UInt32,
    _ time: Int64, _ numbers: UnsafeMutablePointer<hawser_demanded>?,
    _ demands: UnsafeMutablePointer<hawser_demands>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe demands?.pointee = hawser_demands()
    var denied: RejectError?
    return unsafe call(error) { () throws(CallFailure) in
        let sink = try unsafe CheckedStruct(optional: numbers, "numbers")
        sink?.write(hawser_demanded())
        let served = try Handles.stores.held(store, "store")
        let place = try unsafe HostAndPort(host, length, port)
        let time = try UTCInstant(given: time)
        let snapshot = served.snapshot
        let engine = snapshot.engine
        let dependsOnPort = ConnectionDemands.dependOnPort(of: engine, host: place.host)
        guard
            let found = ConnectionDemands(
                of: engine, host: place.host, port: place.port, at: time)
        else {
            // Every verdict for this host rejects, and says why.
            if unsafe error != nil {
                let request = TrustRequest(
                    host: place.host, port: place.port, presentedChain: [], time: time)
                denied = RejectError(
                    judged: engine.evaluate(request), of: request, by: snapshot)
            }
            sink?.write(
                hawser_demanded(
                    epoch: snapshot.epoch, policy: engine.table.policyDigest,
                    dependsOnPort: dependsOnPort))
            return HAWSER_REJECT
        }
        let held = HeldDemands(found, epoch: snapshot.epoch, dependsOnPort: dependsOnPort)
        if unsafe demands != nil {
            guard let handle = Handles.demands.insert(held) else {
                throw CallFailure(
                    HAWSER_E_LIMIT, "too-many-objects",
                    "too many demands are alive; each is to be freed by hawser_demands_free")
            }
            unsafe demands?.pointee = handle
        }
        sink?.write(held.numbers)
        return HAWSER_OK
    } why: {
        denied.map { RejectReason($0, isDecision: false) }
    }
}

/// A text of demands; see hawser.h.
@c @implementation
public func hawser_demands_text(
    _ demands: hawser_demands, _ which: UInt32, _ index: Int,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ length: UnsafeMutablePointer<Int>?
) -> Int32 {
    call(nil) { () throws(CallFailure) in
        try unsafe CText.clear(buffer, capacity, length)
        let held = try Handles.demands.held(demands, "demands")
        let text = TerminalEscape.escape(try held.text(which, index))
        return try unsafe CText.answer(text, buffer, capacity, length)
    }
}

/// Frees demands; see hawser.h.
@c @implementation
public func hawser_demands_free(_ demands: hawser_demands) -> Int32 {
    call(nil) { () throws(CallFailure) in
        try Handles.demands.free(demands, "demands")
    }
}

/// A host and a port that a caller gives outside a request.
struct HostAndPort {
    let host: String
    let port: UInt16

    /// Reads both. Octets that are not UTF-8 become U+FFFD, which no host contains.
    init(_ host: UnsafeRawPointer?, _ length: Int, _ port: UInt32) throws(CallFailure) {
        let octets = try unsafe CInput.octets(host, length, limit: CInput.limitName, "host")
        guard let octets else { throw .null("host") }
        guard let port = UInt16(exactly: port) else {
            throw .value("port", port, allowed: "0 to 65535")
        }
        self.host = String(decoding: octets, as: UTF8.self)
        self.port = port
    }
}

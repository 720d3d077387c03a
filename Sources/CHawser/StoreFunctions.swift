// The functions of hawser.h that open, reload, ask and close stores.

public import CHawserABI
import Hawser
import Rendering
import TrustEngine

/// The version of the interface; see hawser.h.
@c @implementation
public func hawser_abi_version() -> UInt32 { UInt32(HAWSER_ABI_VERSION) }

/// Opens a store on octets; see hawser.h.
@c @implementation
public func hawser_store_open(
    _ table: UnsafeRawPointer?, _ length: Int, _ options: UnsafePointer<hawser_store_options>?,
    _ store: UnsafeMutablePointer<hawser_store>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe open(store, error) { () throws(CallFailure) in
        let options = try unsafe StoreOptions(options)
        let octets = try unsafe CInput.octets(
            table, length, limit: CInput.limitTable, "table")
        return try ServedPolicy(table: octets, options)
    }
}

/// Opens a store on a file; see hawser.h.
@c @implementation
public func hawser_store_open_file(
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<hawser_store_options>?,
    _ store: UnsafeMutablePointer<hawser_store>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe open(store, error) { () throws(CallFailure) in
        let path = try unsafe CInput.name(path, limit: CInput.limitPath, "path")
        guard let path else { throw .null("path") }
        return try ServedPolicy(path: path, try unsafe StoreOptions(options))
    }
}

/// Opens a store that goes on where another one was; see hawser.h.
@c @implementation
public func hawser_store_resume(
    _ table: UnsafeRawPointer?, _ length: Int, _ was: UnsafePointer<hawser_snapshot>?,
    _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<hawser_store_options>?,
    _ store: UnsafeMutablePointer<hawser_store>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe open(store, error) { () throws(CallFailure) in
        let octets = try unsafe CInput.octets(
            table, length, limit: CInput.limitTable, "table")
        guard let octets else { throw .null("table") }
        let snapshot = try unsafe CheckedStruct(was, "was").value
        let path = try unsafe CInput.name(path, limit: CInput.limitPath, "path")
        let predecessor = PolicyStore.Predecessor(
            table: octets, epoch: snapshot.epoch,
            confirmedAt: try UTCInstant(given: snapshot.confirmed_at))
        return try ServedPolicy(
            after: predecessor, path: path, try unsafe StoreOptions(options))
    }
}

private func open(
    _ store: UnsafeMutablePointer<hawser_store>?, _ error: UnsafeMutablePointer<hawser_error>?,
    _ body: () throws(CallFailure) -> ServedPolicy
) -> Int32 {
    unsafe store?.pointee = hawser_store()
    return unsafe call(error) { () throws(CallFailure) in
        guard let store = unsafe store else { throw .null("store") }
        let served = try body()
        guard let handle = Handles.stores.insert(served) else {
            served.close()
            throw CallFailure(
                HAWSER_E_LIMIT, "too-many-objects", "too many stores are open")
        }
        unsafe store.pointee = handle
        return HAWSER_OK
    }
}

/// The open store of a handle.
private func served(_ store: hawser_store) throws(CallFailure) -> ServedPolicy {
    try Handles.stores.held(store, "store")
}

/// Offers a table; see hawser.h.
@c @implementation
public func hawser_store_reload(
    _ store: hawser_store, _ table: UnsafeRawPointer?, _ length: Int,
    _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        let served = try served(store)
        let octets = try unsafe CInput.octets(table, length, limit: CInput.limitTable, "table")
        guard let octets else { throw .null("table") }
        try served.reload(octets)
        return HAWSER_OK
    }
}

/// Reads the file again; see hawser.h.
@c @implementation
public func hawser_store_reload_file(
    _ store: hawser_store, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        try served(store).reloadFile()
        return HAWSER_OK
    }
}

/// The octets of the table in force; see hawser.h.
@c @implementation
public func hawser_store_table(
    _ store: hawser_store, _ buffer: UnsafeMutableRawPointer?, _ capacity: Int,
    _ length: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe length?.pointee = 0
    return unsafe call(error) { () throws(CallFailure) in
        guard capacity >= 0 else { throw .beyond(Int.max, "capacity") }
        guard unsafe buffer != nil || capacity == 0 else { throw .null("buffer") }
        let table = try served(store).policy.tableInForce
        unsafe length?.pointee = table.count
        guard table.count <= capacity else {
            throw CallFailure(
                HAWSER_E_SMALL, "too-small",
                "the table has \(table.count) octets, and the buffer \(capacity)")
        }
        unsafe table.withUnsafeBytes { octets in
            guard let first = octets.baseAddress else { return }
            unsafe buffer?.copyMemory(from: first, byteCount: octets.count)
        }
        return HAWSER_OK
    }
}

/// Notes that a table is the newest; see hawser.h.
@c @implementation
public func hawser_store_confirm(
    _ store: hawser_store, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        try served(store).confirm()
        return HAWSER_OK
    }
}

/// The snapshot in force; see hawser.h.
@c @implementation
public func hawser_store_snapshot(
    _ store: hawser_store, _ snapshot: UnsafeMutablePointer<hawser_snapshot>?,
    _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        guard let sink = try unsafe CheckedStruct(optional: snapshot, "snapshot") else {
            throw .null("snapshot")
        }
        sink.write(hawser_snapshot())
        sink.write(try served(store).numbers())
        return HAWSER_OK
    }
}

/// Whether a connection of an earlier epoch may go on; see hawser.h.
@c @implementation
public func hawser_store_holds(
    _ store: hawser_store, _ epoch: UInt64, _ host: UnsafeRawPointer?, _ length: Int,
    _ port: UInt32, _ time: Int64, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        let served = try served(store)
        let place = try unsafe HostAndPort(host, length, port)
        let time = try UTCInstant(given: time)
        return served.snapshot.holds(epoch: epoch, host: place.host, port: place.port, at: time)
            ? HAWSER_OK : HAWSER_REJECT
    } why: {
        RejectReason(
            "not-held",
            "the connection was accepted under epoch \(epoch), and a table since then judges the "
                + "host more strictly, the epoch is too old or none of this store, or the table is "
                + "stale and rejects")
    }
}

/// The condition of a store; see hawser.h.
@c @implementation
public func hawser_store_state(
    _ store: hawser_store, _ state: UnsafeMutablePointer<hawser_state>?,
    _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        guard let sink = try unsafe CheckedStruct(optional: state, "state") else {
            throw .null("state")
        }
        sink.write(hawser_state())
        sink.write(try served(store).condition())
        return HAWSER_OK
    }
}

/// A descriptor that tells of new epochs; see hawser.h.
@c @implementation
public func hawser_store_epoch_descriptor(
    _ store: hawser_store, _ descriptor: UnsafeMutablePointer<Int32>?,
    _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe descriptor?.pointee = -1
    return unsafe call(error) { () throws(CallFailure) in
        guard let descriptor = unsafe descriptor else { throw .null("descriptor") }
        let opened = try served(store).epochs.open()
        unsafe descriptor.pointee = opened
        return HAWSER_OK
    }
}

/// The metrics of stores; see hawser.h.
@c @implementation
public func hawser_metrics(
    _ stores: UnsafePointer<hawser_store>?, _ storeCount: Int,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ length: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        try unsafe CText.clear(buffer, capacity, length)
        let handles = try unsafe CInput.array(
            stores, storeCount, limit: CInput.limitItems, "stores")
        var metrics = MetricsText()
        for place in 0..<handles.count {
            metrics.add(try unsafe served(handles[place]))
        }
        return try unsafe CText.answer(metrics.text(.prometheus), buffer, capacity, length)
    }
}

/// A text about a store; see hawser.h.
@c @implementation
public func hawser_store_text(
    _ store: hawser_store, _ which: UInt32, _ index: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ capacity: Int, _ length: UnsafeMutablePointer<Int>?
) -> Int32 {
    call(nil) { () throws(CallFailure) in
        try unsafe CText.clear(buffer, capacity, length)
        let text = try served(store).text(which, index)
        return try unsafe CText.answer(TerminalEscape.escape(text), buffer, capacity, length)
    }
}

/// Closes a store; see hawser.h.
@c @implementation
public func hawser_store_close(_ store: hawser_store) -> Int32 {
    call(nil) { () throws(CallFailure) in
        guard store.number != 0 else { return HAWSER_OK }
        guard let served = Handles.stores.remove(store) else { throw .misuse(store, "store") }
        served.close()
        return HAWSER_OK
    }
}

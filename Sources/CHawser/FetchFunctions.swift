// The functions of hawser.h that open, use and close fetchers.

public import CHawserABI
import Hawser

/// Opens a fetcher; see hawser.h.
@c @implementation
public func hawser_fetcher_open(
    _ options: UnsafePointer<hawser_fetcher_options>?,
    _ fetcher: UnsafeMutablePointer<hawser_fetcher>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe fetcher?.pointee = hawser_fetcher()
    return unsafe call(error) { () throws(CallFailure) in
        guard let fetcher = unsafe fetcher else { throw .null("fetcher") }
        guard let handle = Handles.fetchers.insert(try unsafe HeldFetcher(options)) else {
            throw CallFailure(
                HAWSER_E_LIMIT, "too-many-objects", "too many fetchers are open")
        }
        unsafe fetcher.pointee = handle
        return HAWSER_OK
    }
}

/// Fetches what was wanted; see hawser.h.
@c @implementation
public func hawser_fetcher_prefetch(
    _ fetcher: hawser_fetcher, _ limit: UInt32, _ fetched: UnsafeMutablePointer<UInt32>?,
    _ failed: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe fetched?.pointee = 0
    unsafe failed?.pointee = 0
    return unsafe call(error) { () throws(CallFailure) in
        let held = try Handles.fetchers.held(fetcher, "fetcher")
        let counts = held.prefetch(atMost: Int(limit))
        unsafe fetched?.pointee = UInt32(clamping: counts.fetched)
        unsafe failed?.pointee = UInt32(clamping: counts.failed)
        return HAWSER_OK
    }
}

/// Closes a fetcher; see hawser.h.
@c @implementation
public func hawser_fetcher_close(_ fetcher: hawser_fetcher) -> Int32 {
    call(nil) { () throws(CallFailure) in
        try Handles.fetchers.free(fetcher, "fetcher")
    }
}

// The functions of hawser.h that let a candidate judge beside a store.

public import CHawserABI
import Hawser

/// Begins, replaces or ends a shadow; see hawser.h.
@c @implementation
public func hawser_store_shadow(
    _ store: hawser_store, _ candidate: hawser_store,
    _ options: UnsafePointer<hawser_shadow_options>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        let served = try Handles.stores.held(store, "store")
        let options = try unsafe ShadowOptions(options)
        guard candidate.number != 0 else {
            try served.compare(with: nil, options)
            return HAWSER_OK
        }
        let other = try Handles.stores.held(candidate, "store")
        guard other !== served else {
            throw CallFailure(
                HAWSER_E_ARGUMENT, "own-shadow", "a store cannot be its own candidate")
        }
        try served.compare(with: other, options)
        return HAWSER_OK
    }
}

/// What the comparisons found; see hawser.h.
@c @implementation
public func hawser_store_shadow_counts(
    _ store: hawser_store, _ counts: UnsafeMutablePointer<hawser_shadow_counts>?,
    _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe call(error) { () throws(CallFailure) in
        guard let sink = try unsafe CheckedStruct(optional: counts, "counts") else {
            throw .null("counts")
        }
        sink.write(hawser_shadow_counts())
        let served = try Handles.stores.held(store, "store")
        guard let shadow = served.shadow else {
            throw CallFailure(HAWSER_E_RANGE, "no-shadow", "the store has no shadow")
        }
        sink.write(shadow.counts)
        return HAWSER_OK
    }
}

import CHawser
import CHawserABI

/// Calls of hawser.h in fewer words.
enum CalledAsC {
    /// A text, asked for as C asks: first its length, then the text. Nil where there is none.
    static func text(
        _ ask: (UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32
    ) -> String? {
        var length = 0
        guard ask(nil, 0, &length) == Int32(HAWSER_E_SMALL) else { return nil }
        var buffer = [CChar](repeating: 1, count: length + 1)
        guard ask(&buffer, buffer.count, nil) == Int32(HAWSER_OK), buffer.last == 0 else {
            return nil
        }
        return String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func text(ofStore store: hawser_store, _ which: Int, _ index: Int = 0) -> String? {
        text { hawser_store_text(store, UInt32(which), index, $0, $1, $2) }
    }

    static func text(ofVerdict verdict: hawser_verdict, _ which: Int, _ index: Int = 0) -> String? {
        text { hawser_verdict_text(verdict, UInt32(which), index, $0, $1, $2) }
    }

    static func text(ofDemands demands: hawser_demands, _ which: Int, _ index: Int = 0) -> String? {
        text { hawser_demands_text(demands, UInt32(which), index, $0, $1, $2) }
    }

    /// The store of a table.
    static func open(
        _ table: [UInt8], _ change: (inout hawser_store_options) -> Void = { _ in }
    ) -> hawser_store {
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        change(&options)
        var store = hawser_store()
        _ = hawser_store_open(table, table.count, &options, &store, nil)
        return store
    }

    static func state(_ store: hawser_store) -> hawser_state {
        var state = hawser_state()
        state.size = MemoryLayout<hawser_state>.size
        _ = hawser_store_state(store, &state, nil)
        return state
    }

    static func metrics(_ stores: [hawser_store]) -> String? {
        text { hawser_metrics(stores, stores.count, $0, $1, $2, nil) }
    }

    /// Hands pieces of octets to `body` that live as long as the call.
    static func withPieces<R>(
        _ pieces: [[UInt8]], _ body: (UnsafeBufferPointer<hawser_bytes>) throws -> R
    ) rethrows -> R {
        let copies = pieces.map { piece in
            let copy = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(1, piece.count), alignment: 1)
            copy.copyBytes(from: piece)
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        return try zip(copies, pieces).map { copy, piece in
            hawser_bytes(data: copy.baseAddress, length: piece.count)
        }.withUnsafeBufferPointer(body)
    }
}

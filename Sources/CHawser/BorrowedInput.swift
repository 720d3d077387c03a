// What a caller in C hands over, where it stands: checked, and not copied. It may be read until
// the call returns, since no other thread changes it during the call (hawser.h). So none of these
// values outlives the call that checked it.

import CHawserABI

/// Octets in the caller's memory, whose address and number were checked.
@safe struct BorrowedOctets {
    private let octets: UnsafeBufferPointer<UInt8>

    /// Octets whose address and number are sound.
    @unsafe init(checked pointer: UnsafeRawPointer, count: Int) {
        unsafe octets = UnsafeBufferPointer(
            start: pointer.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// The number of octets.
    var count: Int { unsafe octets.count }
    /// A copy that outlives the call.
    var copy: [UInt8] { unsafe Array(octets) }
    /// The octets as text. Octets that are not UTF-8 become U+FFFD.
    var text: String { unsafe String(decoding: octets, as: UTF8.self) }
}

/// Several runs of octets in the caller's memory, the address and number of each of which were
/// checked. None is absent.
@safe struct BorrowedList {
    private let items: UnsafeBufferPointer<hawser_bytes>

    /// Runs whose addresses and numbers are sound.
    @unsafe init(checked items: UnsafeBufferPointer<hawser_bytes>) { unsafe self.items = items }

    /// Copies that outlive the call. An empty list allocates nothing.
    var copies: [[UInt8]] {
        let count = unsafe items.count
        guard count > 0 else { return [] }
        var copies: [[UInt8]] = []
        copies.reserveCapacity(count)
        for place in 0..<count {
            let octets = unsafe UnsafeRawBufferPointer(
                start: items[place].data, count: items[place].length)
            unsafe copies.append(Array(octets))
        }
        return copies
    }
}

/// A name in the caller's memory that is UTF-8, without the NUL at its end.
@safe struct BorrowedName {
    private let octets: UnsafeBufferPointer<UInt8>

    /// Octets that are UTF-8.
    @unsafe init(checked octets: UnsafeBufferPointer<UInt8>) { unsafe self.octets = octets }

    /// A copy that outlives the call.
    var text: String { unsafe String(decoding: octets, as: UTF8.self) }
}

import CLibC

/// Gives threads different places, so that they seldom wait for one another.
package enum ThreadPlace {
    /// The place of this thread among `count`. Threads differ in the address of the system's record
    /// of the thread; a multiplication spreads the addresses.
    package static func index(among count: Int) -> Int {
        guard count > 1 else { return 0 }
        let spread = UInt64(hwlibc_thread()) &* 0x9E37_79B9_7F4A_7C15
        return Int(spread >> 32) % count
    }
}

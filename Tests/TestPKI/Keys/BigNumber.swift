import CLibCrypto

/// An unsigned number of any size. Test keys and signatures are computed with it rather than by
/// libcrypto's signing functions, which draw random numbers and would give other octets every time.
@safe final class BigNumber {
    let handle: OpaquePointer

    private init(owning handle: OpaquePointer?) {
        guard let handle = unsafe handle else { preconditionFailure("out of memory") }
        unsafe self.handle = handle
    }

    convenience init(_ bigEndian: [UInt8]) {
        unsafe self.init(owning: BN_bin2bn(bigEndian, Int32(bigEndian.count), nil))
    }

    convenience init(_ value: UInt64) {
        self.init((0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) })
    }

    deinit { unsafe BN_free(handle) }

    /// Big-endian octets, left-padded to a length, or as few as needed.
    func octets(count: Int? = nil) -> [UInt8] {
        let count = count ?? (bits + 7) / 8
        var out = [UInt8](repeating: 0, count: count)
        let written = unsafe BN_bn2binpad(handle, &out, Int32(count))
        precondition(written == count, "number too long")
        return out
    }

    /// Bits up to the highest that is set.
    var bits: Int { unsafe Int(BN_num_bits(handle)) }

    var isZero: Bool { bits == 0 }

    /// The remainder by a small number.
    func remainder(_ divisor: UInt64) -> UInt64 {
        unsafe UInt64(BN_mod_word(handle, UInt(divisor)))
    }

    func isLess(than other: BigNumber) -> Bool { unsafe BN_cmp(handle, other.handle) < 0 }

    static func + (left: BigNumber, right: BigNumber) -> BigNumber {
        unsafe result { out, _ in unsafe BN_add(out, left.handle, right.handle) }
    }

    /// The difference; `left` is not the smaller.
    static func - (left: BigNumber, right: BigNumber) -> BigNumber {
        unsafe result { out, _ in unsafe BN_sub(out, left.handle, right.handle) }
    }

    static func * (left: BigNumber, right: BigNumber) -> BigNumber {
        unsafe result { out, context in unsafe BN_mul(out, left.handle, right.handle, context) }
    }

    static func % (left: BigNumber, right: BigNumber) -> BigNumber {
        unsafe result { out, context in unsafe BN_nnmod(out, left.handle, right.handle, context) }
    }

    /// The number shifted towards its low end.
    static func >> (left: BigNumber, places: Int) -> BigNumber {
        unsafe result { out, _ in unsafe BN_rshift(out, left.handle, Int32(places)) }
    }

    /// This number to a power, modulo an odd number.
    func power(_ exponent: BigNumber, modulo modulus: BigNumber) -> BigNumber {
        unsafe BigNumber.result { out, context in
            unsafe BN_mod_exp(out, handle, exponent.handle, modulus.handle, context)
        }
    }

    /// The number whose product with this one leaves 1; there must be one.
    func inverse(modulo modulus: BigNumber) -> BigNumber {
        unsafe BigNumber.result { out, context in
            unsafe BN_mod_inverse(out, handle, modulus.handle, context) == nil ? 0 : 1
        }
    }

    private static func result(_ body: (OpaquePointer, OpaquePointer) -> Int32) -> BigNumber {
        guard let context = unsafe BN_CTX_new() else { preconditionFailure("out of memory") }
        defer { unsafe BN_CTX_free(context) }
        let out = unsafe BigNumber(owning: BN_new())
        precondition(unsafe body(out.handle, context) == 1, "arithmetic failed")
        return out
    }
}

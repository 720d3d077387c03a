/// SHAKE128 and SHAKE256 (FIPS 202 section 6.2), as far as ML-DSA needs them: octets or whole lanes
/// in, then lanes out, one block at a time.
struct SHAKE: ~Copyable {
    /// The state. After `finish` its first `blockLanes` lanes are the output.
    private(set) var lanes = Keccak.Lanes(repeating: 0)

    /// Octets of the current block that are taken in. INVARIANT (less than a block): it is less
    /// than 8 · `blockLanes`.
    private var position = 0

    /// The lanes of a block: the rate of the sponge.
    let blockLanes: Int

    /// SHAKE256 takes in blocks of 136 octets.
    static func shake256() -> SHAKE { SHAKE(blockLanes: 17) }

    /// SHAKE128 takes in blocks of 168 octets.
    static func shake128() -> SHAKE { SHAKE(blockLanes: 21) }

    private init(blockLanes: Int) {
        self.blockLanes = blockLanes
    }

    /// Takes in one octet.
    @inline(__always)
    mutating func absorb(_ octet: UInt8) {
        lanes[position &>> 3] ^= UInt64(octet) &<< UInt64(8 &* (position & 7))
        advance(by: 1)
    }

    /// Takes in octets.
    mutating func absorb(_ octets: Span<UInt8>) {
        var index = 0
        while position & 7 != 0, index < octets.count {
            absorb(octets[index])
            index &+= 1
        }
        while octets.count &- index >= 8 {
            absorb(lane: UInt64(littleEndian: octets, at: index))
            index &+= 8
        }
        while index < octets.count {
            absorb(octets[index])
            index &+= 1
        }
    }

    /// Takes in eight octets, the lowest first. All octets before them must fill whole lanes, as
    /// they do wherever ML-DSA hashes numbers of its own.
    @inline(__always)
    mutating func absorb(lane: UInt64) {
        lanes[position &>> 3] ^= lane
        advance(by: 8)
    }

    /// Takes in 64 octets of an earlier output, under the condition of `absorb(lane:)`.
    mutating func absorb(_ output: InlineArray<8, UInt64>) {
        for index in 0..<8 { absorb(lane: output[index]) }
    }

    /// Ends the input: the suffix of SHAKE and the padding (FIPS 202 sections 5.1 and 6.2). The
    /// first block of output is then in `lanes`.
    mutating func finish() {
        lanes[position &>> 3] ^= 0x1f &<< UInt64(8 &* (position & 7))
        lanes[blockLanes &- 1] ^= 1 &<< 63
        Keccak.permute(&lanes)
    }

    /// Makes the next block of output.
    mutating func squeeze() {
        Keccak.permute(&lanes)
    }

    /// The first 64 octets of the block of output.
    func output() -> InlineArray<8, UInt64> {
        InlineArray { lanes[$0] }
    }

    @inline(__always)
    private mutating func advance(by count: Int) {
        position &+= count
        if position == 8 &* blockLanes {
            Keccak.permute(&lanes)
            position = 0
        }
    }
}

extension UInt64 {
    /// Eight octets, the lowest first. The caller has checked that they are there.
    @inline(__always)
    init(littleEndian octets: Span<UInt8>, at index: Int) {
        var lane: UInt64 = 0
        for octet in 0..<8 {
            lane |= UInt64(octets[index &+ octet]) &<< UInt64(8 &* octet)
        }
        self = lane
    }
}

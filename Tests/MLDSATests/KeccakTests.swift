import Testing

@testable import MLDSA

@Suite("Keccak and SHAKE (FIPS 202)")
struct KeccakTests {
    /// The bit rc(t) of FIPS 202 Algorithm 5: the shift register after t steps.
    private func registerBit(_ step: Int) -> UInt64 {
        var register = 1
        for _ in 0..<(step % 255) {
            register <<= 1
            if register & 0x100 != 0 { register ^= 0x171 }
        }
        return UInt64(register & 1)
    }

    @Test("the round constants are those of Algorithms 5 and 6")
    func constants() {
        for round in 0..<24 {
            var constant: UInt64 = 0
            for bit in 0...6 {
                constant |= registerBit(bit + 7 * round) << UInt64((1 << bit) - 1)
            }
            #expect(Keccak.constants[round] == constant, "round \(round)")
        }
    }

    @Test("the permutation of zero, once and twice, beside a slow computation by section 3.2")
    func permutation() {
        var lanes = Keccak.Lanes(repeating: 0)
        var slow = [UInt64](repeating: 0, count: 25)
        for _ in 0..<2 {
            Keccak.permute(&lanes)
            slow = slowPermutation(slow)
            for index in 0..<25 { #expect(lanes[index] == slow[index], "lane \(index)") }
        }
        // The Keccak team's KeccakF-1600-IntermediateValues.txt.
        #expect(slow[0] == 0x2d5c_954d_f96e_cb3c)
        #expect(slow[24] == 0x20d0_6cd2_6a8f_bf5c)
    }

    /// The steps of FIPS 202 section 3.2, one after the other, with the offsets of ρ walked.
    private func slowPermutation(_ start: [UInt64]) -> [UInt64] {
        var a = start
        for round in 0..<24 {
            let parity = (0..<5).map { x in (0..<5).reduce(0) { $0 ^ a[x + 5 * $1] } }
            for x in 0..<5 {
                let next = parity[(x + 1) % 5]
                let change = parity[(x + 4) % 5] ^ (next << 1 | next >> 63)
                for y in 0..<5 { a[x + 5 * y] ^= change }
            }
            // ρ, and π with it.
            var (x, y) = (1, 0)
            var b = a
            for t in 0..<24 {
                let offset = UInt64((t + 1) * (t + 2) / 2 % 64)
                let lane = a[x + 5 * y]
                let turned = offset == 0 ? lane : lane << offset | lane >> (64 - offset)
                (x, y) = (y, (2 * x + 3 * y) % 5)
                b[x + 5 * y] = turned
            }
            for x in 0..<5 {
                for y in 0..<5 {
                    a[x + 5 * y] =
                        b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y])
                }
            }
            a[0] ^= Keccak.constants[round]
        }
        return a
    }

    /// The first octets of the output.
    private func output(
        _ hash: consuming SHAKE, _ input: [UInt8], count: Int
    ) -> [UInt8] {
        var hash = hash
        hash.absorb(input.span)
        hash.finish()
        var octets: [UInt8] = []
        while octets.count < count {
            for lane in 0..<hash.blockLanes {
                for octet in 0..<8 {
                    octets.append(UInt8(hash.lanes[lane] >> UInt64(8 * octet) & 0xff))
                }
            }
            hash.squeeze()
        }
        return Array(octets.prefix(count))
    }

    @Test("known answers of SHAKE128 and SHAKE256 (NIST, examples with intermediate values)")
    func knownAnswers() {
        let a3 = [UInt8](repeating: 0xa3, count: 200)
        #expect(
            output(.shake128(), [], count: 32)
                == octets("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"))
        #expect(
            output(.shake256(), [], count: 32)
                == octets("46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"))
        #expect(
            output(.shake128(), a3, count: 512).suffix(32)
                == octets("44c9fb359fd56ac0a9a75a743cff6862f17d7259ab075216c0699511643b6439"))
        #expect(
            output(.shake256(), a3, count: 512).suffix(32)
                == octets("6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb"))
    }

    @Test("every length of input up to three blocks, in one and in two parts")
    func lengths() {
        // SHAKE256 of all outputs, computed with Python's hashlib.
        let input = (0..<420).map { UInt8($0 * 7 & 0xff) }
        var all: [UInt8] = []
        for length in 0...input.count {
            let whole = output(.shake256(), Array(input.prefix(length)), count: 64)
            var parted = SHAKE.shake256()
            let cut = length / 3
            parted.absorb(input.span.extracting(0..<cut))
            parted.absorb(input.span.extracting(cut..<length))
            parted.finish()
            let parts = parted.output()
            for lane in 0..<8 {
                #expect(parts[lane] == UInt64(littleEndian: whole.span, at: 8 * lane))
            }
            all += whole
        }
        #expect(
            output(.shake256(), all, count: 32)
                == octets("24f86155d0d7693cf75db7aea46d722efc09b0808e7ac3feb3a7ef6ffc0fee3d"))
    }
}

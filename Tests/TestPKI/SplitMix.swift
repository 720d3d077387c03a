/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): small,
/// seeded, the same numbers on every machine, so that a failure can print its seed.
public struct SplitMix: RandomNumberGenerator, Sendable {
    /// What the next number is made of; the seed at first.
    public var state: UInt64

    /// A generator with a seed.
    public init(state: UInt64) { self.state = state }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

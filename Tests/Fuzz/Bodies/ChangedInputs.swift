import TestPKI

extension FuzzBody {
    /// Runs the body over its seeds with octets changed, as the tests and `.ci/run` fuzz without
    /// libFuzzer, and returns how many inputs it ran.
    ///
    /// Input number n of a seed of the generator is the same in every run. Each input is handed to
    /// `willRun` first, which ends the run by returning false.
    public func runChanged(seed: UInt64, willRun: (_ number: Int, _ input: [UInt8]) -> Bool) -> Int
    {
        let seeds = self.seeds
        guard !seeds.isEmpty else { return 0 }
        var random = SplitMix(state: seed)
        var number = 0
        while true {
            var input = seeds[number % seeds.count]
            for _ in 0...random.below(4) { random.change(&input) }
            if random.below(5) == 0 { input.removeLast(random.below(input.count + 1)) }
            guard willRun(number, input) else { return number }
            run(input)
            number += 1
        }
    }
}

extension SplitMix {
    /// A number from 0 to below a bound above 0.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Changes, takes away, repeats or moves a few octets.
    mutating func change(_ octets: inout [UInt8]) {
        guard !octets.isEmpty else { return }
        let place = below(octets.count)
        let length = min(1 + below(8), octets.count - place)
        switch below(6) {
        case 0: octets[place] ^= 1 << below(8)
        case 1: octets[place] = UInt8(below(256))
        // Tags, lengths and small numbers are met more often than by chance.
        case 2: octets[place] = [0x00, 0x01, 0x30, 0x31, 0x80, 0x81, 0x84, 0xFF][below(8)]
        case 3: octets.removeSubrange(place..<place + length)
        case 4:
            octets.insert(
                contentsOf: Array(octets[place..<place + length]), at: below(octets.count))
        default:
            let other = below(octets.count - length + 1)
            octets.replaceSubrange(
                place..<place + length, with: Array(octets[other..<other + length]))
        }
    }
}

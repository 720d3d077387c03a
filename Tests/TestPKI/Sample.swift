internal import CLibC

/// The part of a long test that a usual run asks. With `HAWSER_FULL=1`, which `.ci/full` sets, a
/// test asks all of it.
public enum Sample {
    /// True where everything is asked.
    public static let isWhole =
        unsafe getenv("HAWSER_FULL").map { unsafe $0.pointee == 49 } ?? false

    /// All elements, or as many of them as `count`, chosen by a seed that is printed with `name`.
    /// The elements keep their order.
    public static func of<Elements: Collection>(
        _ elements: Elements, atMost count: Int, seed: UInt64 = 0x5EED, _ name: String
    ) -> [Elements.Element] {
        guard !isWhole, elements.count > count else { return Array(elements) }
        var random = SplitMix(state: seed)
        let chosen = Array(elements.enumerated()).shuffled(using: &random).prefix(count)
        print("\(name): \(count) of \(elements.count), seed \(seed)")
        return chosen.sorted { $0.offset < $1.offset }.map(\.element)
    }
}

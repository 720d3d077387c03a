import TrustEngine

/// The data of UTS #46. It is decoded from the generated streams when the first name outside ASCII
/// is read; other policies do not pay for it.
///
/// Ranges are found by binary search. A code point that a table does not have is disallowed, or has
/// no mapping or composite.
struct IDNATables: Sendable {
    /// Bidirectional classes (UAX #9), in the order of the generator. `other` is every class that
    /// no label of a bidirectional name may have.
    enum BidiClass: UInt8, Hashable {
        case left = 0
        case right, arabicLetter, arabicNumber, europeanNumber, europeanSeparator
        case commonSeparator, europeanTerminator, otherNeutral, boundaryNeutral, nonspacingMark
        case other
    }

    /// Joining types (DerivedJoiningType.txt) in the order of the generator.
    enum JoiningType: UInt8, Hashable {
        case none = 0
        case left, right, dual, transparent
    }

    /// The properties of a code point that the rules for labels use.
    struct Kind: Hashable {
        let bidi: BidiClass
        let joining: JoiningType
        /// Whether its general category is Mark.
        let isMark: Bool
        let combiningClass: UInt8
    }

    /// Two code points that compose, and the code point that they compose to.
    private struct Pair: Hashable {
        let first: UInt32
        let second: UInt32
    }

    /// The tables of this build.
    static let shared = IDNATables()

    private let kinds: [Kind]
    /// Values are indices of `kinds`.
    private let properties: CodePointRanges
    /// Values are indices of `moveLists`.
    private let mappings: CodePointRanges
    /// Differences from the source to each target; empty if the source is removed.
    private let moveLists: [[Int32]]
    private let decompositions: [UInt32: Pair]
    private let compositions: [Pair: UInt32]

    private init() {
        var kinds: [Kind] = []
        var stream = NumberStream(IDNATables.kindsStream)
        while !stream.isAtEnd {
            let bidi = BidiClass(rawValue: UInt8(truncatingIfNeeded: stream.number())) ?? .other
            let joining = JoiningType(rawValue: UInt8(truncatingIfNeeded: stream.number())) ?? .none
            let isMark = stream.number() == 1
            let combiningClass = UInt8(truncatingIfNeeded: stream.number())
            kinds.append(
                Kind(bidi: bidi, joining: joining, isMark: isMark, combiningClass: combiningClass))
        }

        var properties = CodePointRanges()
        var end: UInt32 = 0
        stream = NumberStream(IDNATables.propertiesStream)
        while !stream.isAtEnd {
            let first = end + stream.number()
            end = first + stream.number() + 1
            properties.append(first: first, last: end - 1, value: Int32(stream.number()))
        }

        var mappings = CodePointRanges()
        var moveLists: [[Int32]] = []
        end = 0
        stream = NumberStream(IDNATables.mappingsStream)
        while !stream.isAtEnd {
            let first = end + stream.number()
            end = first + stream.number() + 1
            let moves = (0..<stream.number()).map { _ in stream.signedNumber() }
            mappings.append(first: first, last: end - 1, value: Int32(moveLists.count))
            moveLists.append(moves)
        }

        var decompositions: [UInt32: Pair] = [:]
        var compositions: [Pair: UInt32] = [:]
        var composite: UInt32 = 0
        stream = NumberStream(IDNATables.pairsStream)
        while !stream.isAtEnd {
            composite += stream.number()
            let pair = Pair(
                first: UInt32(Int32(composite) + stream.signedNumber()),
                second: UInt32(Int32(composite) + stream.signedNumber()))
            decompositions[composite] = pair
            compositions[pair] = composite
        }

        self.kinds = kinds
        self.properties = properties
        self.mappings = mappings
        self.moveLists = moveLists
        self.decompositions = decompositions
        self.compositions = compositions
    }

    /// The properties of a code point; nil if no label may contain it. O(log ranges).
    func kind(of code: UInt32) -> Kind? {
        properties.range(holding: code).map { kinds[Int($0.value)] }
    }

    /// The replacement of a code point; nil if it is not replaced, empty if it is removed.
    func mapping(of code: UInt32) -> [UInt32]? {
        guard let run = mappings.range(holding: code) else { return nil }
        return moveLists[Int(run.value)].map { UInt32(Int32(code) + $0) }
    }

    /// The two code points that a composite decomposes into.
    func decomposition(of code: UInt32) -> (first: UInt32, second: UInt32)? {
        decompositions[code].map { ($0.first, $0.second) }
    }

    /// The primary composite of two code points.
    func composition(of first: UInt32, _ second: UInt32) -> UInt32? {
        compositions[Pair(first: first, second: second)]
    }
}

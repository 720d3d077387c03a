/// The tables of string preparation (RFC 4518). They are decoded from the generated text when the
/// first value with a character outside ASCII is prepared.
struct StringPreparationTables: Sendable {
    /// The tables of this build.
    static let shared = StringPreparationTables()

    /// Ranges whose values are indices of `lists`.
    private let mappings: CodePointRanges
    /// The code points that each mapped run becomes, as ranges of `targets`.
    private let lists: [Range<Int>]
    private let targets: [UInt32]
    private let prohibited: CodePointRanges
    /// Ranges whose values are canonical combining classes.
    private let classes: CodePointRanges

    private init() {
        var mappings = CodePointRanges()
        var lists: [Range<Int>] = []
        var targets: [UInt32] = []
        var previous = [Int32](repeating: 0, count: StringPreparationTables.maximumExpansion)
        var end: UInt32 = 0
        var stream = NumberStream(StringPreparationTables.mappingsStream)
        while !stream.isAtEnd {
            let head = stream.number()
            let count = head & 3 < 3 ? head & 3 : 3 + stream.number()
            let first = end + head / 8
            end = first + 1 + (head & 4 == 0 ? 0 : 1 + stream.number())
            mappings.append(first: first, last: end - 1, value: Int32(lists.count))
            let start = targets.count
            for number in 0..<Int(count) {
                previous[number] += stream.signedNumber()
                targets.append(UInt32(previous[number]))
            }
            lists.append(start..<targets.count)
        }
        self.mappings = mappings
        self.lists = lists
        self.targets = targets
        prohibited = StringPreparationTables.ranges(
            StringPreparationTables.prohibitedStream, haveValues: false)
        classes = StringPreparationTables.ranges(
            StringPreparationTables.classesStream, haveValues: true)
    }

    /// The most code points that one code point becomes (U+FDFA).
    private static let maximumExpansion = 18

    private static func ranges(_ text: String, haveValues: Bool) -> CodePointRanges {
        var ranges = CodePointRanges()
        var end: UInt32 = 0
        var stream = NumberStream(text)
        while !stream.isAtEnd {
            let first = end + stream.number()
            end = first + stream.number() + 1
            let value = haveValues ? Int32(stream.number()) : 0
            ranges.append(first: first, last: end - 1, value: value)
        }
        return ranges
    }

    /// Appends what steps 2 and 3 make of a code point outside ASCII: fully decomposed, with marks
    /// not yet in order. Returns false where step 4 prohibits the code point.
    func append(_ code: UInt32, to text: inout [UInt32]) -> Bool {
        if let parts = HangulSyllable.parts(of: code) {
            text += parts
        } else if let run = mappings.range(holding: code) {
            for index in lists[Int(run.value)] { text.append(targets[index] + (code - run.first)) }
        } else if prohibited.range(holding: code) == nil {
            text.append(code)
        } else {
            return false
        }
        return true
    }

    /// The canonical combining class of a code point.
    func combiningClass(of code: UInt32) -> UInt8 {
        // The first mark is U+0300, so smaller code points have the class 0.
        code < 0x300 ? 0 : UInt8(truncatingIfNeeded: classes.range(holding: code)?.value ?? 0)
    }
}

/// The data of string preparation (RFC 4518), decoded from the generated streams when the first value
/// beyond ASCII is prepared.
struct StringPreparationTables: Sendable {
    /// The tables of this build.
    static let shared = StringPreparationTables()

    /// Values are indices of `lists`.
    private let mappings: CodePointRanges
    /// What each run becomes: bounds in `targets`.
    private let lists: [Range<Int>]
    private let targets: [UInt32]
    private let prohibited: CodePointRanges
    /// Values are canonical combining classes.
    private let classes: CodePointRanges

    private init() {
        var mappings = CodePointRanges()
        var lists: [Range<Int>] = []
        var targets: [UInt32] = []
        var places = [Int32](repeating: 0, count: StringPreparationTables.maximumExpansion)
        var end: UInt32 = 0
        var stream = NumberStream(StringPreparationTables.mappingsStream)
        while !stream.isAtEnd {
            let head = stream.number()
            let count = head & 3 < 3 ? head & 3 : 3 + stream.number()
            let first = end + head / 8
            end = first + 1 + (head & 4 == 0 ? 0 : 1 + stream.number())
            mappings.append(first: first, last: end - 1, value: Int32(lists.count))
            let start = targets.count
            for place in 0..<Int(count) {
                places[place] += stream.signedNumber()
                targets.append(UInt32(places[place]))
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

    /// Code points that one becomes at most (U+FDFA).
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

    /// Appends what steps 2 and 3 make of a code point beyond ASCII, fully decomposed, marks not yet in
    /// order. False where step 4 refuses it.
    func append(_ code: UInt32, to text: inout [UInt32]) -> Bool {
        if let parts = HangulSyllable.parts(of: code) {
            text += parts
        } else if let run = mappings.entry(holding: code) {
            for index in lists[Int(run.value)] { text.append(targets[index] + (code - run.first)) }
        } else if prohibited.entry(holding: code) == nil {
            text.append(code)
        } else {
            return false
        }
        return true
    }

    /// The canonical combining class of a code point.
    func combiningClass(of code: UInt32) -> UInt8 {
        // The first mark is U+0300.
        code < 0x300 ? 0 : UInt8(truncatingIfNeeded: classes.entry(holding: code)?.value ?? 0)
    }
}

/// The hints of a signature: for each row the positions of the coefficients whose high-order part
/// is moved by one.
struct Hints: BitwiseCopyable {
    /// The positions of all rows, one row after the other. INVARIANT (rising): the positions of a
    /// row rise strictly, so no coefficient is moved twice.
    private var positions = InlineArray<80, UInt8>(repeating: 0)

    /// Where the positions of a row end. INVARIANT (ordered): no end is lower than the end before
    /// it, and none is above ω, which is at most 80.
    private var ends = InlineArray<8, UInt8>(repeating: 0)

    /// Decodes the last ω + k octets of a signature (FIPS 204 Algorithm 21): ω positions, then the
    /// end of each of the k rows. Nil when they are not in the one form that the algorithm takes:
    /// the ends do not fall and are at most ω, the positions of a row rise, and every octet that no
    /// row uses is zero. The signature's size has been checked.
    init?(_ signature: Span<UInt8>, numbers: ParameterNumbers) {
        let start = signature.count &- numbers.mostHints &- numbers.rows
        for index in 0..<numbers.mostHints { positions[index] = signature[start &+ index] }
        for row in 0..<numbers.rows {
            ends[row] = signature[start &+ numbers.mostHints &+ row]
        }
        var next = 0
        for row in 0..<numbers.rows {
            let end = Int(ends[row])
            guard end >= next, end <= numbers.mostHints else { return nil }
            let first = next
            while next < end {
                if next > first, positions[next &- 1] >= positions[next] { return nil }
                next &+= 1
            }
        }
        while next < numbers.mostHints {
            guard positions[next] == 0 else { return nil }
            next &+= 1
        }
    }

    /// Where the positions of a row stand among all.
    func range(ofRow row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(ends[row &- 1]))..<Int(ends[row])
    }

    /// A position, from 0 to 255.
    subscript(index: Int) -> Int { Int(positions[index]) }
}

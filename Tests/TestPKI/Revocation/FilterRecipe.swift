/// A CRLite filter, made of issuers with their revoked and good certificates, and
/// the covered times of logs. The same recipe gives the same octets in every run. It is
/// written from the construction ("Clubcards for the WebPKI", IEEE S&P 2025) and from the formats,
/// and shares no code with the reader.
public struct FilterRecipe: Sendable {
    /// One issuer with all its certificates.
    public struct Issuer: Sendable {
        /// SHA-256 of the issuer's SubjectPublicKeyInfo.
        public var digest: [UInt8]
        /// The serial numbers that are revoked, as the contents of an INTEGER.
        public var revoked: [[UInt8]]
        /// The serial numbers that are not.
        public var good: [[UInt8]]
        /// Serial numbers that are exceptions although their equations have a solution.
        public var exceptions: [[UInt8]] = []

        /// An issuer.
        public init(_ digest: [UInt8], revoked: [[UInt8]], good: [[UInt8]]) {
            self.digest = digest
            self.revoked = revoked
            self.good = good
        }
    }

    /// The time of a log that the filter covers.
    public struct Coverage: Hashable, Sendable {
        /// The log's identifier.
        public var log: [UInt8]
        /// The first and the last millisecond.
        public var low, high: UInt64

        /// A time.
        public init(log: [UInt8], low: UInt64, high: UInt64) {
            self.log = log
            self.low = low
            self.high = high
        }
    }

    /// The issuers, in any order.
    public var issuers: [Issuer]
    /// The logs, in the order in which they are written.
    public var coverage: [Coverage]

    /// A filter.
    public init(_ issuers: [Issuer], coverage: [Coverage]) {
        self.issuers = issuers
        self.coverage = coverage
    }

    /// Writes format 3 (little-endian, as bincode) or format 4 (big-endian).
    public func octets(version: UInt8) -> [UInt8] {
        precondition(version == 3 || version == 4)
        let solved = SolvedFilter(issuers)
        var out = FilterWriter(isLong: version == 3)
        out.octets += [version, 0]
        out.write(coverage.count, 2)
        for log in coverage {
            out.octets += log.log
            out.write(log.low, 8)
            out.write(log.high, 8)
        }
        out.write(solved.blocks.count, 4)
        for block in solved.blocks {
            if out.isLong { out.write(block.digest.count, 8) }
            out.octets += block.digest
            out.write(block.rows, 4)
            if out.isLong { out.write(block.exactRows, 4) }
            out.write(block.rank, 1)
            out.write(block.offset, 4)
            if !out.isLong { out.write(block.exactRows, 4) }
            out.write(block.exactOffset, 4)
            out.octets.append(block.isInverted ? 1 : 0)
            out.write(block.exceptions.count, 2)
            for serial in block.exceptions {
                out.write(serial.count, 1)
                out.octets += serial
            }
        }
        out.write(solved.columns.count, 1)
        for column in solved.columns + [solved.exact] {
            out.write(column.count, 4)
            for word in column { out.write(word, 8) }
        }
        return out.octets
    }
}

/// Writes numbers as one of the formats has them.
private struct FilterWriter {
    /// Format 3 writes every number with eight octets, the lowest first.
    let isLong: Bool
    var octets: [UInt8] = []

    mutating func write(_ number: some BinaryInteger, _ width: Int) {
        let width = isLong ? 8 : width
        let all = (0..<width).map {
            UInt8(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) >> UInt64(8 * $0))
        }
        octets += isLong ? all : all.reversed()
    }
}

/// The blocks and columns of a recipe.
private struct SolvedFilter {
    struct Block {
        let digest: [UInt8]
        let rows, rank: Int
        let isInverted: Bool
        var offset = 0
        var exactRows = 0
        var exactOffset = 0
        var exceptions: [[UInt8]]
        var approximate: RibbonSystem
        var exact = RibbonSystem(rows: 0)
    }

    var blocks: [Block] = []
    var columns: [[UInt64]] = []
    var exact: [UInt64] = []

    init(_ issuers: [FilterRecipe.Issuer]) {
        var random = SplitMix(state: 0xF117_E200)
        blocks = issuers.map(SolvedFilter.block)
        // Blocks with more columns come first, so that columns can be shorter.
        blocks.sort { ($1.rank, $0.digest.hexadecimal) < ($0.rank, $1.digest.hexadecimal) }
        var row = 0
        for index in blocks.indices {
            blocks[index].offset = row
            row += blocks[index].approximate.height
        }
        for rank in 0..<(blocks.first?.rank ?? 0) {
            var column = BitColumn(random.next())
            for block in blocks.reversed() where block.rank > rank {
                column.solve(block.approximate, &random)
            }
            columns.append(column.words)
        }
        // A good certificate that the columns do not tell from a revoked one is in the exact
        // column.
        for (index, issuer) in issuers.enumerated() {
            guard let place = blocks.firstIndex(where: { $0.digest == issuer.digest }) else {
                preconditionFailure("no block of issuer \(index)")
            }
            let block = blocks[place]
            guard block.rows > 0 else { continue }
            let included = block.isInverted ? issuer.good : issuer.revoked
            let others = (block.isInverted ? issuer.revoked : issuer.good).filter { serial in
                let equation = RibbonEquation(issuer.digest, serial, rows: block.rows)
                return columns.prefix(block.rank).allSatisfy {
                    !equation.isOdd(in: $0, from: block.offset)
                }
            }
            let rows = (included.count + others.count) * 102 / 100
            var system = RibbonSystem(rows: rows)
            for serial in included { _ = system.add(.init(issuer.digest, serial, rows: rows)) }
            for serial in others
            where !system.add(.init(issuer.digest, serial, rows: rows, isOdd: true)) {
                blocks[place].exceptions.append(serial)
            }
            blocks[place].exactRows = rows
            blocks[place].exact = system
        }
        var column = BitColumn(nil)
        for index in blocks.indices.reversed() { column.solve(blocks[index].exact, &random) }
        exact = column.words
        row = 0
        for index in blocks.indices {
            blocks[index].exactOffset = row
            row += blocks[index].exact.height
        }
        blocks.sort { $0.digest.hexadecimal < $1.digest.hexadecimal }
    }

    private static func block(_ issuer: FilterRecipe.Issuer) -> Block {
        let all = issuer.revoked.count + issuer.good.count
        // The smaller half is encoded.
        let isInverted = issuer.revoked.count > issuer.good.count
        let included = isInverted ? issuer.good : issuer.revoked
        let rows = included.count * 102 / 100
        var rank = 0
        if !included.isEmpty {
            while included.count << (rank + 1) <= all - included.count { rank += 1 }
        }
        var system = RibbonSystem(rows: rows)
        for serial in included {
            _ = system.add(RibbonEquation(issuer.digest, serial, rows: rows))
        }
        return Block(
            digest: issuer.digest, rows: rows, rank: rank, isInverted: isInverted,
            exceptions: issuer.exceptions, approximate: system)
    }
}

/// Bits from a row on, and the parity that they must have.
private struct RibbonEquation {
    var row: Int
    var bits: [UInt64]
    var isOdd: Bool

    init(_ issuer: [UInt8], _ serial: [UInt8], rows: Int, isOdd: Bool = false) {
        let digest = TestHash.sha256.digest(issuer + serial)
        bits = stride(from: 0, to: 32, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt64(digest[start + $1]) << UInt64(8 * $1) }
        }
        bits[0] |= 1
        row = Int(bits[3] % UInt64(max(1, rows)))
        self.isOdd = isOdd
    }

    var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    func bit(_ index: Int) -> Bool { bits[index / 64] >> UInt64(index % 64) & 1 == 1 }

    /// Adds an equation that begins at the same row, and moves on to the first bit that is left.
    mutating func add(_ other: RibbonEquation) {
        for index in bits.indices { bits[index] ^= other.bits[index] }
        isOdd = isOdd != other.isOdd
        while !isEmpty, bits[0] & 1 == 0 {
            for index in bits.indices {
                bits[index] = bits[index] >> 1 | (index < 3 ? bits[index + 1] << 63 : 0)
            }
            row += 1
        }
    }

    /// Whether the sum of a column's bits is odd, with the block's first row.
    func isOdd(in column: [UInt64], from offset: Int) -> Bool {
        var isOdd = false
        for index in 0..<256 where bit(index) {
            let place = offset + row + index
            guard place / 64 < column.count else { break }
            if column[place / 64] >> UInt64(place % 64) & 1 == 1 { isOdd.toggle() }
        }
        return isOdd
    }
}

/// The equations of a block, each at the row of its first bit.
private struct RibbonSystem {
    private(set) var equations: [RibbonEquation?]

    init(rows: Int) { equations = Array(repeating: nil, count: rows) }

    /// The rows, with the rows behind the last one that equations use.
    var height: Int { equations.count }

    /// Adds an equation; false if it contradicts those that are there.
    mutating func add(_ new: RibbonEquation) -> Bool {
        var equation = new
        while !equation.isEmpty {
            while equations.count <= equation.row { equations.append(nil) }
            guard let other = equations[equation.row] else {
                equations[equation.row] = equation
                return true
            }
            equation.add(other)
        }
        return !equation.isOdd
    }
}

/// A column that is solved from its end.
private struct BitColumn {
    /// The bits, the first one last: a block is put in front of the blocks behind it.
    private var reversed: [Bool] = []

    /// A column with 64 bits at its end that belong to no block.
    init(_ tail: UInt64?) {
        guard let tail else { return }
        reversed = (0..<64).reversed().map { tail >> UInt64($0) & 1 == 1 }
    }

    /// Puts the rows of a block in front.
    mutating func solve(_ system: RibbonSystem, _ random: inout SplitMix) {
        for row in (0..<system.height).reversed() {
            guard let equation = system.equations[row] else {
                reversed.append(random.next() & 1 == 1)
                continue
            }
            // The bits behind this row are known.
            var isOdd = equation.isOdd
            for index in 1..<256 where equation.bit(index) && index <= reversed.count {
                if reversed[reversed.count - index] { isOdd.toggle() }
            }
            reversed.append(isOdd)
        }
    }

    /// The bits in words, the lowest first, without words of zeros at the end.
    var words: [UInt64] {
        var words = [UInt64](repeating: 0, count: (reversed.count + 63) / 64)
        for (index, bit) in reversed.reversed().enumerated() where bit {
            words[index / 64] |= 1 << UInt64(index % 64)
        }
        while words.last == 0 { words.removeLast() }
        return words
    }
}

extension [UInt8] {
    /// Two hexadecimal digits for each octet, so that octets can be sorted.
    fileprivate var hexadecimal: String {
        map { octet in (octet < 16 ? "0" : "") + String(octet, radix: 16) }.joined()
    }
}

/// What an ELF file says of how it is started: its machine, who loads it, which libraries it asks
/// for.
///
/// The file is a stranger's. Every length and every number of entries has a limit, every place is
/// looked up in the file, and what does not fit together is a problem. A 64-bit file in
/// little-endian order is read to its end; of any other file only the head is.
///
/// Source: System V ABI, chapters 4 and 5 (gabi 4.1), and the 64-bit ELF object file format.
struct ELFFile: Hashable, Sendable {
    /// The bytes are not an ELF file that can be started.
    enum Problem: Error, Hashable, Sendable {
        /// It does not begin as an ELF file.
        case notELF
        /// Something that it names is not in it, or beyond a limit. The value says what.
        case damaged(String)
    }

    /// `e_machine` of a file of our width and order of bytes; nil for any other.
    let machine: UInt16?
    /// The program that loads it; nil for a program that is statically linked.
    let interpreter: String?
    /// The names of the libraries that it asks for (DT_NEEDED), in order.
    let needed: [String]
    /// Whether Go's linker made it: it has the note of a build id of the name `Go`.
    let isGo: Bool

    /// Program headers that are looked at. Linkers write about a dozen.
    static let mostSegments = 256
    /// Octets of one segment that is read whole: notes, and the dynamic section.
    static let largestSegment: UInt64 = 1 << 20
    /// Libraries of one file.
    static let mostLibraries = 4_096
    /// Octets of a name.
    static let longestName = 4_096

    init(_ file: some PlacedBytes) throws(Problem) {
        guard let head = file.bytes(at: 0, count: 20), head.starts(with: [0x7F, 0x45, 0x4C, 0x46])
        else { throw .notELF }
        guard head[4] == 2, head[5] == 1 else {
            machine = nil
            interpreter = nil
            needed = []
            isGo = false
            return
        }
        guard let header = file.bytes(at: 0, count: 64) else { throw .damaged("header") }
        machine = UInt16(truncatingIfNeeded: ELFFile.number(header, 18, 2))
        let segments = try ELFFile.segments(file, header)
        interpreter = try segments.first { $0.kind == .interpreter }.map {
            segment throws(Problem) in
            guard segment.fileSize <= UInt64(ELFFile.longestName),
                let name = file.bytes(at: segment.offset, count: Int(segment.fileSize))
            else { throw .damaged("the name of its loader") }
            return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
        var isGo = false
        for segment in segments where segment.kind == .note {
            if try ELFFile.hasGoNote(file, segment) { isGo = true }
        }
        self.isGo = isGo
        needed = try ELFFile.libraries(file, segments)
    }

    // MARK: Segments

    private struct Segment {
        enum Kind { case load, dynamic, interpreter, note }

        let kind: Kind
        let offset: UInt64
        let address: UInt64
        let fileSize: UInt64
    }

    /// The segments of the kinds that are looked at.
    private static func segments(
        _ file: some PlacedBytes, _ header: [UInt8]
    ) throws(Problem) -> [Segment] {
        let table = number(header, 32, 8)
        let size = Int(number(header, 54, 2))
        let count = Int(number(header, 56, 2))
        guard count > 0 else { return [] }
        guard size == 56, count <= mostSegments,
            let bytes = file.bytes(at: table, count: size * count)
        else { throw .damaged("program headers") }
        var segments: [Segment] = []
        for index in 0..<count {
            let start = index * size
            let kind: Segment.Kind
            switch number(bytes, start, 4) {
            case 1: kind = .load
            case 2: kind = .dynamic
            case 3: kind = .interpreter
            case 4: kind = .note
            default: continue
            }
            segments.append(
                Segment(
                    kind: kind, offset: number(bytes, start + 8, 8),
                    address: number(bytes, start + 16, 8), fileSize: number(bytes, start + 32, 8)))
        }
        return segments
    }

    /// Whether a segment of notes has Go's build id: type 4, name `Go`.
    private static func hasGoNote(
        _ file: some PlacedBytes, _ segment: Segment
    ) throws(Problem) -> Bool {
        guard segment.fileSize <= largestSegment,
            let notes = file.bytes(at: segment.offset, count: Int(segment.fileSize))
        else { throw .damaged("notes") }
        var place = 0
        while place + 12 <= notes.count {
            let name = Int(number(notes, place, 4))
            let value = Int(number(notes, place + 4, 4))
            let start = place + 12
            guard name <= notes.count - start else { return false }
            if number(notes, place + 8, 4) == 4,
                notes[start..<start + name].prefix(while: { $0 != 0 }).elementsEqual("Go".utf8)
            {
                return true
            }
            let end = start + rounded(name)
            guard end <= notes.count, value <= notes.count - end else { return false }
            place = end + rounded(value)
        }
        return false
    }

    private static func rounded(_ length: Int) -> Int { (length + 3) & ~3 }

    // MARK: Libraries

    /// The names of the dynamic section's DT_NEEDED.
    private static func libraries(
        _ file: some PlacedBytes, _ segments: [Segment]
    ) throws(Problem) -> [String] {
        guard let dynamic = segments.first(where: { $0.kind == .dynamic }) else { return [] }
        guard dynamic.fileSize <= largestSegment,
            let entries = file.bytes(at: dynamic.offset, count: Int(dynamic.fileSize))
        else { throw .damaged("dynamic section") }
        var names: [UInt64] = []
        var table: UInt64?
        for place in stride(from: 0, through: entries.count - 16, by: 16) {
            let tag = number(entries, place, 8)
            let value = number(entries, place + 8, 8)
            if tag == 0 { break }
            if tag == 1 { names.append(value) }
            if tag == 5 { table = value }
        }
        guard !names.isEmpty else { return [] }
        guard names.count <= mostLibraries, let table, let start = offset(of: table, segments)
        else {
            throw .damaged("names of libraries")
        }
        var libraries: [String] = []
        for name in names {
            let (place, isBeyond) = start.addingReportingOverflow(name)
            guard !isBeyond else { throw .damaged("names of libraries") }
            libraries.append(try text(file, at: place))
        }
        return libraries
    }

    /// Where in the file an address lies.
    private static func offset(of address: UInt64, _ segments: [Segment]) -> UInt64? {
        for segment in segments where segment.kind == .load && segment.address <= address {
            let distance = address - segment.address
            guard distance < segment.fileSize else { continue }
            let (place, isBeyond) = segment.offset.addingReportingOverflow(distance)
            return isBeyond ? nil : place
        }
        return nil
    }

    /// A text that ends in NUL.
    private static func text(
        _ file: some PlacedBytes, at offset: UInt64
    ) throws(Problem) -> String {
        var octets: [UInt8] = []
        var place = offset
        while octets.count < longestName {
            // A part may go beyond the end of the file although the name does not.
            guard let part = file.bytes(at: place, count: 32) ?? file.bytes(at: place, count: 1)
            else { throw .damaged("names of libraries") }
            if let end = part.firstIndex(of: 0) {
                return String(decoding: octets + part[..<end], as: UTF8.self)
            }
            octets += part
            place += UInt64(part.count)
        }
        throw .damaged("names of libraries")
    }

    /// A number of up to eight octets, the lowest first. The octets are there.
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// An ELF file of 64 bits, as a linker writes it, with the parts that `hawser run` looks at.
struct MintedELF {
    /// AMD's or ARM's, whichever this test runs on.
    #if arch(arm64)
    var machine: UInt16 = 183
    #else
    var machine: UInt16 = 62
    #endif
    var interpreter: String? = "/lib64/ld-linux-x86-64.so.2"
    var needed: [String] = []
    /// The name and the type of a note.
    var note: (name: String, type: UInt32)?
    /// What stands behind everything.
    var text = ""

    var bytes: [UInt8] {
        var body: [UInt8] = []
        var segments: [(kind: UInt32, start: Int, length: Int)] = []
        let count = (interpreter == nil ? 0 : 1) + (note == nil ? 0 : 1) + 2
        let start = 64 + 56 * count
        func add(_ kind: UInt32, _ bytes: [UInt8]) {
            segments.append((kind, start + body.count, bytes.count))
            body += bytes
        }
        if let interpreter { add(3, Array(interpreter.utf8) + [0]) }
        if let note {
            add(
                4,
                little(UInt32(note.name.utf8.count + 1)) + little(UInt32(4)) + little(note.type)
                    + padded(Array(note.name.utf8) + [0]) + [1, 2, 3, 4])
        }
        var names: [UInt8] = [0]
        var entries: [UInt8] = []
        for name in needed {
            entries += little(UInt64(1)) + little(UInt64(names.count))
            names += Array(name.utf8) + [0]
        }
        let strings = start + body.count
        body += names
        // An address is the place in the file and a base.
        entries += little(UInt64(5)) + little(MintedELF.base + UInt64(strings))
        add(2, entries + little(UInt64(0)) + little(UInt64(0)))
        body += Array(text.utf8)
        segments.append((1, 0, start + body.count))

        var head: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
        head += little(UInt16(3)) + little(machine) + little(UInt32(1)) + little(UInt64(0))
        head += little(UInt64(64)) + little(UInt64(0)) + little(UInt32(0)) + little(UInt16(64))
        head += little(UInt16(56)) + little(UInt16(segments.count))
        head += [UInt8](repeating: 0, count: 6)
        for segment in segments {
            let place = UInt64(segment.start)
            head += little(segment.kind) + little(UInt32(4)) + little(place)
            head += little(MintedELF.base + place) + little(MintedELF.base + place)
            head += little(UInt64(segment.length)) + little(UInt64(segment.length))
            head += little(UInt64(8))
        }
        return head + body
    }

    private static let base: UInt64 = 0x40_0000

    private func little(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
}

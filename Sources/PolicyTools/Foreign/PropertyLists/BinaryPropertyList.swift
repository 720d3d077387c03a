import PolicyCompiler
import TrustEngine

/// Reads one entry of a binary property list (`bplist00`) as XML.
///
/// The format, after Apple's CFBinaryPList.c: objects, a table of their offsets, and a trailer of
/// 32 octets with the size of an offset, the size of a reference, the number of objects, the root
/// and the place of the table. Objects may be shared, so a small file can stand for a large tree;
/// the limits bound the tree that is written.
package struct BinaryPropertyList {
    /// The most values of the entry.
    private static let mostValues = 20_000
    /// The most values inside each other.
    private static let deepest = 32
    /// The most entries of the root.
    private static let mostEntries = 4_000
    /// The longest string, in characters. A longer one counts as a value of another type.
    private static let longestString = 16 << 10

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let table: Int
    private let root: Int

    /// Whether a file begins as a binary property list does.
    package static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

    /// The entry of a key of the root as a property list in XML; the list is an empty dictionary if
    /// the root has no such key.
    ///
    /// - Throws: HX101 for a file that is damaged or beyond the limits.
    package static func markup(
        of key: String, in bytes: [UInt8]
    ) throws(ForeignError) -> [UInt8] {
        guard bytes.count <= MarkupReader.largestFile else {
            throw fault(
                "the file has \(bytes.count) octets; at most \(MarkupReader.largestFile) are read")
        }
        let list = try BinaryPropertyList(bytes)
        return Array(try list.text(of: key).utf8)
    }

    private static func fault(_ message: String) -> ForeignError {
        ForeignError(.foreignSyntax, "the binary property list: \(message)", at: 0..<0)
    }

    private init(_ bytes: [UInt8]) throws(ForeignError) {
        guard bytes.starts(with: "bplist00".utf8), bytes.count >= 40 else {
            throw Self.fault("it is cut, or of another version than 00")
        }
        let trailer = bytes.count - 32
        func number(_ start: Int) -> Int? {
            var value = 0
            for byte in bytes[start..<start + 8] {
                guard value <= Int.max >> 9 else { return nil }
                value = value << 8 | Int(byte)
            }
            return value
        }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = number(trailer + 8), let root = number(trailer + 16),
            let table = number(trailer + 24), count > 0, count <= bytes.count, root < count,
            table >= 8, table <= trailer, count * offsetSize <= trailer - table
        else { throw Self.fault("its trailer points outside the file") }
        self.bytes = bytes
        self.count = count
        self.root = root
        self.table = table
    }

    // MARK: Objects

    private enum Object {
        case boolean(Bool)
        case string(String)
        case integer(Int64)
        /// A real, a date, octets, an id or nothing.
        case other
        case array([Int])
        case dictionary([(key: Int, value: Int)])
    }

    /// An unsigned number of up to eight octets; nil outside the objects.
    private func number(_ start: Int, _ size: Int) -> Int? {
        guard start >= 8, size >= 1, size <= 8, start <= table - size else { return nil }
        var value = 0
        for byte in bytes[start..<start + size] {
            guard value <= Int.max >> 9 else { return nil }
            value = value << 8 | Int(byte)
        }
        return value
    }

    private func object(_ index: Int) throws(ForeignError) -> Object {
        guard index < count else { throw Self.fault("a reference to an object that is not there") }
        var start = 0
        for byte in bytes[table + index * offsetSize..<table + (index + 1) * offsetSize] {
            guard start <= Int.max >> 9 else {
                throw Self.fault("an offset points outside the file")
            }
            start = start << 8 | Int(byte)
        }
        guard start >= 8, start < table else {
            throw Self.fault("an offset points outside the file")
        }
        let marker = bytes[start]
        switch marker >> 4 {
        case 0x0:
            return marker == 0x08 ? .boolean(false) : marker == 0x09 ? .boolean(true) : .other
        case 0x1:
            let size = 1 << Int(marker & 0x0F)
            guard size <= 8, let value = number(start + 1, size) else { return .other }
            return .integer(Int64(value))
        case 0x5, 0x6, 0xA, 0xC, 0xD: break
        default: return .other
        }
        var length = Int(marker & 0x0F)
        var body = start + 1
        if length == 0x0F {
            guard body < table, bytes[body] >> 4 == 0x1 else {
                throw Self.fault("an object without its length")
            }
            let size = 1 << Int(bytes[body] & 0x0F)
            guard size <= 8, let long = number(body + 1, size) else {
                throw Self.fault("an object whose length lies outside the file")
            }
            length = long
            body += 1 + size
        }
        return try object(marker >> 4, length, body)
    }

    private func object(
        _ kind: UInt8, _ length: Int, _ body: Int
    ) throws(ForeignError) -> Object {
        let width =
            kind == 0x5 ? 1 : kind == 0x6 ? 2 : kind == 0xD ? 2 * referenceSize : referenceSize
        guard body <= table, length <= (table - body) / width else {
            throw Self.fault("an object that ends outside the file")
        }
        func references(_ start: Int) -> [Int] {
            (0..<length).map { number(start + $0 * referenceSize, referenceSize) ?? count }
        }
        if kind == 0x5 || kind == 0x6, length > Self.longestString { return .other }
        switch kind {
        case 0x5: return .string(String(decoding: bytes[body..<body + length], as: UTF8.self))
        case 0x6:
            let units = (0..<length).map {
                UInt16(bytes[body + 2 * $0]) << 8 | UInt16(bytes[body + 2 * $0 + 1])
            }
            return .string(String(decoding: units, as: UTF16.self))
        case 0xD:
            let values = references(body + length * referenceSize)
            return .dictionary(zip(references(body), values).map { (key: $0, value: $1) })
        default: return .array(references(body))
        }
    }

    // MARK: XML

    /// A container that is being written.
    private struct Frame {
        let name: String
        /// Keys of a dictionary; empty for an array.
        let keys: [Int]
        let values: [Int]
        var next = 0
    }

    private func text(of key: String) throws(ForeignError) -> String {
        guard case .dictionary(let entries) = try object(root) else {
            throw Self.fault("its root is not a dictionary")
        }
        guard entries.count <= Self.mostEntries else {
            throw Self.fault("its root holds more than \(Self.mostEntries) entries")
        }
        var text = "<plist version=\"1.0\">\n<dict>\n"
        for entry in entries {
            guard case .string(key) = try object(entry.key) else { continue }
            text += "\t<key>\(escaped(key))</key>\n"
            text += try value(entry.value)
        }
        return text + "</dict>\n</plist>\n"
    }

    /// A value and all that it holds.
    private func value(_ index: Int) throws(ForeignError) -> String {
        var text = ""
        var written = 0
        var frames: [Frame] = []
        var pending: Int? = index
        while pending != nil || !frames.isEmpty {
            if let index = pending {
                pending = nil
                written += 1
                guard written <= Self.mostValues, text.utf8.count <= MarkupReader.largestFile else {
                    throw Self.fault("it holds more than \(Self.mostValues) values")
                }
                let indent = String(repeating: "\t", count: frames.count + 1)
                switch try object(index) {
                case .boolean(let flag): text += "\(indent)<\(flag)/>\n"
                case .string(let string): text += "\(indent)<string>\(escaped(string))</string>\n"
                case .integer(let number): text += "\(indent)<integer>\(number)</integer>\n"
                case .other: text += "\(indent)<data/>\n"
                case .array(let items):
                    written += items.count
                    text += "\(indent)<array>\n"
                    frames.append(Frame(name: "array", keys: [], values: items))
                case .dictionary(let entries):
                    written += entries.count
                    text += "\(indent)<dict>\n"
                    frames.append(
                        Frame(
                            name: "dict", keys: entries.map(\.key), values: entries.map(\.value)))
                }
                guard frames.count <= Self.deepest else {
                    throw Self.fault("it holds more than \(Self.deepest) values inside each other")
                }
            }
            guard var frame = frames.popLast() else { continue }
            let indent = String(repeating: "\t", count: frames.count + 1)
            guard frame.next < frame.values.count else {
                text += "\(indent)</\(frame.name)>\n"
                continue
            }
            if !frame.keys.isEmpty {
                guard case .string(let key) = try object(frame.keys[frame.next]) else {
                    throw Self.fault("a key that is not a string")
                }
                text += "\(indent)\t<key>\(escaped(key))</key>\n"
            }
            pending = frame.values[frame.next]
            frame.next += 1
            frames.append(frame)
        }
        return text
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}

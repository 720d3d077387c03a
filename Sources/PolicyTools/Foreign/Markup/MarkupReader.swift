import PolicyCompiler
import TrustEngine

/// Reads the part of XML 1.0 that configuration files use, and refuses the rest with its place.
///
/// Read: UTF-8, elements, attributes, text, CDATA sections, comments, processing instructions, and
/// references to characters and to the five predefined entities. A DOCTYPE may name an external
/// subset, which is never fetched. An internal subset is refused, so that no entity can be
/// declared, and none expands. Prefixes are parts of names. The reader does not recurse; the
/// limits below bound its memory.
///
/// `grammar/foreign-files.md` says why no library reads the files.
package struct MarkupReader {
    /// The largest file, in octets. The largest real `Info.plist` has some tens of kilobytes.
    package static let largestFile = 4 << 20
    /// The longest line, in octets. The column of a place is counted from the start of its line.
    static let longestLine = 64 << 10
    /// The most elements inside each other.
    static let deepest = 64
    /// The most elements of a file.
    static let mostElements = 100_000
    /// The most attributes of an element.
    static let mostAttributes = 64

    private let bytes: [UInt8]
    private var at = 0
    private var elements = 0
    /// The elements that are not closed, the outermost first.
    private var open: [MarkupElement] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the root element of a document.
    ///
    /// - Throws: HX101 with the place of the first fault.
    package static func root(of bytes: [UInt8]) throws(ForeignError) -> MarkupElement {
        var reader = MarkupReader(bytes)
        return try reader.document()
    }

    // MARK: The document

    private mutating func document() throws(ForeignError) -> MarkupElement {
        try refuseOctets()
        try refuseLongLines()
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        if starts("<?xml"), at + 5 < bytes.count, Self.isBlank(bytes[at + 5]) {
            try declaration()
        }
        var root: MarkupElement?
        var hasDoctype = false
        while at < bytes.count {
            skipBlanks()
            guard at < bytes.count else { break }
            if starts("<!--") {
                _ = try comment()
            } else if starts("<?") {
                try instruction()
            } else if starts("<!DOCTYPE"), root == nil, !hasDoctype {
                hasDoctype = true
                try doctype()
            } else if starts("<"), root == nil {
                root = try tree()
            } else {
                throw fault(
                    root == nil
                        ? "found \(shown) where the first element begins"
                        : "found \(shown) behind the last element; a document has one root")
            }
        }
        guard let root else { throw fault("the file holds no element") }
        return root
    }

    /// Refuses octets that are not UTF-8, and characters that XML does not have.
    private func refuseOctets() throws(ForeignError) {
        guard bytes.count <= Self.largestFile else {
            throw ForeignError(
                .foreignSyntax,
                "the file has \(bytes.count) octets; at most \(Self.largestFile) are read",
                at: 0..<0)
        }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw ForeignError(
                .foreignSyntax, "the file is UTF-16; write it as UTF-8", at: 0..<2)
        }
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte >= 0x20, byte < 0x7F {
                offset += 1
                continue
            }
            let step = UTF8Step.decode(bytes, at: offset)
            guard let scalar = step.scalar else {
                throw ForeignError(
                    .foreignSyntax, "an octet that is not UTF-8; write the file as UTF-8",
                    at: offset..<offset + step.length)
            }
            let isReturn = scalar == "\r"
            if isReturn, offset + 1 < bytes.count, bytes[offset + 1] == 0x0A {
                offset += 1
                continue
            }
            let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n"
            guard !isControl, scalar.value & 0xFFFE != 0xFFFE else {
                throw ForeignError(
                    .foreignSyntax,
                    isReturn
                        ? "a carriage return without a line feed; write a line feed"
                        : "\(HiddenCharacter.name(scalar)), which no XML file may hold; remove it",
                    at: offset..<offset + step.length)
            }
            offset += step.length
        }
    }

    private func refuseLongLines() throws(ForeignError) {
        var start = 0
        for (offset, byte) in bytes.enumerated() {
            if byte == 0x0A { start = offset + 1 }
            guard offset - start < Self.longestLine else {
                throw ForeignError(
                    .foreignSyntax, "a line of more than \(Self.longestLine) octets; break it",
                    at: start..<start)
            }
        }
    }

    /// The first hidden character in a range, with its octets; nil if there is none. A carriage
    /// return before a line feed is not counted.
    package static func hidden(
        in range: Range<Int>, of bytes: [UInt8]
    ) -> (scalar: Unicode.Scalar, range: Range<Int>)? {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let step = UTF8Step.decode(bytes, at: offset)
            let isMark = offset == 0 && step.scalar == "\u{FEFF}"
            if let scalar = step.scalar, scalar != "\r", !isMark, HiddenCharacter.isHidden(scalar) {
                return (scalar, offset..<offset + step.length)
            }
            offset += step.length
        }
        return nil
    }

    /// `<?xml … ?>`.
    private mutating func declaration() throws(ForeignError) {
        let start = at
        guard let end = find("?>", from: at) else {
            throw fault("the XML declaration does not end", start..<start + 5)
        }
        let text = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        if let found = text.firstRange(of: "encoding") {
            let value = text[found.upperBound...].drop { " =\t\r\n".contains($0) }
            let name = value.dropFirst().prefix { $0 != "\"" && $0 != "'" }
            guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(String(name)) else {
                throw fault(
                    "the encoding `\(name)`; write the file as UTF-8 and say so", start..<end + 2)
            }
        }
        at = end + 2
    }

    private mutating func instruction() throws(ForeignError) {
        guard let end = find("?>", from: at) else {
            throw fault("this processing instruction does not end", at..<at + 2)
        }
        at = end + 2
    }

    private mutating func comment() throws(ForeignError) -> Range<Int> {
        let start = at
        guard let end = find("--", from: at + 4) else {
            throw fault("this comment does not end", start..<start + 4)
        }
        guard end + 2 < bytes.count, bytes[end + 2] == UInt8(ascii: ">") else {
            throw fault("`--` inside a comment", end..<end + 2)
        }
        at = end + 3
        return start..<at
    }

    /// `<!DOCTYPE name PUBLIC "…" "…">`. The identifiers are skipped; nothing is fetched.
    private mutating func doctype() throws(ForeignError) {
        let start = at
        at += 9
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: ">"):
                at += 1
                return
            case UInt8(ascii: "["):
                throw fault(
                    "declarations inside a DOCTYPE, which can declare entities; remove them",
                    at..<at + 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes[(at + 1)...].firstIndex(of: bytes[at]) else {
                    throw fault("this text does not end", at..<at + 1)
                }
                at = end + 1
            case UInt8(ascii: "<"):
                throw fault("this DOCTYPE does not end", start..<start + 9)
            default: at += 1
            }
        }
        throw fault("this DOCTYPE does not end", start..<start + 9)
    }

    // MARK: Elements

    /// Reads one element with everything in it.
    private mutating func tree() throws(ForeignError) -> MarkupElement {
        if let closed = try startTag() { return closed }
        while !open.isEmpty {
            if starts("</") {
                if let root = try endTag() { return root }
            } else if starts("<!--") {
                add(.comment(try comment()))
            } else if starts("<?") {
                try instruction()
            } else if starts("<"), !starts("<![CDATA[") {
                guard !starts("<!") else {
                    throw fault("a declaration inside an element", at..<at + 2)
                }
                if let closed = try startTag() { add(.element(closed)) }
            } else if at < bytes.count {
                try text()
            } else {
                let last = open[open.count - 1]
                throw fault("`<\(last.name)>` is not closed", last.nameRange)
            }
        }
        throw fault("the file holds no element")
    }

    private mutating func add(_ node: MarkupNode) {
        open[open.count - 1].children.append(node)
    }

    /// Reads a start tag and opens its element. Returns the element if the tag closes itself.
    private mutating func startTag() throws(ForeignError) -> MarkupElement? {
        let start = at
        at += 1
        let nameRange = try name("the name of an element")
        elements += 1
        guard elements <= Self.mostElements else {
            throw fault("more than \(Self.mostElements) elements", nameRange)
        }
        guard open.count < Self.deepest else {
            throw fault("more than \(Self.deepest) elements inside each other", nameRange)
        }
        var attributes: [MarkupAttribute] = []
        while true {
            let before = at
            skipBlanks()
            guard at < bytes.count else {
                throw fault("this tag does not end", start..<nameRange.upperBound)
            }
            if bytes[at] == UInt8(ascii: ">") || starts("/>") { break }
            guard at > before else { throw fault("found \(shown) inside a tag") }
            let attribute = try attribute()
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw fault("the attribute `\(attribute.name)` stands twice", attribute.range)
            }
            attributes.append(attribute)
            guard attributes.count <= Self.mostAttributes else {
                throw fault("more than \(Self.mostAttributes) attributes", attribute.range)
            }
        }
        let closes = bytes[at] == UInt8(ascii: "/")
        at += closes ? 2 : 1
        let element = MarkupElement(
            name: text(of: nameRange), nameRange: nameRange, attributes: attributes,
            range: start..<at, content: at..<at)
        if closes { return element }
        open.append(element)
        return nil
    }

    /// Reads an end tag. Returns the root if it is closed by it.
    private mutating func endTag() throws(ForeignError) -> MarkupElement? {
        let start = at
        at += 2
        let range = try name("the name of an element")
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: ">") else {
            throw fault("this end tag does not end", start..<range.upperBound)
        }
        at += 1
        var element = open.removeLast()
        guard element.name == text(of: range) else {
            throw fault("`</\(text(of: range))>` closes `<\(element.name)>`", range)
        }
        element.range = element.range.lowerBound..<at
        element.content = element.content.lowerBound..<start
        guard !open.isEmpty else { return element }
        add(.element(element))
        return nil
    }

    private mutating func attribute() throws(ForeignError) -> MarkupAttribute {
        let nameRange = try name("the name of an attribute")
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else {
            throw fault("the attribute `\(text(of: nameRange))` has no value", nameRange)
        }
        at += 1
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'")
        else {
            throw fault(
                "the value of `\(text(of: nameRange))` is not in quotes", nameRange)
        }
        let quote = bytes[at]
        at += 1
        let start = at
        var value: [UInt8] = []
        while at < bytes.count, bytes[at] != quote {
            switch bytes[at] {
            case UInt8(ascii: "<"): throw fault("`<` inside a value; write `&lt;`")
            case UInt8(ascii: "&"): try reference(into: &value)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                value.append(UInt8(ascii: " "))
                at += 1
            default:
                value.append(bytes[at])
                at += 1
            }
        }
        guard at < bytes.count else {
            throw fault("this value does not end", start - 1..<start)
        }
        let end = at
        at += 1
        return MarkupAttribute(
            name: text(of: nameRange), value: String(decoding: value, as: UTF8.self),
            range: nameRange.lowerBound..<at, valueRange: start..<end)
    }

    /// Reads text and CDATA sections up to the next tag or comment.
    private mutating func text() throws(ForeignError) {
        let start = at
        var value: [UInt8] = []
        while at < bytes.count {
            if starts("<![CDATA[") {
                guard let end = find("]]>", from: at + 9) else {
                    throw fault("this CDATA section does not end", at..<at + 9)
                }
                value += bytes[at + 9..<end]
                at = end + 3
                continue
            }
            switch bytes[at] {
            case UInt8(ascii: "<"):
                add(.text(String(decoding: value, as: UTF8.self), start..<at))
                return
            case UInt8(ascii: "&"): try reference(into: &value)
            default:
                value.append(bytes[at])
                at += 1
            }
        }
        add(.text(String(decoding: value, as: UTF8.self), start..<at))
    }

    /// Reads a reference to a character or to a predefined entity.
    private mutating func reference(into value: inout [UInt8]) throws(ForeignError) {
        let start = at
        let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        guard let end, end > start + 1 else {
            throw fault("`&` begins no reference; write `&amp;`", start..<start + 1)
        }
        let name = text(of: start + 1..<end)
        at = end + 1
        if let plain = Self.entities[name] {
            value.append(plain)
            return
        }
        guard name.hasPrefix("#") else {
            throw fault(
                "`&\(name);` is an entity that the file cannot declare; write the character",
                start..<at)
        }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        let isNumber = digits.utf8.allSatisfy { isHexadecimal ? Self.isHex($0) : Self.isDigit($0) }
        guard isNumber, let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number),
            number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number), number & 0xFFFE != 0xFFFE
        else { throw fault("`&\(name);` is not a character of XML", start..<at) }
        guard number < 0x80 || !HiddenCharacter.isHidden(scalar) else {
            throw fault(
                "`&\(name);` is \(HiddenCharacter.kind(scalar)); remove it", start..<at)
        }
        value += Array(String(Character(scalar)).utf8)
    }

    private static let entities: [String: UInt8] = [
        "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"),
        "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
    ]

    // MARK: Octets

    private mutating func name(_ what: String) throws(ForeignError) -> Range<Int> {
        let start = at
        while at < bytes.count, Self.isName(bytes[at]) { at += 1 }
        let begins = start < at && !Self.isDigit(bytes[start]) && !"-.".utf8.contains(bytes[start])
        guard begins, at - start <= 256 else {
            at = start
            throw fault("found \(shown) where \(what) begins")
        }
        return start..<at
    }

    private mutating func skipBlanks() {
        while at < bytes.count, Self.isBlank(bytes[at]) { at += 1 }
    }

    private func starts(_ text: String) -> Bool {
        at < bytes.count && bytes[at...].starts(with: text.utf8)
    }

    private func find(_ mark: String, from: Int) -> Int? {
        let wanted = Array(mark.utf8)
        var offset = from
        while offset + wanted.count <= bytes.count {
            if bytes[offset] == wanted[0], bytes[offset...].starts(with: wanted) { return offset }
            offset += 1
        }
        return nil
    }

    private func text(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The character at hand as messages name it.
    private var shown: String {
        guard at < bytes.count else { return "the end" }
        let step = UTF8Step.decode(bytes, at: at)
        guard let scalar = step.scalar else { return "an octet" }
        return scalar == "\n" ? "the end of the line" : "`\(scalar)`"
    }

    private func fault(_ message: String, _ range: Range<Int>? = nil) -> ForeignError {
        let place = min(at, bytes.count)
        let found = range ?? place..<min(place + 1, bytes.count)
        return ForeignError(
            .foreignSyntax, message,
            at: min(
                found.lowerBound, bytes.count)..<min(
                    found.upperBound, bytes.count))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }

    private static func isName(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte >= 0x80
            || "_:.-".utf8.contains(byte)
    }
}

import Rendering
import TrustEngine

/// A value of a JSON text, read where it stands. Unlike `StrictJSON` it passes over members that
/// nobody asks for: the messages of editors have many, and each version of the protocol adds some.
struct JSONView {
    private let bytes: [UInt8]
    private let range: Range<Int>

    /// The value of a whole text, which is checked completely. Values inside it need no check.
    init(_ bytes: [UInt8]) throws(JSONReader.Problem) {
        var reader = JSONReader(bytes)
        _ = try reader.members()
        self.init(bytes, 0..<bytes.count)
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The members of an object in their order; empty for any other value. A name that stands there
    /// twice is there twice. Cost: linear in the value's text.
    var members: [(name: String, value: JSONView)] {
        var reader = JSONReader(bytes, in: range)
        guard let found = try? reader.members() else { return [] }
        return found.map { member in
            (String(decoding: bytes[member.name], as: UTF8.self), JSONView(bytes, member.value))
        }
    }

    /// The elements of a list; empty for any other value.
    var elements: [JSONView] {
        var reader = JSONReader(bytes, in: range)
        return ((try? reader.elements()) ?? []).map { JSONView(bytes, $0) }
    }

    /// The members by their names; the last one counts, as for `JSON.parse`.
    var object: [String: JSONView] {
        Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    /// A member of an object.
    subscript(name: String) -> JSONView? { members.last { $0.name == name }?.value }

    /// A member of a member, and so on.
    func at(_ path: String...) -> JSONView? {
        var view: JSONView? = self
        for name in path { view = view?[name] }
        return view
    }

    private var content: ArraySlice<UInt8> {
        var slice = bytes[range]
        while let last = slice.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { slice.removeLast() }
        return slice.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// The kinds of values that are told apart.
    var isObject: Bool { content.first == UInt8(ascii: "{") }
    var isList: Bool { content.first == UInt8(ascii: "[") }
    var isText: Bool { content.first == UInt8(ascii: "\"") }
    var isTrue: Bool { content.elementsEqual("true".utf8) }

    /// A text; nil for any other value. Half of a surrogate pair becomes U+FFFD.
    var text: String? { JSONReader.text(bytes, content.startIndex..<content.endIndex) }

    /// A text as octets, in which half of a surrogate pair keeps its three octets (`HalfPairs`).
    var octets: [UInt8]? {
        isText ? HalfPairs.octets(ofJSON: content.dropFirst().dropLast()) : nil
    }

    /// A whole number without fraction or exponent.
    var number: Int? {
        let digits = content.first == UInt8(ascii: "-") ? content.dropFirst() : content
        guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(String(decoding: content, as: UTF8.self))
    }

    /// The texts of a list.
    var texts: [String] { elements.compactMap(\.text) }

    /// The whole value. Numbers with a fraction or an exponent become null: no message that is sent
    /// back has one.
    var value: JSONValue {
        if isObject { return .members(members.map { ($0.name, $0.value.value) }) }
        if isList { return .array(elements.map(\.value)) }
        if let text { return .string(text) }
        if let number { return .integer(number) }
        if isTrue { return .bool(true) }
        return content.elementsEqual("false".utf8) ? .bool(false) : .null
    }
}

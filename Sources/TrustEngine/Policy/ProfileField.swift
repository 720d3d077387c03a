// Properties of a field that follow from its path. `swift run generate-tables` makes the cases from
// the schema.

extension ProfileField {
    /// The key that holds the field: the last part of its path.
    package var key: String { ProfileField.lastPart(of: rawValue) }

    /// The path of the map that holds the field: `revocation.causes`. It is empty when the field is
    /// a key of the profile itself.
    package var section: String {
        guard let dot = rawValue.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(rawValue[..<dot])
    }

    /// The part of a dotted path after the last dot; the whole path when it has no dot.
    package static func lastPart(of path: String) -> String {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return path }
        return String(path[path.utf8.index(after: dot)...])
    }

    /// The field's path as the end of a JSON pointer: `keys/rsa-minimum`.
    package var pointer: String {
        let octets = rawValue.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "/") : $0 }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The numbers in tables in ascending order, each with the fields that have this number.
    static let byNumber: [(number: UInt16, fields: [ProfileField])] = {
        let numbers = Dictionary(grouping: allCases) { $0.descriptor.number }
        return numbers.sorted { $0.key < $1.key }.map { (number: $0.key, fields: $0.value) }
    }()
}

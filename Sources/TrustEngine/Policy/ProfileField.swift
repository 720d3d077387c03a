// What can be asked of a field by its path. The cases are made from the schema.

extension ProfileField {
    /// The key that holds the field: the last part of its path.
    package var key: String { ProfileField.lastPart(of: rawValue) }

    /// The path of the map that holds the field: `revocation.causes`; empty for a key of the
    /// profile itself.
    package var section: String {
        guard let dot = rawValue.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(rawValue[..<dot])
    }

    /// What stands behind the last dot of a dotted path.
    package static func lastPart(of path: String) -> String {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return path }
        return String(path[path.utf8.index(after: dot)...])
    }

    /// The field as the end of a JSON pointer: `keys/rsa-minimum`.
    package var pointer: String {
        String(rawValue.map { $0 == "." ? "/" : $0 })
    }

    /// The fields of each number in tables, by ascending numbers.
    static let byNumber: [(number: UInt16, fields: [ProfileField])] = {
        let numbers = Dictionary(grouping: allCases) { $0.descriptor.number }
        return numbers.sorted { $0.key < $1.key }.map { (number: $0.key, fields: $0.value) }
    }()
}

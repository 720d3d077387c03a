import Rendering

/// A violation as a receipt holds it: the members that quote neither host nor certificate. A report
/// has the same members in the same places, and its sentences and fields besides.
public struct RecordedViolation: Hashable, Sendable {
    /// Where a demand is written in the policy.
    public struct Place: Hashable, Sendable {
        /// The demand's pointer: `/rules/api/pins`.
        public var pointer: String
        /// The layer that wrote the demand: `rule`, `profile NAME`, `built-in NAME` or `unknown`.
        public var layer: String
        /// The policy's file, from the root of its unit; nil where no file is known.
        public var file: String?
        /// The line, from 1; nil where no file is known.
        public var line: UInt32?
        /// The column, from 1; nil where no file is known.
        public var column: UInt32?
    }

    /// The violation's id: `expired`.
    public var id: String
    /// The check that the violation belongs to.
    public var check: String
    /// Whose fault the violation is, as far as its evidence tells.
    public var side: String
    /// Where the demand is written; nil where the standard makes it, and where the host is
    /// redacted.
    public var place: Place?

    /// Makes a violation from its members.
    init(id: String, check: String, side: String, place: Place?) {
        self.id = id
        self.check = check
        self.side = side
        self.place = place
    }

    /// Makes a violation from the object that a trace has of it.
    init(_ traced: JSONValue, withPlace: Bool) {
        id = traced["id"]?.text ?? ""
        check = traced["check"]?.text ?? ""
        side = traced["side"]?.text ?? ""
        guard withPlace, let place = traced["place"], let pointer = place["pointer"]?.text,
            let layer = place["layer"]?.text
        else { return }
        self.place = Place(
            pointer: pointer, layer: layer, file: place["file"]?.text,
            line: place["line"]?.number, column: place["column"]?.number)
    }

    /// The object of a receipt.
    var value: JSONValue {
        .object([
            ("id", .string(id)), ("check", .string(check)), ("side", .string(side)),
            ("place", place?.value ?? .null),
        ])
    }
}

extension RecordedViolation.Place {
    fileprivate var value: JSONValue {
        .object([
            ("pointer", .string(pointer)), ("layer", .string(layer)), ("file", .optional(file)),
            ("line", line.map { .integer($0) }), ("column", column.map { .integer($0) }),
        ])
    }
}

extension JSONValue {
    /// The value of a member; nil where the value is not an object or lacks the member.
    fileprivate subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    fileprivate var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    fileprivate var number: UInt32? {
        if case .integer(let number) = self { return UInt32(exactly: number) }
        return nil
    }
}

/// The members of an object, in the order in which they are written. A nil value leaves its key
/// out.
package struct JSONMembers: ExpressibleByDictionaryLiteral, Hashable, Sendable {
    package private(set) var list: [JSONValue.Member]

    package init(dictionaryLiteral members: (String, (any JSONWritable)?)...) {
        list = []
        list.reserveCapacity(members.count)
        for (key, value) in members {
            if let value { list.append(JSONValue.Member(key, value.json)) }
        }
    }

    /// Members whose keys are known only at run time.
    package init(_ members: [(String, JSONValue)]) {
        list = members.map { JSONValue.Member($0.0, $0.1) }
    }

    package var isEmpty: Bool { list.isEmpty }

    /// The value of a key; nil without the key.
    package subscript(key: String) -> JSONValue? { list.first { $0.key == key }?.value }

    /// The members of both, the left first.
    package static func + (left: JSONMembers, right: JSONMembers) -> JSONMembers {
        var both = left
        both += right
        return both
    }

    package static func += (left: inout JSONMembers, right: JSONMembers) {
        left.list += right.list
    }
}

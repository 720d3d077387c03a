import Foundation

/// Fields, one after the other: the size of each as four octets, the lowest first, and its octets.
struct Fields {
    private var rest: ArraySlice<UInt8>

    init(_ octets: [UInt8]) { rest = octets[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next field; ends the program where the input is cut short.
    mutating func next() -> [UInt8] {
        let size = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= 4 + size else {
            print("cut short")
            exit(2)
        }
        let field = rest.dropFirst(4).prefix(size)
        rest = rest.dropFirst(4 + size)
        return Array(field)
    }
}

/// Cuts a stream of octets into messages: for each, lines of a head, an empty line, and as many
/// octets as `Content-Length` says.
///
/// Nothing is reserved for a length that somebody only claims. A head that cannot be read ends the
/// stream: where the next message begins is not known then.
struct MessageFrames {
    /// Why no further message can be read. Lower case, no full stop.
    struct Fault: Error, Hashable {
        let context: String
    }

    /// The most octets of a head.
    static let longestHead = 4_096
    /// The most octets of a message. A policy file has at most 64 MiB, and its text in JSON at most
    /// six octets for each, but usually not two.
    static let longestBody = 160 << 20

    private var octets: [UInt8] = []
    /// The octets of `octets` that were handed out.
    private var taken = 0

    /// Adds octets of the stream.
    mutating func add(_ more: [UInt8]) {
        if taken == octets.count {
            octets = more
            taken = 0
            return
        }
        if taken > 1 << 16 {
            octets.removeFirst(taken)
            taken = 0
        }
        octets += more
    }

    /// Whether octets wait that are not a whole message.
    var isAtEnd: Bool { taken == octets.count }

    /// The next whole message; nil until more octets come.
    mutating func next() throws(Fault) -> [UInt8]? {
        guard let head = try self.head() else { return nil }
        guard octets.count - head.end >= head.length else { return nil }
        let body = Array(octets[head.end..<head.end + head.length])
        taken = head.end + head.length
        return body
    }

    /// The length that the head states, and the index behind it; nil until it is whole.
    private func head() throws(Fault) -> (length: Int, end: Int)? {
        var length: Int?
        var start = taken
        while true {
            guard let feed = octets[start...].prefix(MessageFrames.longestHead).firstIndex(of: 0x0A)
            else {
                guard octets.count - taken < MessageFrames.longestHead else {
                    throw Fault(context: "a head has no end within 4,096 bytes")
                }
                return nil
            }
            guard feed - taken < MessageFrames.longestHead else {
                throw Fault(context: "a head has no end within 4,096 bytes")
            }
            guard feed > start, octets[feed - 1] == 0x0D else {
                throw Fault(context: "a line of a head does not end in CR LF")
            }
            let line = octets[start..<feed - 1]
            start = feed + 1
            if line.isEmpty {
                guard let length else {
                    throw Fault(context: "a head states no `Content-Length`")
                }
                return (length, start)
            }
            guard let stated = try MessageFrames.length(line) else { continue }
            guard length == nil || length == stated else {
                throw Fault(context: "a head states two lengths")
            }
            length = stated
        }
    }

    /// The length that a line of a head states; nil for a line about something else.
    private static func length(_ line: ArraySlice<UInt8>) throws(Fault) -> Int? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw Fault(context: "a line of a head has no `:`")
        }
        guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-length"
        else { return nil }
        let blanks: [UInt8] = [0x20, 0x09]
        var digits = line[(colon + 1)...].drop { blanks.contains($0) }
        while let last = digits.last, blanks.contains(last) { digits.removeLast() }
        guard (1...10).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(String(decoding: digits, as: UTF8.self)), length <= longestBody
        else {
            throw Fault(
                context: "a length is not a whole number up to \(longestBody): "
                    + "`\(String(decoding: digits.prefix(24), as: UTF8.self))`")
        }
        return length
    }

    /// A message with its head.
    static func framed(_ body: String) -> [UInt8] {
        let head = "Content-Length: \(body.utf8.count)\r\n\r\n"
        var octets: [UInt8] = []
        octets.reserveCapacity(head.utf8.count + body.utf8.count)
        octets += head.utf8
        octets += body.utf8
        return octets
    }
}

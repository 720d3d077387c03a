import CSchemas

/// The files of `grammar/` that `CSchemas` embeds in the executable. A start does not read them;
/// the first call that needs a file does.
package enum EmbeddedFile {
    /// The octets of a file, by its number in `schemas.h`.
    package static func octets(_ number: UInt32) -> [UInt8] {
        octets(number, 0..<hawser_schema_length(number))
    }

    private static func octets(_ number: UInt32, _ range: Range<Int>) -> [UInt8] {
        range.map { hawser_schema_octet(number, $0) }
    }

    /// A part of a file: a line with a certain start, and the lines up to the next such line.
    struct Part: Sendable {
        private let number: UInt32
        private let range: Range<Int>

        /// The parts of a file whose first lines begin with `start`, which has at most four octets.
        /// The lines between are not read.
        static func all(of number: UInt32, from start: String) -> [Part] {
            let (word, count) = start.utf8.reduce((UInt32(0), 0)) { found, octet in
                (found.0 | UInt32(octet) << (8 * found.1), found.1 + 1)
            }
            let length = hawser_schema_length(number)
            var parts: [Part] = []
            var place = hawser_schema_line(number, 0, word, count)
            while place < length {
                let next = hawser_schema_line(number, place + 1, word, count)
                parts.append(Part(number: number, range: place..<next))
                place = next
            }
            return parts
        }

        /// The line at which the part begins.
        var head: Substring {
            var line: [UInt8] = []
            for place in range {
                let octet = hawser_schema_octet(number, place)
                if octet == Part.lineFeed { break }
                line.append(octet)
            }
            return Substring(decoding: line, as: UTF8.self)
        }

        /// The lines behind the first.
        var lines: [ArraySlice<UInt8>] {
            let all = EmbeddedFile.octets(number, range)
                .split(separator: Part.lineFeed, omittingEmptySubsequences: false)
            return Array(all.dropFirst())
        }

        private static let lineFeed = UInt8(ascii: "\n")
    }
}

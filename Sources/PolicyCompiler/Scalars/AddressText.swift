import TrustEngine

/// Reads addresses and networks from text, for host patterns and `identity.ip`.
enum AddressText {
    /// An address, and the prefix written after it.
    struct Scanned {
        let address: IPAddress
        /// The prefix as written. May be as long as the address.
        let prefix: Int?
    }

    /// Reads a slice of the bytes of `text`, without brackets and port. The ranges of problems are
    /// offsets into `text`.
    ///
    /// - Throws: HW201.
    static func scan(
        _ slice: Range<Int>, of text: String
    ) throws(ScalarProblem) -> Scanned {
        let bytes = Array(text.utf8)[slice]
        let slash = bytes.firstIndex(of: UInt8(ascii: "/"))
        let addressRange = slice.lowerBound..<(slash ?? slice.upperBound)
        let written = String(decoding: bytes[addressRange], as: UTF8.self)
        guard let address = IPAddress(text: written) else {
            throw noAddress(written, bytes[addressRange], slice, bytes)
        }
        var prefix: Int?
        if let slash {
            prefix = try scanPrefix(slash + 1..<slice.upperBound, bytes, address, written)
        }
        try refuseMapped(address, prefix: prefix, written: bytes, slice)
        if let prefix, address.masked(prefix: prefix) != address {
            throw ScalarProblem(
                .badHost,
                "\(ScalarProblem.quote(String(decoding: bytes, as: UTF8.self))) has host bits set",
                range: slice,
                help: [
                    "`\(address.masked(prefix: prefix))/\(prefix)` for the network, `\(address)` "
                        + "for the one address"
                ])
        }
        return Scanned(address: address, prefix: prefix)
    }

    private static func scanPrefix(
        _ range: Range<Int>, _ bytes: ArraySlice<UInt8>, _ address: IPAddress, _ written: String
    ) throws(ScalarProblem) -> Int {
        let quoted = ScalarProblem.quote(String(decoding: bytes, as: UTF8.self))
        let bits = address.bitCount
        let family = address.isIPv4 ? "IPv4" : "IPv6"
        switch DecimalNumber.read(bytes[range]) {
        case .value(let value):
            guard let prefix = Int(exactly: value), prefix <= bits else { break }
            return prefix
        case .leadingZero:
            let prefix = DecimalNumber.withoutLeadingZeros(bytes[range])
            throw ScalarProblem(
                .badHost, "\(quoted) has a prefix that begins with a zero", range: range,
                help: ["write `\(written)/\(prefix)`"])
        case .tooLarge, .notDigit:
            break
        }
        guard !range.isEmpty else {
            throw ScalarProblem(
                .badHost, "\(quoted) has no prefix after its `/`",
                range: range.lowerBound - 1..<range.upperBound,
                help: ["write `\(written)` for the one address"])
        }
        let prefix = String(decoding: bytes[range], as: UTF8.self)
        var help: [String] = []
        if let mask = IPAddress(text: prefix), mask.isIPv4, address.isIPv4 {
            let ones = mask.low.nonzeroBitCount
            if IPAddress(high: 0, low: 0xFFFF_FFFF, isIPv4: true).masked(prefix: ones) == mask {
                help = ["write `\(written)/\(ones)`"]
            }
        } else if let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")), !address.isIPv4 {
            let port = String(decoding: bytes[(colon + 1)..<range.upperBound], as: UTF8.self)
            let digits = String(decoding: bytes[range.lowerBound..<colon], as: UTF8.self)
            help = ["write `[\(written)/\(digits)]:\(port)` for a port"]
        }
        throw ScalarProblem(
            .badHost,
            "\(quoted) has the prefix \(ScalarProblem.quote(prefix)); the prefix of an \(family) "
                + "network is a number from 0 to \(bits)",
            range: range, help: help)
    }

    /// Refuses an IPv4-mapped IPv6 address. A request with such an address is judged as IPv4, so
    /// the pattern would never match.
    private static func refuseMapped(
        _ address: IPAddress, prefix: Int?, written: ArraySlice<UInt8>, _ slice: Range<Int>
    ) throws(ScalarProblem) {
        guard address.isIPv4Mapped, prefix ?? 128 >= 96 else { return }
        let network = prefix.map { $0 == 128 ? "" : "/\($0 - 96)" } ?? ""
        let unmapped = address.unmapped.masked(prefix: (prefix ?? 128) - 96)
        throw ScalarProblem(
            .badHost,
            "\(ScalarProblem.quote(String(decoding: written, as: UTF8.self))) is an IPv4 address "
                + "written as IPv6, under which no request is judged",
            range: slice, help: ["write `\(unmapped)\(network)`"])
    }

    /// The problem of a text that looks like an address and is none.
    private static func noAddress(
        _ written: String, _ bytes: ArraySlice<UInt8>, _ slice: Range<Int>,
        _ whole: ArraySlice<UInt8>
    ) -> ScalarProblem {
        let quoted = ScalarProblem.quote(written)
        let range = bytes.startIndex..<bytes.endIndex
        if bytes.contains(UInt8(ascii: ":")) {
            return noIPv6(quoted, written, bytes, whole)
        }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard bytes.allSatisfy({ DecimalNumber.isDigit($0) || $0 == UInt8(ascii: ".") }) else {
            return ScalarProblem(
                .badHost, "\(quoted) is neither an IPv4 nor an IPv6 address", range: range)
        }
        guard parts.count == 4, !parts.contains(where: \.isEmpty) else {
            return ScalarProblem(
                .badHost,
                "\(quoted) is not an IPv4 address, which is four numbers with dots between",
                range: range)
        }
        if let part = parts.first(where: { $0.count > 1 && $0.first == 0x30 }) {
            let mended = parts.map { DecimalNumber.withoutLeadingZeros($0) }.joined(separator: ".")
            return ScalarProblem(
                .badHost,
                "\(quoted) has a number that begins with a zero, which some readers take for octal",
                range: part.startIndex..<part.endIndex,
                help: IPAddress(text: mended) == nil ? [] : ["write `\(mended)` if it is decimal"])
        }
        let part = parts.first { part in
            if case .value(let value) = DecimalNumber.read(part) { return value > 255 }
            return true
        }
        return ScalarProblem(
            .badHost, "\(quoted) has a number beyond 255",
            range: part.map { $0.startIndex..<$0.endIndex } ?? range)
    }

    private static func noIPv6(
        _ quoted: String, _ written: String, _ bytes: ArraySlice<UInt8>,
        _ whole: ArraySlice<UInt8>
    ) -> ScalarProblem {
        let range = bytes.startIndex..<bytes.endIndex
        if let zone = bytes.firstIndex(of: UInt8(ascii: "%")) {
            return ScalarProblem(
                .badHost, "\(quoted) names a zone, which means something on one machine only",
                range: zone..<bytes.endIndex,
                help: ["write `\(String(decoding: bytes[..<zone], as: UTF8.self))`"])
        }
        let isAddressByte: (UInt8) -> Bool = {
            DigestText.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
        if let at = bytes.firstIndex(where: { !isAddressByte($0) }) {
            return ScalarProblem(
                .badHost,
                "\(quoted) has more than one colon, so it can only be an IPv6 address, and is none",
                range: at..<at + 1,
                help: ["a host takes one port, as in `host.example:443` or `[2001:db8::1]:443`"])
        }
        return ScalarProblem(
            .badHost,
            "\(quoted) is not an IPv6 address, which is eight groups of up to four hex digits, one "
                + "run of zeros shortened to `::`",
            range: range)
    }
}

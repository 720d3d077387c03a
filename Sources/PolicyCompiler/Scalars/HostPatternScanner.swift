package import TrustEngine

/// A host pattern that was read.
package struct ScannedHostPattern: Hashable, Sendable {
    /// The pattern in canonical form.
    package let pattern: HostPattern
    /// The canonical spelling.
    package let canonicalText: String
    /// Whether it was written in the canonical spelling. If not, replacing the text by
    /// `canonicalText` is a safe fix.
    package let isCanonical: Bool
    /// The canonical text with U-labels; nil if it has none.
    package let unicodeText: String?
}

/// Reads host patterns: names, wildcards, addresses and networks, with or without a port.
package enum HostPatternScanner {
    /// The field that a text stands in. Help texts propose only what this field takes; the same
    /// texts are read in every field.
    package enum Field: Hashable, Sendable {
        /// Hosts of rules, requests and tests: patterns with or without a port.
        case hosts
        /// Names of certificates in `constraints`: patterns without a port.
        case certificateNames
        /// Names and addresses of `identity`, which have neither wildcard nor port.
        case exactNames
    }

    /// Reads a host pattern.
    ///
    /// - Parameter field: the field, for help texts.
    /// - Throws: HW201 for text that is not a name or address, HW203 for a URL or a part of one,
    ///   HW204 for a wildcard that is not a whole leftmost label; HW014, HW011.
    package static func scan(
        _ text: String, in field: Field = .hosts
    ) throws(ScalarProblem) -> ScannedHostPattern {
        try ScalarProblem.requireText(text, of: "the host pattern")
        if let name = canonicalName(text) { return name }
        let bytes = Array(text.utf8)
        try refuseURL(text, bytes, field)
        try refuseSpaces(text, bytes)
        let (host, port) = try splitPort(text, bytes)
        if bytes[0] == UInt8(ascii: "[") || bytes[host].contains(UInt8(ascii: ":")) {
            return try scanAddress(host, port: port, of: text)
        }
        if bytes[host].contains(UInt8(ascii: "/")) || looksLikeIPv4(bytes[host]) {
            return try scanAddress(host, port: port, of: text)
        }
        return try scanName(host, port: port, of: text, bytes, field)
    }

    /// A pattern of a name without a port that is certainly canonical as it is written, as most
    /// are. Nil decides nothing. The other steps of a scan find nothing in a canonical name: it has
    /// no octet of a URL, a port or an address, and its last label is not a number.
    private static func canonicalName(_ text: String) -> ScannedHostPattern? {
        let bytes = text.utf8.span
        var stars = 0
        while stars < min(2, bytes.count), bytes[stars] == UInt8(ascii: "*") { stars += 1 }
        guard stars == 0 || bytes.count > stars && bytes[stars] == UInt8(ascii: ".") else {
            return nil
        }
        let start = stars == 0 ? 0 : stars + 1
        guard bytes.count - start <= DomainName.limit(behindWildcard: stars > 0),
            DomainName.isCanonical(bytes.extracting(start..<bytes.count))
        else { return nil }
        let host: HostPattern.Host
        switch stars {
        case 0: host = .name(text)
        case 1:
            host = .oneLabel(base: String(decoding: text.utf8.dropFirst(start), as: UTF8.self))
        default:
            host = .anyLabels(base: String(decoding: text.utf8.dropFirst(start), as: UTF8.self))
        }
        return ScannedHostPattern(
            pattern: HostPattern(host: host, port: nil), canonicalText: text, isCanonical: true,
            unicodeText: nil)
    }

    private static func scanAddress(
        _ range: Range<Int>, port: UInt16?, of text: String
    ) throws(ScalarProblem) -> ScannedHostPattern {
        let scanned = try AddressText.scan(range, of: text)
        let host: HostPattern.Host
        var canonical = scanned.address.description
        if let prefix = scanned.prefix, prefix < scanned.address.bitCount {
            host = .network(scanned.address, prefix: prefix)
            canonical += "/\(prefix)"
        } else {
            host = .address(scanned.address)
        }
        if let port {
            canonical = scanned.address.isIPv4 ? "\(canonical):\(port)" : "[\(canonical)]:\(port)"
        }
        return ScannedHostPattern(
            pattern: HostPattern(host: host, port: port), canonicalText: canonical,
            isCanonical: canonical == text, unicodeText: nil)
    }

    private static func scanName(
        _ range: Range<Int>, port: UInt16?, of text: String, _ bytes: [UInt8], _ field: Field
    ) throws(ScalarProblem) -> ScannedHostPattern {
        let star = UInt8(ascii: "*")
        let stars = bytes[range].prefix { $0 == star }.count
        let wildcard = String(repeating: "*", count: stars) + (stars > 0 ? "." : "")
        let base = range.lowerBound + wildcard.utf8.count
        let isWhole =
            stars <= 2 && base < range.upperBound && bytes[range].starts(with: wildcard.utf8)
        guard isWhole, !bytes[base..<range.upperBound].contains(star) else {
            throw badWildcard(text, bytes, range, stars: stars)
        }
        let name = try DomainName.scan(
            base..<range.upperBound, of: text,
            limit: DomainName.limit(behindWildcard: stars > 0),
            takesWildcards: stars == 0 && field != .exactNames)
        let host: HostPattern.Host
        switch stars {
        case 0: host = .name(name.canonical)
        case 1: host = .oneLabel(base: name.canonical)
        default: host = .anyLabels(base: name.canonical)
        }
        let suffix = port.map { ":\($0)" } ?? ""
        let canonical = wildcard + name.canonical + suffix
        return ScannedHostPattern(
            pattern: HostPattern(host: host, port: port), canonicalText: canonical,
            isCanonical: canonical == text,
            unicodeText: name.unicode.map { wildcard + $0 + suffix })
    }

    /// The problem of a `*` that is not a whole leftmost label of a name.
    private static func badWildcard(
        _ text: String, _ bytes: [UInt8], _ range: Range<Int>, stars: Int
    ) -> ScalarProblem {
        let star = UInt8(ascii: "*")
        let host = String(decoding: bytes[range], as: UTF8.self)
        let quoted = ScalarProblem.quote(host)
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.allSatisfy({ $0.allSatisfy { $0 == "*" } }) {
            return ScalarProblem(
                .badWildcard, "\(quoted) is not a pattern: a name must follow the wildcard",
                range: range,
                help: ["what all other hosts get is written once, in `default`"])
        }
        let first = bytes[range].firstIndex(of: star) ?? range.lowerBound
        var end = first + 1
        while end < range.upperBound && bytes[end] == star { end += 1 }
        let isLeftmostLabel = labels.first?.contains("*") == true
        let isInnerToo = labels.dropFirst().contains { $0.contains("*") }
        var base = labels[...]
        if let last = labels.lastIndex(where: { $0.contains("*") }) {
            base = labels[(last + 1)...]
            // `*d.example` most likely means the hosts below `d.example`.
            let rest = labels[last].filter { $0 != "*" }.drop { $0 == "-" }
            if last == 0 && labels[0].hasPrefix("*") && !rest.isEmpty {
                base = [Substring(rest)] + labels[1...]
            }
        }
        let name = base.joined(separator: ".")
        let why =
            isLeftmostLabel && !isInnerToo
            ? stars > 2 && labels[0].utf8.count == stars
                ? "`*` is one label and `**` one or more" : "`*` stands for a whole label"
            : "`*` stands for the leftmost label only"
        return ScalarProblem(
            .badWildcard, "\(quoted) is not a pattern: \(why)", range: first..<end,
            help: name.isEmpty
                ? []
                : [
                    "`*.\(name)` (one label) or `**.\(name)` (one or more); neither includes "
                        + "`\(name)`"
                ])
    }

    /// The range of the host, with brackets, and the port.
    private static func splitPort(
        _ text: String, _ bytes: [UInt8]
    ) throws(ScalarProblem) -> (host: Range<Int>, port: UInt16?) {
        let colon = UInt8(ascii: ":")
        let whole = 0..<bytes.count
        if bytes[0] == UInt8(ascii: "[") {
            return try splitBrackets(text, bytes)
        }
        guard let at = bytes.firstIndex(of: colon) else { return (whole, nil) }
        // Two or more colons: an IPv6 address, which takes a port only after brackets.
        guard !bytes[(at + 1)...].contains(colon) else { return (whole, nil) }
        guard at > 0 else {
            throw ScalarProblem(
                .badHost, "\(ScalarProblem.quote(text)) has a port but no host", range: 0..<1,
                help: ["write the host before the colon; a pattern without port matches every port"]
            )
        }
        return (0..<at, try scanPort(text, bytes, at + 1..<bytes.count))
    }

    private static func splitBrackets(
        _ text: String, _ bytes: [UInt8]
    ) throws(ScalarProblem) -> (host: Range<Int>, port: UInt16?) {
        let quoted = ScalarProblem.quote(text)
        guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else {
            throw ScalarProblem(
                .badHost, "\(quoted) has a `[` without its `]`", range: 0..<1,
                help: ["an IPv6 address with a port is written `[2001:db8::1]:443`"])
        }
        let inner = String(decoding: bytes[1..<close], as: UTF8.self)
        let rest = String(decoding: bytes[(close + 1)...], as: UTF8.self)
        let help: [String]
        if !inner.utf8.contains(UInt8(ascii: ":")) {
            let message = "\(quoted) has brackets, which are for IPv6 addresses"
            let mended = "\(inner)\(rest)"
            // Without a port the pattern would match every port, and one may be missing.
            throw rest.isEmpty || inner.isEmpty
                ? ScalarProblem(
                    .badHost, message, range: 0..<close + 1,
                    help: inner.isEmpty ? [] : ["write `\(mended)`"])
                : ScalarProblem(.badHost, message, range: 0..<close + 1, write: mended)
        }
        if rest.isEmpty {
            throw ScalarProblem(
                .badHost, "\(quoted) has brackets but no port", range: 0..<close + 1,
                help: ["write `\(inner)`; brackets only part an address from its port"])
        }
        guard bytes[close + 1] == UInt8(ascii: ":") else {
            if rest.hasPrefix("/") {
                let prefix = rest.prefix { $0 != ":" }
                let port = rest.dropFirst(prefix.count)
                help =
                    port.isEmpty
                    ? ["write `\(inner)\(prefix)`"] : ["write `[\(inner)\(prefix)]\(port)`"]
            } else {
                help = ["write `[\(inner)]:PORT`"]
            }
            throw ScalarProblem(
                .badHost, "\(quoted) has no `:` and port after its `]`",
                range: close + 1..<bytes.count, help: help)
        }
        return (1..<close, try scanPort(text, bytes, close + 2..<bytes.count))
    }

    private static func scanPort(
        _ text: String, _ bytes: [UInt8], _ range: Range<Int>
    ) throws(ScalarProblem) -> UInt16 {
        let quoted = ScalarProblem.quote(text)
        let before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        let everyPort = "`\(before.dropLast())` matches every port"
        switch DecimalNumber.read(bytes[range]) {
        case .value(let value):
            guard let port = UInt16(exactly: value), port > 0 else {
                throw ScalarProblem(
                    .badHost, "\(quoted) has the port \(value); ports are 1 to 65535", range: range,
                    help: ["write the port of the service, or none: \(everyPort)"])
            }
            return port
        case .tooLarge:
            throw ScalarProblem(
                .badHost, "\(quoted) has a port beyond 65535; ports are 1 to 65535", range: range,
                help: ["write the port of the service, or none: \(everyPort)"])
        case .leadingZero:
            let port = DecimalNumber.withoutLeadingZeros(bytes[range])
            throw ScalarProblem(
                .badHost, "\(quoted) has a port that begins with a zero", range: range,
                write: "\(before)\(port)")
        case .notDigit:
            let written = String(decoding: bytes[range], as: UTF8.self)
            if written == "*" || written.isEmpty {
                throw ScalarProblem(
                    .badHost,
                    "\(quoted) has \(written.isEmpty ? "no port after its colon" : "`*` for a port")",
                    range: range.lowerBound - 1..<range.upperBound,
                    help: [everyPort])
            }
            throw ScalarProblem(
                .badHost,
                "\(quoted) has the port \(ScalarProblem.quote(written)), which is not a number from "
                    + "1 to 65535",
                range: range,
                help: [portHelp(written, before) ?? "write its number, or none: \(everyPort)"])
        }
    }

    /// What to write for a port that is not a number; nil where the port is not known.
    private static func portHelp(_ written: String, _ before: String) -> String? {
        if written.utf8.contains(UInt8(ascii: "-")) { return "list the ports, a pattern each" }
        if let port = HostURL.port(of: "\(written)://") { return "write `\(before)\(port)`" }
        let digits = written.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == written.count - 1, written.hasSuffix("."),
            case .value(1...65_535) = DecimalNumber.read(Array(digits.utf8)[...])
        else { return nil }
        return "write `\(before)\(digits)`"
    }

    /// Whether the last label is a number, so that the text can only be meant as an address.
    private static func looksLikeIPv4(_ host: ArraySlice<UInt8>) -> Bool {
        let last = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last
        guard let last, host.allSatisfy({ $0 != UInt8(ascii: "*") }) else { return false }
        return DomainName.looksLikeNumber(Array(last))
            && host.allSatisfy { DecimalNumber.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    /// HW203 for text with a scheme, path, query, fragment or user name.
    private static func refuseURL(
        _ text: String, _ bytes: [UInt8], _ field: Field
    ) throws(ScalarProblem) {
        if let problem = HostURL.spiffeProblem(of: text, in: field) { throw problem }
        let quoted = ScalarProblem.quote(text)
        var rest = bytes[...]
        var what: String?
        var fault = 0..<bytes.count
        var (isURL, hasPath, hasUser) = (false, false, false)
        if let scheme = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[scheme...].starts(with: "://".utf8)
        {
            rest = bytes[(scheme + 3)...]
            what = "is a URL"
            isURL = true
            fault = 0..<scheme + 3
        }
        var isNetwork = false
        let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        if let end = rest.firstIndex(where: isEnd) {
            what = what ?? "has a query or a fragment, as a URL has"
            if fault == 0..<bytes.count { fault = end..<bytes.count }
            rest = rest[..<end]
        }
        if let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            // `10.0.0.0/8` and `[fd00::/8]:443` have a prefix, not a path. A path may follow it.
            let before = rest[..<slash]
            isNetwork =
                !isURL
                && (before.contains(UInt8(ascii: ":")) || before.first == UInt8(ascii: "[")
                    || looksLikeIPv4(before))
                && !isPort(before)
            let path = isNetwork ? rest[(slash + 1)...].firstIndex(of: UInt8(ascii: "/")) : slash
            if let path {
                what = what ?? "has a path"
                hasPath = rest.endIndex > path + 1
                if fault == 0..<bytes.count { fault = path..<bytes.count }
                rest = rest[..<path]
            }
        }
        let end = bytes[rest.endIndex...]
        let isCertain = !mayBelong(end)
        if isNetwork, what != nil {
            do throws(ScalarProblem) {
                _ = try scan(String(decoding: rest, as: UTF8.self), in: field)
            } catch {
                var problem = error
                if !isCertain { (problem.replacement, problem.help) = (nil, []) }
                throw problem
            }
        }
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            what = what ?? "has a user name"
            if fault == 0..<bytes.count { fault = 0..<at + 1 }
            rest = rest[(at + 1)...]
            hasUser = true
        }
        guard let what else { return }
        let named = field == .hosts ? rest : withoutPort(rest)
        let written = String(decoding: named, as: UTF8.self)
        let isBracketed = written.hasPrefix("[") && written.hasSuffix("]")
        let host = isBracketed ? String(written.dropFirst().dropLast()) : written
        var help = host.isEmpty ? [] : ["write `\(host)`\(isCertain ? "" : condition(end))"]
        // `good.example@other.example` means `other.example`, which few authors expect. A prefix or
        // a port is never left out by a fix, and brackets may have lost their port.
        let isWhole =
            isCertain && named.count == rest.count && !(isBracketed && field == .hosts)
            && !(isNetwork && field == .exactNames)
        var replacement = host.isEmpty || hasUser || !isWhole ? nil : host
        // A pattern without a port applies to every port, and the URL was for one port.
        if field == .hosts, isURL, !host.isEmpty, isBracketed || !written.contains(":") {
            let port = HostURL.port(of: text).map(String.init) ?? "PORT"
            help = [
                "write `\(written):\(port)` for the port of the URL, or `\(host)` for every port"
            ]
            replacement = nil
        }
        // A certificate can present the whole URL as a URI name, or its host as a DNS name.
        if field == .exactNames, isURL, hasPath, !host.isEmpty {
            help = ["write `\(host)` for the name, or the URI under `identity.uri`"]
            replacement = nil
        }
        throw ScalarProblem(
            .urlNotHost, "\(quoted) \(what); a host pattern is a name or an address and a port",
            range: fault, help: help, replacement: replacement)
    }

    /// Whether the end of a text, from its path, query or fragment on, may be meant as a prefix, a
    /// port or another host.
    private static func mayBelong(_ end: ArraySlice<UInt8>) -> Bool {
        let marks = Array("/?#".utf8)
        let first = end.drop { marks.contains($0) }.prefix { !marks.contains($0) }
        return !first.isEmpty && first.allSatisfy { DecimalNumber.isDigit($0) }
            || end.contains { $0 <= 0x20 || Array(":,;|@]".utf8).contains($0) }
    }

    /// The condition under which the end of a text names nothing that a pattern can hold.
    private static func condition(_ end: ArraySlice<UInt8>) -> String {
        let kind: String
        switch end.first {
        case UInt8(ascii: "?"): kind = "query"
        case UInt8(ascii: "#"): kind = "fragment"
        default: kind = "path"
        }
        return " if \(ScalarProblem.quote(String(decoding: end, as: UTF8.self))) is a \(kind)"
    }

    /// Whether the bytes are a name, an IPv4 address or an address in brackets, a colon and digits.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            bytes[(colon + 1)...].allSatisfy({ DecimalNumber.isDigit($0) })
        else { return false }
        let host = bytes[..<colon]
        return host.first == UInt8(ascii: "[")
            ? host.firstIndex(of: UInt8(ascii: "]")) == colon - 1
            : !host.contains(UInt8(ascii: ":"))
    }

    /// The host of a URL without its port, for names that have none.
    private static func withoutPort(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if host.first == UInt8(ascii: "["), let close = host.firstIndex(of: UInt8(ascii: "]")) {
            return host[...close]
        }
        return isPort(host) ? host.prefix { $0 != UInt8(ascii: ":") } : host
    }

    private static func refuseSpaces(_ text: String, _ bytes: [UInt8]) throws(ScalarProblem) {
        guard let at = bytes.firstIndex(where: { $0 <= 0x20 || $0 == UInt8(ascii: ",") }) else {
            return
        }
        let isComma = bytes[at] == UInt8(ascii: ",")
        throw ScalarProblem(
            .badHost,
            "\(ScalarProblem.quote(text)) has a \(isComma ? "comma" : "space") in it; an item of "
                + "the list is one pattern",
            range: at..<at + 1, help: ["write each pattern in quotes of its own, without spaces"])
    }
}

import TrustEngine

/// What OkHttp's `CertificatePinner` demands of a host.
///
/// Sources, `CertificatePinner` of square/okhttp at its release tags, and its change logs:
///
/// - A host that no pattern matches is accepted: `check` returns when `findMatchingPins` is empty.
/// - The pins of every pattern that matches are united: `findMatchingPins`.
/// - A key anywhere in the cleaned chain matches, the trusted root included: `check`.
/// - `*.name` is exactly one label before the name: `Pin.matches`, all versions. Before 4.3.0 the
///   host without a dot counts as the part behind its first label, so `*.name` matches a `name` of
///   one label, too.
/// - `**.name` is the name itself and any labels before it, from 4.3.0 on (`parent-4.3.0`, change
///   log of 2019-12-31). Before, `**.name` is one name with two asterisks, which no host has.
/// - Patterns are made canonical from 3.4.0 on: lower case, and labels in their ASCII form. Before,
///   they are compared as they are written, and hosts of URLs are in lower case.
/// - From 4.3.0 on, other asterisks, and names with characters that no host has, stop the program.
///   From 3.4.0 to 4.2, the pattern is read as the rest of a URL: a path, a port and a user's name
///   are cut off.
/// - `sha1/` and `sha256/` stand before a digest from 3.2.0 on, and only `sha1/` before. Okio reads
///   base64 without padding, too. Digests of other lengths are taken and match no key.
package struct OkHttpModel: PinListModel {
    /// A version, of which only the first two numbers count.
    package struct Version: Comparable, Sendable {
        package let major: Int
        package let minor: Int

        package init(_ major: Int, _ minor: Int) {
            self.major = major
            self.minor = minor
        }

        /// A version as `4`, `4.12` or `4.12.0`. A major version stands for its last minor one. Nil
        /// for other texts, and for versions without `sha256/`.
        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let numbers = parts.map { part in
                part.utf8.count < 4 && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil
            }
            guard (1...3).contains(parts.count), !numbers.contains(nil), let major = numbers[0],
                (3...99).contains(major)
            else { return nil }
            self.major = major
            minor = parts.count > 1 ? numbers[1] ?? 0 : 999
            guard self >= Version(3, 2) else { return nil }
        }

        package static func < (left: Version, right: Version) -> Bool {
            (left.major, left.minor) < (right.major, right.minor)
        }

        var normalises: Bool { self >= Version(3, 4) }
        var readsDoubleStar: Bool { self >= Version(4, 3) }
    }

    package let file: PinListFile
    let version: Version
    package var readersDiffer: Bool { false }

    package init(_ file: PinListFile, _ version: Version) {
        self.file = file
        self.version = version
    }

    package func deciding(_ host: String) -> [Int] {
        file.entries.indices.filter { matches(file.entries[$0], host) }
    }

    private func matches(_ entry: PinEntry, _ host: String) -> Bool {
        guard let domain = entry.domain else { return false }
        switch entry.reach {
        case .exact: return host == domain
        case .apexAndBelow: return host == domain || host.hasSuffix("." + domain)
        case .oneLabel:
            guard let dot = host.firstIndex(of: ".") else {
                return !version.readsDoubleStar && host == domain
            }
            return host[host.index(after: dot)...] == domain
        }
    }

    // MARK: Patterns

    /// What a version makes of the text of a pattern.
    enum Pattern: Hashable {
        case hosts(domain: String, PinEntry.Reach)
        /// A pattern that the version takes and that matches nothing.
        case noHost(String)
        /// A pattern that stops the program.
        case refused(String)
    }

    /// Reads a pattern.
    static func pattern(_ text: String, _ version: Version) -> Pattern {
        var name = Substring(text)
        var reach = PinEntry.Reach.exact
        if name.hasPrefix("**."), version.readsDoubleStar {
            name = name.dropFirst(3)
            reach = .apexAndBelow
        } else if name.hasPrefix("*.") {
            name = name.dropFirst(2)
            reach = .oneLabel
        }
        if version.readsDoubleStar {
            guard !name.contains("*") else {
                return .refused("`*.` or `**.` stands at the beginning, without another asterisk")
            }
        } else if version.normalises {
            guard let host = hostOfURL(name) else {
                return .refused("the pattern is not the host of a URL")
            }
            name = host
        }
        if name.contains("*") {
            return .noHost(
                text.hasPrefix("**.")
                    ? "`**.` is read from OkHttp 4.3 on: write `*.`, or name the version with "
                        + "`--okhttp`"
                    : "only `*.` at the beginning stands for names: write the names")
        }
        guard !name.isEmpty else { return .refused("the pattern has no name") }
        let isAddress = name.contains(":")
        if version.readsDoubleStar || version.normalises {
            let marks = isAddress ? " #%/?@\\" : " #%/:?@[\\]"
            guard
                !name.unicodeScalars.contains(where: { scalar in
                    scalar.value < 0x20 || scalar.value == 0x7F
                        || marks.unicodeScalars.contains(scalar)
                })
            else { return .refused("the pattern holds a character that no host has") }
        }
        if isAddress, name.hasPrefix("["), name.hasSuffix("]") {
            name = name.dropFirst().dropLast()
        }
        let written = String(name)
        if isAddress, version.readsDoubleStar, IPAddress(text: written) == nil {
            return .refused("the pattern has a port, or is not an address")
        }
        let canonical = version.normalises ? ForeignHosts.canonical(written) : written
        guard let canonical, let host = ForeignHosts.exact(canonical) else {
            return .noHost(reason(written, version))
        }
        return .hosts(domain: host, reach)
    }

    private static func reason(_ name: String, _ version: Version) -> String {
        if name.hasSuffix(".") { return "only a host that is written with the dot matches it" }
        if !version.normalises, name.lowercased() != name {
            return "OkHttp before 3.4 compares the pattern as it is written: write lower case"
        }
        return "write a host name, or a name behind `*.` or `**.`"
    }

    /// The host of a text that stands behind `http://`; nil where a URL has none.
    private static func hostOfURL(_ text: Substring) -> Substring? {
        var host = text
        if let end = host.firstIndex(where: { "/\\?#".contains($0) }) { host = host[..<end] }
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        let searched = host.lastIndex(of: "]").map { host[$0...] } ?? host
        if let colon = searched.firstIndex(of: ":") {
            let port = host[host.index(after: colon)...]
            guard port.isEmpty || (Int(port).map { (1...65_535).contains($0) } ?? false) else {
                return nil
            }
            host = host[..<colon]
        }
        return host.isEmpty ? nil : decoded(host)
    }

    /// A text with `%41` as `A`. A `%` without two digits stays.
    private static func decoded(_ text: Substring) -> Substring {
        guard text.contains("%") else { return text }
        let octets = Array(text.utf8)
        var made: [UInt8] = []
        var at = 0
        while at < octets.count {
            let digits = octets[min(at + 1, octets.count)..<min(at + 3, octets.count)]
            if octets[at] == UInt8(ascii: "%"), digits.count == 2,
                digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let octet = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                made.append(octet)
                at += 3
            } else {
                made.append(octets[at])
                at += 1
            }
        }
        return Substring(String(decoding: made, as: UTF8.self))
    }
}

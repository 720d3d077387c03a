import PolicyCompiler
package import TrustEngine

/// A policy that an import writes: the parts of the language that other systems' files have words
/// for.
package struct WrittenPolicy: Hashable, Sendable {
    /// A set of trust anchors.
    package struct AnchorSet: Hashable, Sendable {
        package let id: String
        /// The paths of its files, from the unit's root. Empty for `system` under constraints.
        package var files: [String] = []
        package var kind = AnchorKind.root
        /// Whether no certificate can meet the set's constraints: hosts without anchors.
        package var acceptsNothing = false
        /// The patterns of the names that the set may vouch for; empty for every name.
        package var permittedNames: [String] = []
        /// `web-pki` or `rfc5280`; nil for the standard of the set's kind.
        package var standard: String?
        /// The last instant at which the validity of a leaf may begin.
        package var issuedUntil: UTCInstant?
        package let note: String
    }

    /// A key of a pin set.
    package struct Pin: Hashable, Sendable {
        /// The SHA-256 digest of the key in base64, or of the certificate in hexadecimal.
        package let digest: String
        /// `any`, `leaf`, `ca` or `anchor`.
        package let at: String
        /// Whether the digest is of the whole certificate.
        package var isOfCertificate = false

        /// The digest that no key has. It stands where the file has no second key.
        package static func none(at position: String) -> Pin {
            Pin(digest: Base64.encode([UInt8](repeating: 0, count: 32)), at: position)
        }
    }

    /// A set of pins of which one must match.
    package struct PinSet: Hashable, Sendable {
        package let id: String
        /// At least one, each once.
        package let pins: [Pin]
        /// The last instant at which the set holds; nil for a set without an end.
        package let end: UTCInstant?
        package let note: String
    }

    /// A certificate or a key that no accepted path holds.
    package struct Forbidden: Hashable, Sendable {
        package let id: String
        /// The key match: `certificate: sha256:…` or `spki: sha256/…`.
        package let match: String
    }

    /// The names of which a certificate must present one, in place of the host.
    package struct Names: Hashable, Sendable {
        package var dns: [String] = []
        package var ip: [String] = []
        package var email: [String] = []
        /// URI patterns.
        package var uri: [String] = []
        package var isEmpty: Bool {
            dns.isEmpty && ip.isEmpty && email.isEmpty && uri.isEmpty
        }

        package init(
            dns: [String] = [], ip: [String] = [], email: [String] = [], uri: [String] = []
        ) {
            self.dns = dns
            self.ip = ip
            self.email = email
            self.uri = uri
        }
    }

    /// A waiver of a check that has no value of its own, or of `expired`.
    package struct Waiver: Hashable, Sendable {
        /// The checks that imports waive, in the order in which they are written.
        package enum Check: String, Hashable, Sendable {
            case identity, path, expired
        }
        package let check: Check
        package let reason: String
    }

    /// The demands of a rule.
    package struct Body: Hashable, Sendable {
        package var anchors: [String] = []
        package var pins: [String] = []
        package var forbidden: [Forbidden] = []
        /// Nil for the host.
        package var names: Names?
        package var waivers: [Waiver] = []
        /// Whether TLS 1.3 is refused.
        package var refusesTLS13 = false
        /// IANA's names of all permitted cipher suites; empty for the library's.
        package var cipherSuites: [String] = []
        /// The floor of TLS where it is above the baseline.
        package var needsTLS13 = false
        package var needsForwardSecrecy = false
        /// The version below TLS 1.2 that a waiver permits: `tls1.0` or `tls1.1`.
        package var waivedTLS: String?
        /// The reasons of waivers.
        package var waivedTLSReason = ""
        package var cleartextReason: String?
        package var note: String?
    }

    /// A rule.
    package struct Rule: Hashable, Sendable {
        package let id: String
        /// Canonical patterns.
        package let hosts: [String]
        package let body: Body
    }

    /// The lines above the policy, without `#`.
    package var heading: [String] = []
    /// Nil for `deny`.
    package var defaultBody: Body?
    package var anchorSets: [AnchorSet] = []
    package var pinSets: [PinSet] = []
    package var rules: [Rule] = []
    /// The owner of every rule; nil if no owner was named.
    package var owner: String?

    package init() {}
}

extension WrittenPolicy {
    /// The last day of a waiver. The files permit without an end.
    private static let openEnd = "9999-12-31"
    /// The tolerance of a waiver of `expired` without an end: a hundred years.
    private static let ages = "36500d"
    /// The owner of waivers if no owner was named.
    private static let noOwner = "unassigned"

    /// The text of `policy.yaml`, in the canonical layout.
    package var text: String {
        var lines = heading.map { $0.isEmpty ? "#" : "# \($0)" }
        lines.append("hawser: 1")
        if let defaultBody {
            lines += ["default:"] + fields(of: defaultBody, indent: "  ")
        } else {
            lines.append("default: deny")
        }
        if !anchorSets.isEmpty { lines += ["anchors:"] + anchorSets.flatMap(self.lines) }
        if !pinSets.isEmpty { lines += ["pins:"] + pinSets.flatMap(self.lines) }
        if !rules.isEmpty {
            lines.append("rules:")
            for rule in rules {
                lines += ["  \(rule.id):", "    hosts:"]
                lines += rule.hosts.map { "      - \"\($0)\"" }
                lines += fields(of: rule.body, indent: "    ")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func lines(of set: AnchorSet) -> [String] {
        var lines = ["  \(set.id):"]
        if set.files.isEmpty {
            lines.append("    include: [system]")
        } else {
            lines += ["    files:"] + set.files.map { "      - \($0)" }
        }
        if set.kind != .root { lines.append("    kind: \(set.kind.name)") }
        if let standard = set.standard { lines.append("    standard: \(standard)") }
        let names = set.acceptsNothing ? ["nothing.invalid"] : set.permittedNames
        if !names.isEmpty || set.issuedUntil != nil { lines.append("    constraints:") }
        if !names.isEmpty {
            lines += ["      permitted-names:"] + names.map { "        - \"\($0)\"" }
        }
        if let until = set.issuedUntil { lines.append("      not-before: { until: \(until) }") }
        lines.append("    note: \(quoted(set.note))")
        return lines
    }

    private func lines(of set: PinSet) -> [String] {
        var lines = ["  \(set.id):", "    keys:"]
        func entry(_ number: Int, _ pin: Pin) -> String {
            let position = pin.at == "any" ? "" : ", at: \(pin.at)"
            if pin.isOfCertificate {
                return "      pin-\(number):\n        certificate: sha256:\(pin.digest)"
                    + (pin.at == "any" ? "" : "\n        at: \(pin.at)")
            }
            return "      pin-\(number): { spki: sha256/\(pin.digest)\(position) }"
        }
        lines.append(entry(1, set.pins[0]))
        lines.append("    backups:")
        if set.pins.count == 1 {
            let none = Pin.none(at: set.pins[0].at)
            lines.append("      # The file has one pin. Put the digest of a spare key here.")
            lines.append(entry(2, none))
        }
        for (index, pin) in set.pins.enumerated().dropFirst() {
            lines.append(entry(index + 1, pin))
        }
        if let end = set.end {
            lines += ["    enforce-until: \(end)", "    on-expiry: unpinned"]
        }
        lines.append("    note: \(quoted(set.note))")
        return lines
    }

    private func fields(of body: Body, indent: String) -> [String] {
        var lines = ["\(indent)anchors: [\(body.anchors.joined(separator: ", "))]"]
        if !body.pins.isEmpty {
            lines.append("\(indent)pins: [\(body.pins.joined(separator: ", "))]")
        }
        if let names = body.names { lines += self.lines(of: names, indent: indent) }
        var tls: [String] = []
        if body.needsTLS13 { tls.append("minimum-version: tls1.3") }
        if body.refusesTLS13 { tls.append("maximum-version: tls1.2") }
        if body.needsForwardSecrecy { tls.append("forward-secrecy: required") }
        if !body.cipherSuites.isEmpty {
            lines.append("\(indent)tls:")
            lines += tls.map { "\(indent)  \($0)" } + ["\(indent)  cipher-suites:"]
            lines += body.cipherSuites.map { "\(indent)    - \($0)" }
        } else if !tls.isEmpty {
            lines.append("\(indent)tls: { \(tls.joined(separator: ", ")) }")
        }
        if !body.forbidden.isEmpty {
            lines.append("\(indent)forbidden-keys:")
            for key in body.forbidden {
                lines += [
                    "\(indent)  \(key.id):", "\(indent)    \(key.match)",
                ]
            }
        }
        if let owner { lines.append("\(indent)owner: \(quoted(owner))") }
        if let note = body.note { lines.append("\(indent)note: \(quoted(note))") }
        guard body.cleartextReason != nil || body.waivedTLS != nil || !body.waivers.isEmpty else {
            return lines
        }
        lines.append("\(indent)waivers:")
        for waiver in body.waivers {
            let own = waiver.check == .expired ? ["tolerance: \(Self.ages)"] : []
            lines += entry(waiver.check.rawValue, own + terms(waiver.reason), indent: indent)
        }
        if let version = body.waivedTLS {
            lines += entry(
                "tls", ["minimum-version: \(version)"] + terms(body.waivedTLSReason),
                indent: indent)
        }
        if let reason = body.cleartextReason {
            lines += entry("cleartext", terms(reason), indent: indent)
        }
        return lines
    }

    /// A waiver: on one line where it fits, as the formatter writes it.
    private func entry(_ key: String, _ fields: [String], indent: String) -> [String] {
        let line = "\(indent)  \(key): { \(fields.joined(separator: ", ")) }"
        guard line.utf8.count > 100 else { return [line] }
        return ["\(indent)  \(key):"] + fields.map { "\(indent)    \($0)" }
    }

    private func lines(of names: Names, indent: String) -> [String] {
        var lines = ["\(indent)identity:", "\(indent)  reference: listed"]
        func list(_ key: String, _ texts: [String], _ write: (String) -> String) {
            guard !texts.isEmpty else { return }
            let items = texts.map(write)
            let line = "\(indent)  \(key): [\(items.joined(separator: ", "))]"
            guard line.utf8.count > 100 else {
                lines.append(line)
                return
            }
            lines.append("\(indent)  \(key):")
            lines += items.map { "\(indent)    - \($0)" }
        }
        list("dns", names.dns) { AmbiguousScalar.problem(of: $0) == nil ? $0 : quoted($0) }
        list("ip", names.ip) { $0.contains(":") ? "\"\($0)\"" : $0 }
        list("email", names.email) { quoted($0) }
        list("uri", names.uri) { quoted($0) }
        return lines
    }

    private func terms(_ reason: String) -> [String] {
        [
            "reason: \(quoted(reason))", "owner: \(quoted(owner ?? Self.noOwner))",
            "until: \(Self.openEnd)",
        ]
    }

    /// A text in double quotes. Characters that need an escape become `_`.
    private func quoted(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(900).map { scalar in
            scalar.value >= 0x20 && scalar.value < 0x7F && scalar != "\"" && scalar != "\\"
                ? Character(scalar) : "_"
        }
        return "\"\(String(safe))\""
    }
}

/// Makes ids of the language from names of other systems, each once.
package struct WrittenIDs {
    private var used: Set<String> = ["system", "pinned-keys", "nothing"]
    /// The last number behind each id, so that many equal names take linear time.
    private var numbers: [String: Int] = [:]

    package init() {}

    /// An id for a name: its letters and digits, with `-` between them.
    package mutating func id(_ name: String, prefix: String = "") -> String {
        var slug: [UInt8] = Array(prefix.utf8)
        for byte in name.utf8 where slug.count < 50 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                slug.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): slug.append(byte | 0x20)
            default: if slug.last != UInt8(ascii: "-"), !slug.isEmpty { slug.append(0x2D) }
            }
        }
        while slug.last == UInt8(ascii: "-") { slug.removeLast() }
        var text = String(decoding: slug, as: UTF8.self)
        if !(slug.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false) {
            text = text.isEmpty ? "host" : "host-\(text)"
        }
        if AmbiguousScalar.problem(of: text) != nil { text = "host-\(text)" }
        return unused(text)
    }

    /// An id as it is, with a number behind it if it is in use.
    package mutating func unused(_ text: String) -> String {
        var candidate = text
        while !used.insert(candidate).inserted {
            let number = numbers[text, default: 1] + 1
            numbers[text] = number
            candidate = "\(text)-\(number)"
        }
        return candidate
    }
}

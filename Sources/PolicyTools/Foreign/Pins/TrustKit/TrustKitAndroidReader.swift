import PolicyCompiler
import TrustEngine

/// Reads what TrustKit-Android takes of `network_security_config.xml`, which is not what Android
/// takes of it.
///
/// Source: `TrustKitConfigurationParser` and `DomainPinningPolicy` of datatheorem/TrustKit-Android:
/// of several `domain` in one `domain-config` the last counts; each value that a `domain-config`
/// does not state comes from the one around it; `trustkit-config` without `enforcePinning` switches
/// enforcement off; a `domain-config` without pins is skipped.
struct TrustKitAndroidReader {
    private var file = PinListFile()
    private let takesAll: Bool

    /// What a `domain-config` comes to, with the values of the one around it.
    private struct Config {
        var includesSubdomains: Bool?
        var pins: [ForeignPin]?
        var texts: Set<String> = []
        var end: NSCFile.Day?
        var isEnforced: Bool?
    }

    static func read(_ bytes: [UInt8], takesAll: Bool) throws(ForeignError) -> PinListFile {
        let root = try MarkupReader.root(of: bytes)
        var reader = TrustKitAndroidReader(takesAll: takesAll)
        // Elements lie at most `MarkupReader.deepest` inside each other.
        var waiting: [(element: MarkupElement, parent: Config)] = []
        func nested(_ element: MarkupElement, _ parent: Config) {
            for child in element.elements.reversed() where child.name == "domain-config" {
                waiting.append((child, parent))
            }
        }
        nested(root, Config())
        while let (element, parent) = waiting.popLast() {
            nested(element, try reader.config(element, parent))
        }
        var names: Set<String> = []
        for entry in reader.file.entries where !names.insert(entry.name).inserted {
            throw refused("the domain `\(entry.name)` stands twice", entry.range)
        }
        return reader.file
    }

    private init(takesAll: Bool) { self.takesAll = takesAll }

    private mutating func config(
        _ element: MarkupElement, _ parent: Config
    ) throws(ForeignError) -> Config {
        var config = Config()
        var domain: (name: String, range: Range<Int>)?
        for child in element.elements {
            switch child.name {
            case "domain":
                if let domain {
                    file.note(
                        .ignoredByTarget,
                        "TrustKit takes the last `domain` of a `domain-config`, and not "
                            + "`\(domain.name)`", at: domain.range,
                        help: ["write a `domain-config` for each domain"])
                }
                domain = (Self.text(of: child), child.range)
                config.includesSubdomains = child.attribute("includeSubdomains").map(Self.isTrue)
            case "pin-set": try pins(child, &config)
            case "trustkit-config":
                config.isEnforced = child.attribute("enforcePinning").map(Self.isTrue) ?? false
            default: continue
            }
        }
        config.includesSubdomains = config.includesSubdomains ?? parent.includesSubdomains
        if config.pins == nil {
            config.pins = parent.pins
            config.texts = parent.texts
        }
        config.end = config.end ?? parent.end
        config.isEnforced = config.isEnforced ?? parent.isEnforced
        guard let pins = config.pins else { return config }
        guard let domain else {
            throw Self.refused(
                "a `<domain-config>` with pins and without `<domain>`", element.nameRange)
        }
        try add(domain, config, pins)
        return config
    }

    private mutating func add(
        _ domain: (name: String, range: Range<Int>), _ config: Config, _ pins: [ForeignPin]
    ) throws(ForeignError) {
        var entry = PinEntry(
            name: domain.name, range: domain.range, domain: ForeignHosts.exact(domain.name),
            reach: config.includesSubdomains == true ? .apexAndBelow : .exact,
            help: "names are compared as they are written: write lower case, without stars")
        entry.isEnforced = config.isEnforced ?? false
        if entry.isEnforced, config.texts.count < 2 {
            throw Self.refused("`\(domain.name)` has fewer than two pins", domain.range)
        }
        if takesAll, !entry.isEnforced {
            entry.isEnforced = true
            file.note(
                .pinsOnlyReported,
                "the pins of `\(domain.name)` are not enforced, and the policy enforces them "
                    + "(`--enforce`)", at: domain.range)
        }
        // A set without pins demands nothing.
        guard !pins.isEmpty else { return }
        entry.pins = pins
        if let day = config.end {
            entry.end = day.midnights?.last
            entry.endIsLocal = true
            entry.endRange = day.range
        }
        file.entries.append(entry)
    }

    private mutating func pins(
        _ element: MarkupElement, _ config: inout Config
    ) throws(ForeignError) {
        if let attribute = element.attribute("expiration") {
            guard let day = ForeignText.day(attribute.value, at: attribute.valueRange) else {
                throw Self.refused(
                    "`\(attribute.value)` is not a day; `expiration` takes YYYY-MM-DD",
                    attribute.valueRange)
            }
            config.end = day
        }
        var pins: [ForeignPin] = []
        for child in element.elements where child.name == "pin" {
            guard child.attribute("digest")?.value == "SHA-256" else {
                throw Self.refused("a pin without `digest=\"SHA-256\"`", child.nameRange)
            }
            let text = Self.text(of: child)
            let octets = ForeignPinText.octets(of: text.utf8)
            guard let octets, var kind = ForeignPinText.kind(octets) else {
                throw ForeignPinText.refusal(octets, at: child.range)
            }
            if case .digest(let digest) = kind, digest != text {
                kind = .neverMatches(
                    "TrustKit compares this pin as text with `\(digest)`, and it never matches")
            }
            config.texts.insert(text)
            pins.append(ForeignPin(kind: kind, range: child.range, octets: octets))
        }
        config.pins = pins
    }

    private static func refused(_ message: String, _ range: Range<Int>) -> ForeignError {
        ForeignError(.targetRefuses, "TrustKit stops the program: \(message)", at: range)
    }

    /// `Boolean.parseBoolean`.
    private static func isTrue(_ attribute: MarkupAttribute) -> Bool {
        attribute.value.lowercased() == "true"
    }

    /// The text of an element, without blanks at its ends.
    private static func text(of element: MarkupElement) -> String {
        var text = Substring()
        for case .text(let part, _) in element.children { text += part }
        while let first = text.unicodeScalars.first, first.value <= 0x20 {
            text.unicodeScalars.removeFirst()
        }
        while let last = text.unicodeScalars.last, last.value <= 0x20 {
            text.unicodeScalars.removeLast()
        }
        return String(text)
    }
}

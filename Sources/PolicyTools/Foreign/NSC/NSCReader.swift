import PolicyCompiler
import TrustEngine

/// Reads `network_security_config.xml` as Android does: `XmlConfigSource.java` of AOSP
/// (frameworks/base, packages `android.security.net.config`). Each refusal below is one of its
/// `ParserException`s. The parts that it skips are skipped here, and become findings.
package struct NSCReader {
    private var file = NSCFile()
    private let isDebuggable: Bool
    /// The domains so far. Android refuses a second one of the same name.
    private var domains: [String: Range<Int>] = [:]

    /// Reads a file.
    ///
    /// - Parameter isDebuggable: whether `debug-overrides` is read, as it is for an app that can be
    ///   debugged.
    /// - Throws: HX101 for a file that is not XML, HX102 for one that Android refuses, HX103 for a
    ///   pin that is not a SHA-256 digest.
    package static func read(
        _ bytes: [UInt8], isDebuggable: Bool
    ) throws(ForeignError) -> NSCFile {
        if bytes.starts(with: [0x03, 0x00, 0x08, 0x00]) {
            throw ForeignError(
                .foreignSyntax, "this is compiled XML, as an APK holds it", at: 0..<4,
                help: ["give the source, `app/src/main/res/xml/network_security_config.xml`"])
        }
        let root = try MarkupReader.root(of: bytes)
        if let (scalar, range) = MarkupReader.hidden(in: 0..<bytes.count, of: bytes) {
            throw ForeignError(
                .foreignSyntax,
                "\(HiddenCharacter.name(scalar)), \(HiddenCharacter.kind(scalar)); remove it",
                at: range)
        }
        var reader = NSCReader(isDebuggable: isDebuggable)
        try reader.read(root)
        return reader.file
    }

    private init(isDebuggable: Bool) { self.isDebuggable = isDebuggable }

    private mutating func read(_ root: MarkupElement) throws(ForeignError) {
        guard root.name == "network-security-config" else {
            throw Self.refused(
                "the root is `<\(root.name)>`; it has to be `<network-security-config>`",
                root.nameRange)
        }
        note(attributes: root.attributes, known: [], of: root.name)
        var hasDebug = false
        for element in root.elements {
            switch element.name {
            case "base-config":
                guard file.base == nil else {
                    throw Self.refused("a second `<base-config>`", element.nameRange)
                }
                file.base = try config(element, .base, parent: nil)
            case "domain-config": try domainConfigs(element)
            case "debug-overrides":
                guard !hasDebug else {
                    throw Self.refused("a second `<debug-overrides>`", element.nameRange)
                }
                hasDebug = true
                guard isDebuggable else {
                    file.findings.append(
                        Diagnostic(
                            .debugOnly,
                            "`debug-overrides` holds only for an app that can be debugged, and is "
                                + "not taken over",
                            at: Diagnostic.Label(element.nameRange.foreignSpan),
                            help: ["`--debuggable` imports the file as such an app reads it"]))
                    continue
                }
                file.debug = try config(element, .debug, parent: nil)
            default: ignore(element, in: root.name)
            }
        }
    }

    // MARK: Configurations

    private enum Kind: String {
        case base = "base-config"
        case domain = "domain-config"
        case debug = "debug-overrides"
    }

    /// A `domain-config` with those inside it. Elements lie at most `MarkupReader.deepest` inside
    /// each other.
    private mutating func domainConfigs(_ outermost: MarkupElement) throws(ForeignError) {
        var waiting: [(element: MarkupElement, parent: Int?)] = [(outermost, nil)]
        while let (element, parent) = waiting.popLast() {
            let index = file.domainConfigs.count
            let config = try config(element, .domain, parent: parent)
            guard !config.domains.isEmpty else {
                throw Self.refused("a `<domain-config>` without `<domain>`", element.nameRange)
            }
            file.domainConfigs.append(config)
            let nested = element.elements.filter { $0.name == Kind.domain.rawValue }
            waiting += nested.reversed().map { ($0, index) }
        }
    }

    private mutating func config(
        _ element: MarkupElement, _ kind: Kind, parent: Int?
    ) throws(ForeignError) -> NSCFile.Config {
        var config = NSCFile.Config(range: element.nameRange)
        config.parent = parent
        for attribute in element.attributes {
            switch attribute.name {
            case "cleartextTrafficPermitted":
                config.cleartext = boolean(attribute, otherwise: false)
            case "hstsEnforced": config.enforcesHSTS = boolean(attribute, otherwise: false)
            default: continue
            }
        }
        note(
            attributes: element.attributes,
            known: ["cleartextTrafficPermitted", "hstsEnforced"], of: element.name)
        for child in element.elements {
            switch child.name {
            case "domain":
                guard kind == .domain else {
                    throw Self.refused("`<domain>` inside `<\(kind.rawValue)>`", child.nameRange)
                }
                config.domains.append(try domain(child))
            case "trust-anchors":
                guard config.anchors == nil else {
                    throw Self.refused("a second `<trust-anchors>`", child.nameRange)
                }
                config.anchors = try anchors(child, overridesPins: kind == .debug)
            case "pin-set":
                guard kind == .domain else {
                    throw Self.refused("`<pin-set>` inside `<\(kind.rawValue)>`", child.nameRange)
                }
                guard config.pins == nil else {
                    throw Self.refused("a second `<pin-set>`", child.nameRange)
                }
                config.pins = try pins(child)
            case "domain-config":
                guard kind == .domain else {
                    throw Self.refused(
                        "`<domain-config>` inside `<\(kind.rawValue)>`", child.nameRange)
                }
            case "certificateTransparency":
                note(attributes: child.attributes, known: ["enabled"], of: child.name)
                if let enabled = child.attribute("enabled") {
                    config.demandsTransparency = boolean(enabled, otherwise: true)
                }
            default: ignore(child, in: element.name)
            }
        }
        return config
    }

    private mutating func domain(_ element: MarkupElement) throws(ForeignError) -> NSCFile.Domain {
        let name = try text(of: element, "the name of a domain").lowercased()
        if let first = domains.updateValue(element.range, forKey: name) {
            throw Self.refused(
                "the domain `\(name)` stands twice, and first at octet \(first.lowerBound)",
                element.range)
        }
        note(attributes: element.attributes, known: ["includeSubdomains"], of: element.name)
        let includes = element.attribute("includeSubdomains").map {
            boolean($0, otherwise: false)
        }
        return NSCFile.Domain(
            name: name, includesSubdomains: includes ?? false, range: element.range)
    }

    private mutating func anchors(
        _ element: MarkupElement, overridesPins: Bool
    ) throws(ForeignError) -> [NSCFile.Anchor] {
        note(attributes: element.attributes, known: [], of: element.name)
        var anchors: [NSCFile.Anchor] = []
        for child in element.elements {
            guard child.name == "certificates" else {
                ignore(child, in: element.name)
                continue
            }
            note(attributes: child.attributes, known: ["src", "overridePins"], of: child.name)
            guard let source = child.attribute("src") else {
                throw Self.refused("`<certificates>` without `src`", child.nameRange)
            }
            let overrides = child.attribute("overridePins").map {
                boolean($0, otherwise: overridesPins)
            }
            anchors.append(
                NSCFile.Anchor(
                    source: try self.source(source), overridesPins: overrides ?? overridesPins,
                    range: child.range))
        }
        return anchors
    }

    private func source(
        _ attribute: MarkupAttribute
    ) throws(ForeignError) -> NSCFile.Anchor.Source {
        switch attribute.value {
        case "system": return .system
        case "user": return .user
        default:
            let name = attribute.value.dropFirst()
            let isName = name.utf8.allSatisfy {
                "_./:".utf8.contains($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
            }
            guard attribute.value.hasPrefix("@"), name.contains("/"), isName,
                !name.contains("..")
            else {
                throw Self.refused(
                    "`\(attribute.value)` is not `system`, `user` or a resource such as "
                        + "`@raw/my_ca`", attribute.valueRange)
            }
            return .resource(String(name))
        }
    }

    // MARK: Pins

    private mutating func pins(_ element: MarkupElement) throws(ForeignError) -> NSCFile.PinSet {
        note(attributes: element.attributes, known: ["expiration"], of: element.name)
        var set = NSCFile.PinSet(range: element.nameRange)
        if let attribute = element.attribute("expiration") { set.end = try day(attribute) }
        for child in element.elements {
            guard child.name == "pin" else {
                ignore(child, in: element.name)
                continue
            }
            note(attributes: child.attributes, known: ["digest"], of: child.name)
            let algorithm = child.attribute("digest")
            guard let algorithm, algorithm.value.lowercased() == "sha-256" else {
                throw ForeignError(
                    .foreignPin,
                    algorithm.map { "`\($0.value)` is not a digest of pins; it is `SHA-256`" }
                        ?? "a pin without `digest=\"SHA-256\"`",
                    at: algorithm?.valueRange ?? child.nameRange)
            }
            let text = try text(of: child, "a pin")
            let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
            guard let digest = ForeignHosts.digest(String(decoding: digits, as: UTF8.self)) else {
                throw ForeignError(
                    .foreignPin,
                    "this pin is not the base64 text of 32 octets, as a SHA-256 digest is",
                    at: child.range, help: ["`hawser pin FILE` prints the pin of a key"])
            }
            set.pins.append(NSCFile.Pin(digest: digest, range: child.range))
        }
        return set
    }

    /// A day as `SimpleDateFormat("yyyy-MM-dd")` reads it without leniency: numbers of any length,
    /// and anything behind them.
    private mutating func day(_ attribute: MarkupAttribute) throws(ForeignError) -> NSCFile.Day {
        var numbers: [Int] = []
        var rest = attribute.value.utf8[...]
        for position in 0..<3 {
            let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            guard let number = Int(String(decoding: digits, as: UTF8.self)), digits.count < 9 else {
                break
            }
            numbers.append(number)
            rest = rest.dropFirst(digits.count)
            if position < 2 {
                guard rest.first == UInt8(ascii: "-") else { break }
                rest = rest.dropFirst()
            }
        }
        guard numbers.count == 3, (1...12).contains(numbers[1]), numbers[2] >= 1,
            numbers[2] <= UTCInstant.daysIn(month: numbers[1], year: min(numbers[0], 9999))
        else {
            throw Self.refused(
                "`\(attribute.value)` is not a day; `expiration` takes YYYY-MM-DD",
                attribute.valueRange)
        }
        if !rest.isEmpty {
            file.findings.append(
                Diagnostic(
                    .ignoredByTarget,
                    "Android ignores the text behind the day in `\(attribute.value)`",
                    at: Diagnostic.Label(attribute.valueRange.foreignSpan)))
        }
        return NSCFile.Day(
            year: numbers[0], month: numbers[1], day: numbers[2], range: attribute.valueRange)
    }

    // MARK: Parts

    private static func refused(_ message: String, _ range: Range<Int>) -> ForeignError {
        ForeignError(.targetRefuses, "Android refuses the file: \(message)", at: range)
    }

    /// The only text of an element, without blanks at its ends.
    private func text(
        of element: MarkupElement, _ what: String
    ) throws(ForeignError) -> String {
        guard element.children.count == 1, case .text(let text, _) = element.children[0] else {
            throw Self.refused(
                element.children.isEmpty
                    ? "`<\(element.name)>` is empty; \(what) is missing"
                    : "`<\(element.name)>` holds elements or comments; it holds text only",
                element.nameRange)
        }
        let blanks: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r"]
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, blanks.contains(first) { scalars.removeFirst() }
        while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
        guard !scalars.isEmpty else {
            throw Self.refused("`<\(element.name)>` is empty; \(what) is missing", element.range)
        }
        return String(scalars)
    }

    /// The value of a boolean attribute, which `aapt` compiles from `true` and `false`. Android
    /// takes another text for the attribute's default; `otherwise` is the value that accepts less.
    private mutating func boolean(_ attribute: MarkupAttribute, otherwise: Bool) -> Bool {
        switch attribute.value {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default:
            if let number = Int(attribute.value) { return number != 0 }
            file.findings.append(
                Diagnostic(
                    .doubtfulInTarget,
                    "`\(attribute.value)` is neither `true` nor `false`; the policy takes "
                        + "`\(otherwise)`, and Android the default of `\(attribute.name)`",
                    at: Diagnostic.Label(attribute.valueRange.foreignSpan),
                    help: ["write `true` or `false`; the build replaces no text in this file"]))
            return otherwise
        }
    }

    private mutating func ignore(_ element: MarkupElement, in parent: String) {
        file.findings.append(
            Diagnostic(
                .ignoredByTarget, "Android ignores `<\(element.name)>` inside `<\(parent)>`",
                at: Diagnostic.Label(element.nameRange.foreignSpan),
                help: Self.help(ignored: element.name)))
    }

    private static func help(ignored name: String) -> [String] {
        switch name {
        case "trustkit-config", "report-uri":
            return ["only the library TrustKit reads it; the policy does not have it"]
        case "base-config":
            return ["`base-config` belongs directly into `network-security-config`"]
        default: return ["delete it, or correct its name"]
        }
    }

    private mutating func note(
        attributes: [MarkupAttribute], known: Set<String>, of element: String
    ) {
        for attribute in attributes where !known.contains(attribute.name) {
            // Declarations of namespaces and the marks of tools are never settings.
            if attribute.name.hasPrefix("xmlns") || attribute.name.hasPrefix("tools:") { continue }
            file.findings.append(
                Diagnostic(
                    .ignoredByTarget,
                    "Android ignores the attribute `\(attribute.name)` of `<\(element)>`",
                    at: Diagnostic.Label(attribute.range.foreignSpan),
                    help: ["delete it, or correct its name"]))
        }
    }
}

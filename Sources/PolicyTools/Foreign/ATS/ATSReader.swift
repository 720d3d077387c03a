import PolicyCompiler
import TrustEngine

/// Reads the dictionary `NSAppTransportSecurity` of an `Info.plist`. Apple's page on that key is
/// the source of the keys and of their types.
package struct ATSReader {
    /// The key of the whole dictionary.
    package static let key = "NSAppTransportSecurity"

    private var file = ATSFile()
    private let bytes: [UInt8]

    /// The text that is imported of a file: the file itself, or, of a binary property list, App
    /// Transport Security in XML.
    ///
    /// - Throws: HX101 for a binary property list that is damaged.
    package static func text(of bytes: [UInt8]) throws(ForeignError) -> [UInt8] {
        BinaryPropertyList.isBinary(bytes)
            ? try BinaryPropertyList.markup(of: key, in: bytes) : bytes
    }

    /// Reads a property list in XML.
    ///
    /// - Throws: HX101 for a file that is not one, HX103 for a pin that is not a SHA-256 digest.
    package static func read(_ bytes: [UInt8]) throws(ForeignError) -> ATSFile {
        let root = try PropertyListNode.root(of: bytes)
        var reader = ATSReader(bytes: bytes)
        guard let entries = try root.entries() else {
            throw ForeignError(
                .foreignSyntax,
                "the property list holds \(root.kind); an Info.plist holds `<dict>`",
                at: root.range)
        }
        if let entry = entries.first(where: { $0.key == key }) { try reader.read(entry) }
        return reader.file
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func read(_ entry: PropertyListNode.Entry) throws(ForeignError) {
        file.range = entry.keyRange
        if let (scalar, range) = MarkupReader.hidden(in: entry.value.range, of: bytes) {
            throw ForeignError(
                .foreignSyntax,
                "\(HiddenCharacter.name(scalar)), \(HiddenCharacter.kind(scalar)); remove it",
                at: range)
        }
        guard let entries = try entry.value.entries() else {
            wrongType(entry, wants: "a dictionary")
            return
        }
        for entry in entries {
            switch entry.key {
            case "NSAllowsArbitraryLoads": file.switches.arbitraryLoads = flag(entry)
            case "NSAllowsArbitraryLoadsForMedia":
                file.switches.arbitraryLoadsForMedia = flag(entry)
            case "NSAllowsArbitraryLoadsInWebContent":
                file.switches.arbitraryLoadsInWebContent = flag(entry)
            case "NSAllowsLocalNetworking": file.switches.localNetworking = flag(entry)
            case "NSExceptionDomains":
                for domain in try domains(entry) { try exception(domain) }
            case "NSPinnedDomains":
                for domain in try domains(entry) { try pinned(domain) }
            default: ignore(entry, in: Self.key)
            }
        }
    }

    private mutating func domains(
        _ entry: PropertyListNode.Entry
    ) throws(ForeignError) -> [PropertyListNode.Entry] {
        guard let entries = try entry.value.entries() else {
            wrongType(entry, wants: "a dictionary of domains")
            return []
        }
        return entries
    }

    // MARK: Exceptions

    private mutating func exception(_ domain: PropertyListNode.Entry) throws(ForeignError) {
        guard let entries = try domain.value.entries() else {
            wrongType(domain, wants: "a dictionary")
            return
        }
        var exception = ATSFile.Exception(domain: domain.key, range: domain.keyRange)
        for entry in entries {
            switch entry.key {
            case "NSIncludesSubdomains": exception.includesSubdomains = flag(entry)?.isOn ?? false
            case "NSExceptionAllowsInsecureHTTPLoads":
                exception.allowsCleartext = flag(entry)?.isOn ?? false
            case "NSExceptionRequiresForwardSecrecy":
                exception.requiresForwardSecrecy = flag(entry)?.isOn ?? true
            case "NSRequiresCertificateTransparency":
                exception.demandsTransparency = flag(entry)?.isOn ?? false
            case "NSExceptionMinimumTLSVersion":
                guard let version = entry.value.string.flatMap(ATSFile.TLSVersion.init(rawValue:))
                else {
                    doubt(
                        entry.value.range,
                        "`NSExceptionMinimumTLSVersion` takes `TLSv1.0`, `TLSv1.1`, `TLSv1.2` and "
                            + "`TLSv1.3`; the policy takes TLS 1.2")
                    continue
                }
                exception.minimumTLS = version
            default: ignore(entry, in: "NSExceptionDomains")
            }
        }
        file.exceptions.append(exception)
    }

    // MARK: Pins

    private mutating func pinned(_ domain: PropertyListNode.Entry) throws(ForeignError) {
        guard let entries = try domain.value.entries() else {
            wrongType(domain, wants: "a dictionary")
            return
        }
        var pinned = ATSFile.Pinned(domain: domain.key, range: domain.keyRange)
        for entry in entries {
            switch entry.key {
            case "NSIncludesSubdomains": pinned.includesSubdomains = flag(entry)?.isOn ?? false
            case "NSPinnedLeafIdentities": pinned.leafPins = try pins(entry)
            case "NSPinnedCAIdentities": pinned.authorityPins = try pins(entry)
            default: ignore(entry, in: "NSPinnedDomains")
            }
        }
        if pinned.leafPins == nil, pinned.authorityPins == nil {
            doubt(domain.keyRange, "the domain `\(domain.key)` is pinned to no key")
        }
        file.pinned.append(pinned)
    }

    /// The pins of a list, each once.
    private mutating func pins(
        _ entry: PropertyListNode.Entry
    ) throws(ForeignError) -> [String]? {
        guard let items = entry.value.items else {
            wrongType(entry, wants: "an array of dictionaries")
            return nil
        }
        var pins: [String] = []
        for item in items {
            let entries = try item.entries() ?? []
            for other in entries where other.key != "SPKI-SHA256-BASE64" {
                ignore(other, in: entry.key)
            }
            let pin = entries.first { $0.key == "SPKI-SHA256-BASE64" }
            let digits = pin?.value.string?.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard let digits,
                let digest = ForeignHosts.digest(String(decoding: digits, as: UTF8.self))
            else {
                throw ForeignError(
                    .foreignPin,
                    pin == nil
                        ? "a pin is a dictionary with `SPKI-SHA256-BASE64`"
                        : "this pin is not the base64 text of 32 octets, as a SHA-256 digest is",
                    at: pin?.value.range ?? item.range,
                    help: ["`hawser pin FILE` prints the pin of a key"])
            }
            if !pins.contains(digest) { pins.append(digest) }
        }
        if pins.isEmpty {
            doubt(
                entry.keyRange,
                "Apple does not say what an empty `\(entry.key)` does; the policy takes it for no "
                    + "demand")
        }
        return pins
    }

    // MARK: Parts

    private mutating func flag(_ entry: PropertyListNode.Entry) -> ATSFile.Switch? {
        guard let value = entry.value.boolean else {
            wrongType(entry, wants: "`<true/>` or `<false/>`")
            return nil
        }
        return ATSFile.Switch(isOn: value, range: entry.keyRange)
    }

    private mutating func wrongType(_ entry: PropertyListNode.Entry, wants: String) {
        doubt(
            entry.keyRange,
            "`\(entry.key)` is \(entry.value.kind) and takes \(wants); it is not taken over")
    }

    private mutating func doubt(_ range: Range<Int>, _ message: String) {
        file.findings.append(
            Diagnostic(
                .doubtfulInTarget, message, at: Diagnostic.Label(range.foreignSpan)))
    }

    private mutating func ignore(_ entry: PropertyListNode.Entry, in parent: String) {
        let known = [
            "NSPinnedDomains", "NSExceptionDomains", "NSIncludesSubdomains",
            "NSExceptionAllowsInsecureHTTPLoads", "NSExceptionMinimumTLSVersion",
            "NSExceptionRequiresForwardSecrecy", "NSPinnedCAIdentities", "NSPinnedLeafIdentities",
        ]
        let isOld =
            entry.key.hasPrefix("NSTemporaryException")
            || entry.key.hasPrefix("NSThirdPartyException")
        let help =
            isOld
            ? "an old spelling; write `NSException…` in its place"
            : known.contains(entry.key)
                ? "the key belongs into another dictionary" : "delete it, or correct its name"
        file.findings.append(
            Diagnostic(
                .ignoredByTarget,
                "`\(entry.key)` inside `\(parent)` is not a key of Apple's page, and is not taken "
                    + "over", at: Diagnostic.Label(entry.keyRange.foreignSpan), help: [help]))
    }
}

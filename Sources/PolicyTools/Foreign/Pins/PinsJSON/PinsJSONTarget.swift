import PolicyCompiler
import Rendering
package import TrustEngine

/// A list of pins in JSON as a target of exports: `PinsJSONModel` is its model.
package struct PinsJSONTarget: ForeignTarget {
    package static let name = "pins-json"
    package static let title = "a list of pins in JSON"
    package static let system = "the reader of the list"
    package static let usualFile = "pins.json"
    package static let unstated = [
        "revocation", "transparency", "anchors", "tls", "keys", "signatures", "path", "validity",
        "identity", "forbidden-keys", "checks", "waivers", "report-only",
    ]

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        PinListImport.policy(
            of: PinsJSONModel(try PinsJSONReader.read(file.source.bytes)), command: "pins-json",
            source: file.source)
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        let octets = Array(PinsJSONExport(policy).text.utf8)
        guard let existing else { return ExportedFile(octets) }
        let old = try PinsJSONReader.read(existing)
        let dropped = old.entries.filter { !$0.isEnforced }.map {
            "the pins of `\($0.name.prefix(60))`, which are only reported"
        }
        return ExportedFile(
            octets, dropped: dropped, wasExported: ExportMark.isIn(existing))
    }
}

/// Writes the pins of a policy as a list in JSON.
///
/// The pins of every entry that names a host are united, so an entry for a host below a wildcard
/// adds its keys to the wildcard's.
struct PinsJSONExport {
    /// The pins of an entry.
    private struct Pins: Hashable {
        /// SHA-256 in base64.
        let digests: [String]
        /// The day at whose midnight in UTC the pins end, as `YYYY-MM-DD`.
        let end: String?
    }

    private let policy: ExportedPolicy

    init(_ policy: ExportedPolicy) { self.policy = policy }

    var text: String {
        let domains = entries.map { pattern, pins in
            JSONValue.Member(
                pattern,
                .object([
                    "hashes": JSONValue.strings(pins.digests), "expirationDate": pins.end,
                ]))
        }
        return JSONValue.object([
            "_comment": JSONValue.strings(ExportMark.lines(policy)),
            "domains": JSONValue.object(domains),
        ]).render(.pretty) + "\n"
    }

    // MARK: Entries

    /// The entries by their patterns: names with few labels first, of each the wildcards first.
    private var entries: [(pattern: String, pins: Pins)] {
        var entries: [(pattern: String, pins: Pins)] = []
        // The pins of the entries for names below a name.
        var below: [String: Pins] = [:]
        var oneBelow: [String: Pins] = [:]
        func inherited(_ name: String) -> Pins? {
            ForeignHosts.ends(of: name).lazy.compactMap { below[String($0)] }.first
        }
        func base(_ name: String) -> String? {
            name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) }
        }
        for name in policy.names {
            if policy.hasWildcard(name) {
                let any = policy.decision(below: name, .anyLabels)
                if case .anyLabels(name)? = any.pattern?.host, let pins = pins(any),
                    base(name).flatMap(inherited) != pins
                {
                    below[name] = pins
                    entries.append(("**.\(name)", pins))
                }
                let one = policy.decision(below: name, .oneLabel)
                if case .oneLabel(name)? = one.pattern?.host, let pins = pins(one),
                    inherited(name) != pins
                {
                    oneBelow[name] = pins
                    entries.append(("*.\(name)", pins))
                }
            }
            let own = policy.decision(of: name)
            guard case .name(name)? = own.pattern?.host, let pins = pins(own) else { continue }
            let wider = below[name] ?? base(name).flatMap { oneBelow[$0] ?? inherited($0) }
            if wider != pins { entries.append((name, pins)) }
        }
        for address in policy.addresses {
            guard let pins = pins(policy.decision(of: address)) else { continue }
            entries.append((address, pins))
        }
        return entries
    }

    /// The pins of the first set of a host. Nil for a host without pins, which the list does not
    /// name.
    private func pins(_ decision: DatedRules.Decision) -> Pins? {
        guard let body = policy.body(of: decision), let set = policy.pinSets(of: body).first,
            case let digests = set.keyDigests, !digests.isEmpty
        else { return nil }
        return Pins(digests: digests, end: Self.end(of: set))
    }

    /// The day of `expirationDate`, the first one that does not begin before the set's end.
    private static func end(of set: PinSetContents) -> String? {
        guard let end = ExportedEnd.instant(of: set) else { return nil }
        return ExportedEnd.text((end.secondsSinceEpoch + ExportedEnd.day - 1) / ExportedEnd.day)
    }
}

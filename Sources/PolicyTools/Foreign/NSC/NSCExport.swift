import PolicyCompiler
import Rendering
import TrustEngine

/// Writes a policy as a Network Security Configuration.
///
/// Every value is stated, so that the file means the same for every target SDK. A configuration is
/// never inside another one, so that nothing is inherited.
struct NSCExport {
    /// What a configuration states.
    private struct Config: Hashable {
        let permitsCleartext: Bool
        /// `system`, or the ids of sets; nobody is trusted where it is empty.
        let anchors: [String]
        /// SHA-256 in base64; empty for no pins.
        let pins: [String]
        /// The day at whose local midnight the pins end, as `YYYY-MM-DD`.
        let end: String?
    }

    private let policy: ExportedPolicy

    static func file(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        let export = NSCExport(policy: policy)
        var kept: [String] = []
        var dropped: [String] = []
        var wasExported = false
        if let existing {
            let root = try MarkupReader.root(of: existing)
            kept = root.elements.filter { $0.name == "debug-overrides" }.map {
                String(decoding: existing[$0.range], as: UTF8.self)
            }
            wasExported = ExportMark.isIn(existing)
            dropped = Self.dropped(existing, root)
        }
        let (text, configs) = export.text(kept)
        let resources = export.resources(configs).sorted { $0.key < $1.key }
        let companions = resources.map { id, members in
            (path: "../raw/\(Self.resource(id)).pem", octets: PEMText.certificates(members))
        }
        return ExportedFile(
            Array(text.utf8), companions: companions, dropped: dropped, wasExported: wasExported)
    }

    private init(policy: ExportedPolicy) { self.policy = policy }

    // MARK: The text

    /// The text of the file, and its configurations.
    ///
    /// - Parameter kept: elements of the old file.
    private func text(_ kept: [String]) -> (text: String, configs: [Config]) {
        var values: [Int?: Config?] = [:]
        func value(_ decision: DatedRules.Decision) -> Config? {
            if let known = values[decision.rule] { return known }
            let isOpen = policy.isPartial && decision.rule == nil
            let made: Config? = isOpen ? nil : config(of: policy.body(of: decision))
            values[decision.rule] = made
            return made
        }
        let base = value(policy.fallback).map {
            // Only hosts that an entry names can be pinned.
            Config(
                permitsCleartext: $0.permitsCleartext, anchors: $0.anchors, pins: [], end: nil)
        }
        let planned = ExportedEntries(policy, reach: .everyLabel, other: base, value: value)
        var configs: [(config: Config, entries: [ExportedEntries<Config?>.Entry])] = []
        var numbers: [Config: Int] = [:]
        for entry in planned.entries {
            guard let config = entry.value else { continue }
            if let known = numbers[config] {
                configs[known].entries.append(entry)
            } else {
                numbers[config] = configs.count
                configs.append((config, [entry]))
            }
        }
        let mark = ExportMark.lines(policy)
        var lines = ["<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<!-- \(mark[0])"]
        lines += mark.dropFirst().map { "     \($0)" }
        lines[lines.count - 1] += " -->"
        lines.append("<network-security-config>")
        if let base { lines += element("base-config", base, entries: []) }
        for (config, entries) in configs {
            lines += element("domain-config", config, entries: entries)
        }
        lines += kept.map { "    \($0)" }
        lines.append("</network-security-config>")
        return (
            lines.map { $0 + "\n" }.joined(), [base].compactMap { $0 } + configs.map(\.config)
        )
    }

    private func element(
        _ name: String, _ config: Config, entries: [ExportedEntries<Config?>.Entry]
    ) -> [String] {
        var lines = ["    <\(name) cleartextTrafficPermitted=\"\(config.permitsCleartext)\">"]
        for entry in entries {
            lines.append(
                "        <domain includeSubdomains=\"\(entry.includesSubdomains)\">"
                    + "\(entry.name)</domain>")
        }
        if config.anchors.isEmpty {
            lines.append("        <trust-anchors />")
        } else {
            lines.append("        <trust-anchors>")
            for anchor in config.anchors {
                let source = anchor == "system" ? anchor : "@raw/\(Self.resource(anchor))"
                lines.append("            <certificates src=\"\(source)\" />")
            }
            lines.append("        </trust-anchors>")
        }
        if !config.pins.isEmpty {
            let end = config.end.map { " expiration=\"\($0)\"" } ?? ""
            lines.append("        <pin-set\(end)>")
            lines += config.pins.map {
                "            <pin digest=\"SHA-256\">\($0)</pin>"
            }
            lines.append("        </pin-set>")
        }
        lines.append("    </\(name)>")
        return lines
    }

    /// The name of a set's resource: `hawser_corp_roots`. Resources are names of Java.
    private static func resource(_ id: String) -> String {
        "hawser_" + id.replacing("-", with: "_")
    }

    // MARK: Configurations

    private func config(of body: RuleBody?) -> Config {
        guard let body else {
            return Config(permitsCleartext: false, anchors: [], pins: [], end: nil)
        }
        // The file has one set of pins for a host. Of several sets the first is written.
        let set = policy.pinSets(of: body).first
        let pins = set?.keyDigests ?? []
        return Config(
            permitsCleartext: body.waivers.contains { $0.tolerance == .cleartext },
            anchors: anchors(of: body, set), pins: pins,
            end: pins.isEmpty ? nil : set.flatMap(Self.end))
    }

    private func anchors(of body: RuleBody, _ set: PinSetContents?) -> [String] {
        if body.anchorsArePinnedKeys {
            let hasCertificates = !(set.map(Self.certificates) ?? []).isEmpty
            return [hasCertificates ? (set?.id ?? "system") : "system"]
        }
        var anchors: [String] = []
        for set in policy.anchorSets(of: body) where set.canEndPaths {
            if set.namesSystemStore, !anchors.contains("system") {
                anchors.insert("system", at: 0)
            }
            if !Self.members(set).isEmpty { anchors.append(set.id) }
        }
        return anchors
    }

    /// The certificates of the sets that configurations name, by the ids of the sets.
    private func resources(_ configs: [Config]) -> [String: [[UInt8]]] {
        var resources: [String: [[UInt8]]] = [:]
        for id in configs.flatMap(\.anchors) where id != "system" && resources[id] == nil {
            if let set = policy.contents.anchorSets.first(where: { $0.id == id }) {
                resources[id] = Self.members(set)
            } else if let set = policy.contents.pinSets.first(where: { $0.id == id }) {
                resources[id] = Self.certificates(set)
            }
        }
        return resources
    }

    private static func members(_ set: AnchorSetContents) -> [[UInt8]] {
        set.groups.flatMap { group -> [[UInt8]] in
            guard case .members(let members) = group.source else { return [] }
            return members
        }
    }

    private static func certificates(_ set: PinSetContents) -> [[UInt8]] {
        (set.keys + set.backups).flatMap(\.certificates)
    }

    /// The day of `expiration` for a set whose pins go on to bind nothing.
    ///
    /// Pins end at the local midnight at which the day begins. The first midnight is at UTC+14, so
    /// the day is the first one that begins nowhere before the set's end. An end at 12:00 UTC is
    /// the last midnight of its day, which imports write, and that day is written again.
    private static func end(of set: PinSetContents) -> String? {
        guard let end = ExportedEnd.instant(of: set) else { return nil }
        let day = ExportedEnd.day
        let seconds = end.secondsSinceEpoch
        let noon = seconds - 43_200
        // The day after the one in which UTC+14 is at the end of the set.
        let first = (seconds + 14 * 3_600 + day - 1) / day
        return ExportedEnd.text(noon % day == 0 ? noon / day : first)
    }

    // MARK: The existing file

    /// The parts of a file that the new one does not have and that decide nothing.
    private static func dropped(_ bytes: [UInt8], _ root: MarkupElement) -> [String] {
        var comments = 0
        var ignored: [String] = []
        var waiting = [root]
        while let element = waiting.popLast() {
            for child in element.children {
                switch child {
                case .comment(let range):
                    if !ExportMark.isIn(bytes[range]) { comments += 1 }
                case .element(let inner):
                    guard inner.name != "debug-overrides" else { continue }
                    if !known.contains(inner.name) {
                        ignored.append("`<\(inner.name)>`")
                    } else {
                        waiting.append(inner)
                    }
                case .text: continue
                }
            }
        }
        return (comments > 0 ? [Words.count(comments, "comment")] : []) + ignored.unrepeated
    }

    private static let known: Set<String> = [
        "base-config", "domain-config", "domain", "trust-anchors", "certificates", "pin-set",
        "pin", "certificateTransparency",
    ]
}

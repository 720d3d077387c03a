import Rendering
import TrustEngine

/// Writes a policy as the keys of App Transport Security.
struct ATSExport {
    /// The keys that an export writes. Others stay as they are.
    static let keys: Set<String> = [
        "NSAllowsArbitraryLoads", "NSExceptionDomains", "NSPinnedDomains",
    ]

    /// What an entry of `NSExceptionDomains` states.
    private struct Exception: Hashable {
        var allowsCleartext = false
        var minimumTLS = ATSFile.TLSVersion.tls12
        var requiresForwardSecrecy = true
    }

    /// What an entry of `NSPinnedDomains` states.
    private struct Pins: Hashable {
        var authorities: [String] = []
        var leaves: [String] = []
        var isEmpty: Bool { authorities.isEmpty && leaves.isEmpty }
    }

    private let policy: ExportedPolicy
    /// Whether some rule demands forward secrecy. Otherwise the policy leaves the question to the
    /// system, and the export permits no connection without it.
    private let demandsForwardSecrecy: Bool

    init(_ policy: ExportedPolicy) {
        self.policy = policy
        var bodies = policy.contents.rules.map(\.body)
        if case .body(let body) = policy.contents.defaultRule { bodies.append(body) }
        demandsForwardSecrecy = bodies.contains { $0.requirements.tls.requiresForwardSecrecy }
    }

    // MARK: The text

    /// The mark and the keys with their values, indented by tabs from nothing on.
    var lines: [String] {
        let fallback = policy.body(of: policy.fallback)
        let isOff = fallback.map(permitsAll) ?? false
        let mark = ExportMark.lines(policy)
        var lines = ["<!-- \(mark[0])"] + mark.dropFirst().map { "     \($0)" }
        lines[lines.count - 1] += " -->"
        if isOff { lines += ["<key>NSAllowsArbitraryLoads</key>", "<true/>"] }
        let other =
            isOff
            ? Exception(allowsCleartext: true, minimumTLS: .tls10, requiresForwardSecrecy: false)
            : Exception()
        let exceptions = ExportedEntries(policy, reach: .oneLabel, other: other) {
            $0.rule == nil ? other : exception(policy.body(of: $0))
        }.entries
        if !exceptions.isEmpty {
            lines += dictionary("NSExceptionDomains", exceptions.map(Self.exceptionLines))
        }
        let pinned = ExportedEntries(policy, reach: .oneLabel, other: Pins()) {
            $0.rule == nil ? Pins() : pins(policy.body(of: $0))
        }.entries.filter { !$0.value.isEmpty }
        if !pinned.isEmpty { lines += dictionary("NSPinnedDomains", pinned.map(Self.pinLines)) }
        return lines
    }

    private func dictionary(_ key: String, _ entries: [[String]]) -> [String] {
        ["<key>\(key)</key>", "<dict>"] + entries.flatMap { $0 }.map { "\t\($0)" } + ["</dict>"]
    }

    private static func exceptionLines(_ entry: ExportedEntries<Exception>.Entry) -> [String] {
        var inner = includes(entry.includesSubdomains)
        if entry.value.allowsCleartext {
            inner += ["<key>NSExceptionAllowsInsecureHTTPLoads</key>", "<true/>"]
        }
        if entry.value.minimumTLS != .tls12 {
            inner += [
                "<key>NSExceptionMinimumTLSVersion</key>",
                "<string>\(entry.value.minimumTLS.rawValue)</string>",
            ]
        }
        if !entry.value.requiresForwardSecrecy {
            inner += ["<key>NSExceptionRequiresForwardSecrecy</key>", "<false/>"]
        }
        return named(entry.name, inner)
    }

    private static func pinLines(_ entry: ExportedEntries<Pins>.Entry) -> [String] {
        var inner = includes(entry.includesSubdomains)
        for (key, digests) in [
            ("NSPinnedCAIdentities", entry.value.authorities),
            ("NSPinnedLeafIdentities", entry.value.leaves),
        ] where !digests.isEmpty {
            inner += ["<key>\(key)</key>", "<array>"]
            for digest in digests {
                inner += [
                    "\t<dict>", "\t\t<key>SPKI-SHA256-BASE64</key>",
                    "\t\t<string>\(digest)</string>", "\t</dict>",
                ]
            }
            inner.append("</array>")
        }
        return named(entry.name, inner)
    }

    private static func includes(_ subdomains: Bool) -> [String] {
        subdomains ? ["<key>NSIncludesSubdomains</key>", "<true/>"] : []
    }

    private static func named(_ name: String, _ inner: [String]) -> [String] {
        let key = "<key>\(name)</key>"
        return inner.isEmpty
            ? [key, "<dict/>"] : [key, "<dict>"] + inner.map { "\t\($0)" } + ["</dict>"]
    }

    // MARK: Demands

    private func exception(_ body: RuleBody?) -> Exception {
        guard let body else { return Exception() }
        var exception = Exception()
        let tls = body.requirements.tls
        if tls.minimumVersion == .tls13 { exception.minimumTLS = .tls13 }
        for waiver in body.waivers {
            if waiver.tolerance == .cleartext { exception.allowsCleartext = true }
            guard case .tls(let version) = waiver.tolerance else { continue }
            exception.minimumTLS =
                version == .tls10 ? .tls10 : version == .tls11 ? .tls11 : .tls12
        }
        exception.requiresForwardSecrecy =
            tls.requiresForwardSecrecy || !demandsForwardSecrecy
        return exception
    }

    /// Whether a body permits what `NSAllowsArbitraryLoads` permits.
    private func permitsAll(_ body: RuleBody) -> Bool {
        !body.requirements.tls.requiresForwardSecrecy
            && body.waivers.contains { $0.tolerance == .cleartext }
            && body.waivers.contains { $0.tolerance == .tls(minimumVersion: .tls10) }
    }

    /// The pins of a body. A host has one list for its own key and one for the keys above it, and
    /// both must match. A set with an entry for keys above the server's own goes into the second
    /// list without its entries for the own key; of several sets for one list the first is written.
    private func pins(_ body: RuleBody?) -> Pins {
        guard let body else { return Pins() }
        var pins = Pins()
        for set in policy.pinSets(of: body) {
            let isOfLeaves = (set.keys + set.backups).allSatisfy { $0.position == .leaf }
            let digests = set.digests { isOfLeaves || $0 != .leaf }
            if isOfLeaves, pins.leaves.isEmpty { pins.leaves = digests }
            if !isOfLeaves, pins.authorities.isEmpty { pins.authorities = digests }
        }
        return pins
    }
}

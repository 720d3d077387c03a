import TrustEngine

/// What Android does for a host under a Network Security Configuration.
///
/// Sources, all of AOSP frameworks/base, package `android.security.net.config`:
///
/// - Which configuration decides: `ApplicationConfig.getConfigForHostname`. An exact entry first,
///   else the longest entry with subdomains whose name ends the host's behind a dot, else the base.
///   Case and one trailing dot of the host do not count; a dot at the end of an entry does.
/// - Inheritance: `NetworkSecurityConfig.Builder`. Each value by itself, from the nearest
///   configuration that states it: the `domain-config`, those around it, the base, the defaults.
/// - The defaults: `NetworkSecurityConfig.getDefaultBuilder`. Cleartext is permitted below target
///   SDK 28, and user anchors are trusted below 24.
/// - Debug overrides: `XmlConfigSource.addDebugAnchorsIfNeeded`. For an app that can be debugged
///   they are added wherever anchors are stated.
/// - When pins bind: `NetworkSecurityTrustManager.checkPins`. Not with an empty set, not after the
///   set's end, and not where the anchor of the chain overrides pins.
/// - Certificate transparency: `NetworkSecurityConfig.Builder`, Android 16. The nearest statement
///   decides, and own anchors without one switch it off.
///
/// The model covers only what the file decides. Android's own checks of a chain are not part of it.
package struct NSCModel: Sendable {
    /// What depends on the app and not on the file.
    package struct App: Sendable {
        package var targetSDK = 34
        package var isDebuggable = false
        package init(targetSDK: Int = 34, isDebuggable: Bool = false) {
            self.targetSDK = targetSDK
            self.isDebuggable = isDebuggable
        }
    }

    /// What the file decides for a host.
    package struct Behaviour: Sendable {
        package let permitsCleartext: Bool
        package let enforcesHSTS: Bool
        /// Each source once; nobody is trusted where it is empty.
        package let anchors: [NSCFile.Anchor]
        /// Nil without pins.
        package let pins: NSCFile.PinSet?
        /// Nil where nothing in the file decides.
        package let demandsTransparency: Bool?
        /// The index of the deciding `domain-config`; nil for the base.
        package let config: Int?

        /// The pins in the file's order, each once.
        package var digests: [String] {
            var seen: Set<String> = []
            return (pins?.pins ?? []).map(\.digest).filter { seen.insert($0).inserted }
        }

        /// The day at whose local midnight the pins end, as `YYYY-MM-DD`.
        package var pinsEnd: String? {
            pins?.end.map { day in
                func padded(_ number: Int, _ width: Int) -> String {
                    let digits = String(number)
                    return String(repeating: "0", count: max(0, width - digits.count)) + digits
                }
                return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
            }
        }
    }

    let file: NSCFile
    let app: App

    package init(_ file: NSCFile, _ app: App) {
        self.file = file
        self.app = app
    }

    /// What Android does for a host. The empty text stands for a host that no entry names.
    package func behaviour(of host: String) -> Behaviour {
        behaviour(ofConfig: config(for: host))
    }

    /// The index of the deciding `domain-config`; nil for the base.
    private func config(for asked: String) -> Int? {
        var host = asked.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        var best: (length: Int, config: Int)?
        for (index, config) in file.domainConfigs.enumerated() {
            for domain in config.domains {
                if domain.name == host { return index }
                guard domain.includesSubdomains, host.hasSuffix("." + domain.name) else { continue }
                let length = domain.name.utf8.count
                if best.map({ length > $0.length }) ?? true { best = (length, index) }
            }
        }
        return best?.config
    }

    /// What a configuration comes to.
    func behaviour(ofConfig index: Int?) -> Behaviour {
        // The nearest first.
        var chain: [NSCFile.Config] = []
        var next = index
        while let at = next {
            chain.append(file.domainConfigs[at])
            next = file.domainConfigs[at].parent
        }
        if let base = file.base { chain.append(base) }
        let cleartext = chain.lazy.compactMap(\.cleartext).first
        return Behaviour(
            permitsCleartext: cleartext ?? (app.targetSDK < 28),
            enforcesHSTS: chain.lazy.compactMap(\.enforcesHSTS).first ?? false,
            anchors: anchors(chain), pins: pins(chain),
            demandsTransparency: transparency(chain), config: index)
    }

    private func anchors(_ chain: [NSCFile.Config]) -> [NSCFile.Anchor] {
        var anchors = chain.lazy.compactMap(\.anchors).first ?? defaults
        anchors += file.debug?.anchors ?? []
        // Of one source twice, the entry that overrides pins is the one that is found.
        var kept: [NSCFile.Anchor] = []
        for anchor in anchors {
            guard let known = kept.firstIndex(where: { $0.source == anchor.source }) else {
                kept.append(anchor)
                continue
            }
            if anchor.overridesPins { kept[known] = anchor }
        }
        return kept
    }

    /// The anchors where the file states none.
    private var defaults: [NSCFile.Anchor] {
        let system = NSCFile.Anchor(source: .system, overridesPins: false, range: 0..<0)
        let user = NSCFile.Anchor(source: .user, overridesPins: false, range: 0..<0)
        return app.targetSDK < 24 ? [system, user] : [system]
    }

    private func pins(_ chain: [NSCFile.Config]) -> NSCFile.PinSet? {
        guard let set = chain.lazy.compactMap(\.pins).first, !set.pins.isEmpty else { return nil }
        return set
    }

    private func transparency(_ chain: [NSCFile.Config]) -> Bool? {
        for config in chain {
            if let demanded = config.demandsTransparency { return demanded }
            guard let anchors = config.anchors else { continue }
            if anchors.contains(where: { $0.source != .system }) { return false }
        }
        return app.targetSDK < 24 ? false : nil
    }
}

extension NSCFile.Day {
    /// The first and the last instant at which the day begins somewhere. Time zones lie between
    /// UTC+14 and UTC-12 (IANA's `Pacific/Kiritimati` and `Etc/GMT+12`). Nil for a year that dates
    /// of the language do not have.
    var midnights: (first: UTCInstant, last: UTCInstant)? {
        UTCInstant(year: year, month: month, day: day).map {
            ($0.advanced(bySeconds: -14 * 3_600), $0.advanced(bySeconds: 12 * 3_600))
        }
    }
}

package import PolicyCompiler

/// What an Android Network Security Configuration states, with the place of each part, after the
/// reader of Android (`XmlConfigSource.java` of AOSP). Nothing is inherited yet.
package struct NSCFile: Sendable {
    /// A configuration: `base-config`, a `domain-config` or `debug-overrides`.
    package struct Config: Sendable {
        /// The octets of the element's name.
        let range: Range<Int>
        /// Nil where the file does not say.
        var cleartext: Bool?
        var enforcesHSTS: Bool?
        var domains: [Domain] = []
        /// Nil without `trust-anchors`; an empty list trusts nobody.
        var anchors: [Anchor]?
        /// Nil without a `pin-set`; an empty set drops the pins of the configuration around it.
        var pins: PinSet?
        var demandsTransparency: Bool?
        /// The index of the `domain-config` around it.
        var parent: Int?
    }

    /// An entry `domain`.
    package struct Domain: Sendable {
        /// Without blanks at its ends, in lower case.
        let name: String
        let includesSubdomains: Bool
        let range: Range<Int>
    }

    /// An entry `certificates`.
    package struct Anchor: Hashable, Sendable {
        /// The certificates that it names.
        package enum Source: Hashable, Sendable {
            case system
            case user
            /// A resource of the app, by its name: `raw/my_ca`.
            case resource(String)
        }
        package let source: Source
        /// Whether the pins do not bind a chain that ends here.
        package let overridesPins: Bool
        let range: Range<Int>
    }

    /// A `pin-set`.
    package struct PinSet: Sendable {
        var pins: [Pin] = []
        /// The day at whose beginning, on the device's clock and in its time zone, the pins end.
        var end: Day?
        let range: Range<Int>
    }

    /// An entry `pin`.
    package struct Pin: Sendable {
        /// SHA-256 in base64.
        let digest: String
        let range: Range<Int>
    }

    /// A day of the calendar.
    package struct Day: Hashable, Sendable {
        let year: Int
        let month: Int
        let day: Int
        let range: Range<Int>
    }

    package internal(set) var base: Config?
    package internal(set) var debug: Config?
    /// Each after the one around it.
    package internal(set) var domainConfigs: [Config] = []
    /// The parts that Android skips, and those that only a debuggable app reads.
    package internal(set) var findings: [Diagnostic] = []

    /// The names of the resources that anchors are read from: `raw/my_ca`. Each once.
    package var resources: [String] {
        let configs = domainConfigs + [base, debug].compactMap { $0 }
        var names: [String] = []
        var seen: Set<String> = []
        for anchor in configs.flatMap({ $0.anchors ?? [] }) {
            if case .resource(let name) = anchor.source, seen.insert(name).inserted {
                names.append(name)
            }
        }
        return names
    }
}

package import PolicyCompiler

/// What the App Transport Security of an `Info.plist` states, with the place of each part.
package struct ATSFile: Sendable {
    /// The keys outside the domains. Nil for a key that is not there.
    package struct Switches: Sendable {
        var arbitraryLoads: Switch?
        var arbitraryLoadsForMedia: Switch?
        var arbitraryLoadsInWebContent: Switch?
        var localNetworking: Switch?
    }

    /// A key with a boolean.
    package struct Switch: Sendable {
        let isOn: Bool
        /// The octets of the key.
        let range: Range<Int>
    }

    /// An entry of `NSExceptionDomains`.
    package struct Exception: Sendable {
        let domain: String
        let range: Range<Int>
        var includesSubdomains = false
        var allowsCleartext = false
        var minimumTLS = TLSVersion.tls12
        var requiresForwardSecrecy = true
        var demandsTransparency = false
    }

    /// The values of `NSExceptionMinimumTLSVersion`.
    package enum TLSVersion: String, Sendable, CaseIterable {
        case tls10 = "TLSv1.0"
        case tls11 = "TLSv1.1"
        case tls12 = "TLSv1.2"
        case tls13 = "TLSv1.3"
    }

    /// An entry of `NSPinnedDomains`.
    package struct Pinned: Sendable {
        let domain: String
        let range: Range<Int>
        var includesSubdomains = false
        /// Pins of the server's own certificate, in base64; nil without the key.
        var leafPins: [String]?
        /// Pins of any certificate above it; nil without the key.
        var authorityPins: [String]?
    }

    package internal(set) var switches = Switches()
    package internal(set) var exceptions: [Exception] = []
    package internal(set) var pinned: [Pinned] = []
    /// The octets of the key `NSAppTransportSecurity`; empty without it.
    package internal(set) var range = 0..<0
    package internal(set) var findings: [Diagnostic] = []
}

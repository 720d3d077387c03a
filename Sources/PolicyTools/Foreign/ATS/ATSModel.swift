import TrustEngine

/// What App Transport Security does for a host under an `Info.plist`.
///
/// Sources, Apple's reference of `NSAppTransportSecurity` and of the keys in it, and the plists of
/// Apple's own regressions of SecTrust:
///
/// - Which exception decides: an exact entry first, else an entry with `NSIncludesSubdomains` for
///   the host without its first label. The entry replaces the global switch for its hosts.
/// - `NSIncludesSubdomains` is the domain itself and names with one label more
///   (`NSPinnedDomains`: "one additional subdomain"). Deeper names are not covered.
/// - A key is compared as it is written: lower case only, and a trailing dot is another key.
/// - Pins add to the other checks. Leaf and CA pins must both match where both are given.
/// - `NSAllowsArbitraryLoads` is ignored where one of `NSAllowsArbitraryLoadsForMedia`,
///   `NSAllowsArbitraryLoadsInWebContent` and `NSAllowsLocalNetworking` is present (iOS 10).
/// - The defaults are TLS 1.2 and forward secrecy; cleartext is refused.
///
/// The model covers only what the file decides. Apple's own checks of a chain are not part of it.
package struct ATSModel: Sendable {
    /// What the file decides for a host.
    package struct Behaviour: Sendable {
        /// Whether nothing is demanded of TLS.
        package let isOff: Bool
        package let permitsCleartext: Bool
        package let minimumTLS: ATSFile.TLSVersion
        package let requiresForwardSecrecy: Bool
        package let demandsTransparency: Bool
        /// The deciding entry of `NSExceptionDomains`; nil without one.
        package let exception: String?
        /// The deciding entry of `NSPinnedDomains`; nil without one.
        package let pinnedBy: String?
        package let leafPins: [String]?
        package let authorityPins: [String]?
        /// Where the entries stand.
        let exceptionRange: Range<Int>?
        let pinnedRange: Range<Int>?
    }

    let file: ATSFile
    private let exceptions: [String: ATSFile.Exception]
    private let pinned: [String: ATSFile.Pinned]

    package init(_ file: ATSFile) {
        self.file = file
        exceptions = Dictionary(file.exceptions.map { ($0.domain, $0) }) { first, _ in first }
        pinned = Dictionary(file.pinned.map { ($0.domain, $0) }) { first, _ in first }
    }

    /// Whether a global switch turns App Transport Security off for hosts without an exception.
    var isOffByDefault: Bool {
        let switches = file.switches
        return switches.arbitraryLoads?.isOn == true && switches.arbitraryLoadsForMedia == nil
            && switches.arbitraryLoadsInWebContent == nil && switches.localNetworking == nil
    }

    /// What the file decides for a host.
    package func behaviour(of host: String) -> Behaviour {
        let exception = Self.entry(for: host, in: self.exceptions, \.includesSubdomains)
        let pinned = Self.entry(for: host, in: self.pinned, \.includesSubdomains)
        let isOff = exception == nil && isOffByDefault
        return Behaviour(
            isOff: isOff, permitsCleartext: exception?.allowsCleartext ?? isOff,
            minimumTLS: exception?.minimumTLS ?? (isOff ? .tls10 : .tls12),
            requiresForwardSecrecy: exception?.requiresForwardSecrecy ?? !isOff,
            demandsTransparency: exception?.demandsTransparency ?? false,
            exception: exception?.domain, pinnedBy: pinned?.domain, leafPins: pinned?.leafPins,
            authorityPins: pinned?.authorityPins, exceptionRange: exception?.range,
            pinnedRange: pinned?.range)
    }

    /// The entry that decides for a host.
    private static func entry<Entry>(
        for host: String, in entries: [String: Entry], _ includesSubdomains: (Entry) -> Bool
    ) -> Entry? {
        if let exact = entries[host] { return exact }
        guard IPAddress(text: host) == nil, let dot = host.firstIndex(of: ".") else { return nil }
        let parent = String(host[host.index(after: dot)...])
        return entries[parent].flatMap { includesSubdomains($0) ? $0 : nil }
    }
}

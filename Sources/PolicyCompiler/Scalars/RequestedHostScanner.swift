package import TrustEngine

/// The host of a request, with its port where it has one.
package struct ScannedRequestedHost: Hashable, Sendable {
    package let host: CanonicalHost
    package let port: UInt16?
}

/// Reads the host of a request, as `api.example`, `api.example:8443` or `[2001:db8::1]:443`.
package enum RequestedHostScanner {
    /// Reads a host.
    ///
    /// - Throws: HW201 for text that is not a name or address and for a network, HW203 for a URL,
    ///   HW204 for a wildcard; HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> ScannedRequestedHost {
        try ScalarProblem.requireText(text, of: "the host")
        let quoted = ScalarProblem.quote(text)
        if let star = Array(text.utf8).firstIndex(of: UInt8(ascii: "*")) {
            throw ScalarProblem(
                .badWildcard, "\(quoted) has a wildcard; a request is for one host",
                range: star..<star + 1, help: ["write a host that the pattern matches"])
        }
        let scanned = try HostPatternScanner.scan(text)
        switch scanned.pattern.host {
        case .name(let name):
            return ScannedRequestedHost(host: .name(name), port: scanned.pattern.port)
        case .address(let address):
            return ScannedRequestedHost(
                host: .address(address.unmapped), port: scanned.pattern.port)
        case .network, .oneLabel, .anyLabels:
            throw ScalarProblem(
                .badHost, "\(quoted) is a network; a request is for one host",
                help: ["write an address of the network"])
        }
    }
}

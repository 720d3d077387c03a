import TrustEngine

/// A host with its port, as people write it.
package enum HostWithPort {
    /// The host with a port; an IPv6 address stands in brackets. The host need not be one.
    package static func text(_ host: String, _ port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension CanonicalHost {
    /// The host with a port; an IPv6 address stands in brackets.
    func text(port: UInt16) -> String { HostWithPort.text(text, port) }
}

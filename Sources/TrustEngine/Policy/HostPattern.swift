/// The hosts that a rule is for: a name, a wildcard, an address or a network, with or without a
/// port (LANGUAGE section 11). Always in canonical form: ASCII lower case, A-labels, no trailing
/// dot.
package struct HostPattern: Hashable, Sendable {
    /// The host part.
    package enum Host: Hashable, Sendable {
        /// Exactly one name.
        case name(String)
        /// `*.base`: every name with exactly one label more than `base`.
        case oneLabel(base: String)
        /// `**.base`: every name with one or more labels more than `base`, never `base` itself.
        case anyLabels(base: String)
        /// One address.
        case address(IPAddress)
        /// A network. The host bits of `address` are zero, and `prefix` is shorter than the whole
        /// address.
        case network(IPAddress, prefix: Int)
    }

    /// The host part.
    package let host: Host
    /// The port; nil for every port.
    package let port: UInt16?

    /// Makes a pattern from canonical parts. Only the compiler's scanner checks texts of patterns.
    package init(host: Host, port: UInt16?) {
        self.host = host
        self.port = port
    }
}

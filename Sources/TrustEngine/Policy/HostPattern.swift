/// Which hosts a rule is for: an exact name, a wildcard, an address or a network, with or without a
/// port (LANGUAGE section 11). Always in canonical form: ASCII lower case, A-labels, no trailing dot.
public struct HostPattern: Hashable, Sendable {
    /// The host part.
    public enum Host: Hashable, Sendable {
        /// One name, exactly.
        case name(String)
        /// `*.base`: exactly one label more than `base`.
        case oneLabel(base: String)
        /// `**.base`: one label more or several; never `base` itself.
        case anyLabels(base: String)
        /// One address.
        case address(IPAddress)
        /// A network: `address` has its host bits zero; `prefix` is shorter than the whole address.
        case network(IPAddress, prefix: Int)
    }

    /// The host part.
    public let host: Host
    /// The port, or nil for every port.
    public let port: UInt16?

    /// A pattern from canonical parts; the scanner of the language is the place that checks text.
    package init(host: Host, port: UInt16?) {
        self.host = host
        self.port = port
    }
}

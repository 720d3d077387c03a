import TrustEngine

/// The words for a request that asks for a host by its address, where the rules are for names. The
/// address that a connection goes to never stands in for a name: anybody on the way can answer for
/// an address.
enum AddressAsked {
    /// The repair; nil for a host that is not an address.
    static func repair(host: String, port: UInt16) -> Repair? {
        guard case .address? = try? CanonicalHost(text: host) else { return nil }
        let place = HostWithPort.text(host, port)
        let bare = host.contains(":") ? "[\(host)]" : host
        let inURL = port == 443 ? "" : ":\(port)"
        return Repair(
            "if a rule is for the server's name, ask by the name: `hawser explain NAME --connect "
                + "\(place)`; curl then wants `--resolve NAME:\(port):\(bare) https://NAME\(inURL)/`"
        )
    }
}

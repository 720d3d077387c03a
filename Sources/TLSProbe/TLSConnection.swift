import TrustEngine

/// A TLS client that looks and does not trust: it finishes a handshake, takes what the server presents,
/// and closes. It sends no application data, verifies nothing, and offers every protocol version
/// that the TLS library still has, so that an old server can be judged and not merely missed.
public enum TLSConnection {
    /// Connects, finishes a handshake and reports what it showed.
    ///
    /// - Parameters:
    ///   - address: a name or a numeric address, IPv6 with or without brackets.
    ///   - serverName: what to ask for by SNI; nil, or an address (RFC 6066 section 3), asks for nothing.
    ///   - alpn: the application protocols to offer, in the order of preference; a server that knows
    ///     none of them may refuse. Those outside 1 to 255 octets, which RFC 7301 section 3.1 has no
    ///     room for, are left out.
    ///   - timeoutSeconds: bounds connecting and handshake together, from 1 to a day. The resolver of
    ///     the system keeps its own time before that.
    /// - Throws: `ProbeError` naming the step that failed.
    public static func probe(
        address: String, port: UInt16, serverName: String?, alpn: [String] = webProtocols,
        timeoutSeconds: Int
    ) throws(ProbeError) -> ProbedConnection {
        let deadline = Deadline(seconds: min(max(1, timeoutSeconds), 86_400))
        let host = unbracketed(address)
        let name = serverName.flatMap(sentName)
        let offer = protocolList(alpn)
        return try BrokenPipe.withoutSignal { () throws(ProbeError) -> ProbedConnection in
            let socket = try Socket(host: host, port: port, deadline: deadline)
            let session = try TLSSession(over: socket, serverName: name, alpn: offer)
            try session.handshake(deadline: deadline)
            let connection = session.observed()
            session.close()
            guard !connection.presentedChain.isEmpty else {
                throw ProbeError(
                    code: .nothingPresented, context: "the server presented no certificate")
            }
            return connection
        }
    }

    /// What a web client offers.
    public static let webProtocols = ["h2", "http/1.1"]

    /// ProtocolNameList without its own length (RFC 7301 section 3.1), which has two octets: what does
    /// not fit is left out.
    static func protocolList(_ names: [String]) -> [UInt8] {
        var list: [UInt8] = []
        for name in names {
            let octets = Array(name.utf8)
            guard (1...255).contains(octets.count), list.count + octets.count < 0xFFFF else {
                continue
            }
            list.append(UInt8(octets.count))
            list += octets
        }
        return list
    }

    /// `[::1]` without its brackets; anything else as it stands.
    static func unbracketed(_ address: String) -> String {
        guard address.hasPrefix("["), address.hasSuffix("]") else { return address }
        return String(address.dropFirst().dropLast())
    }

    /// The name to send by SNI: without a root dot; nil for what is an address or empty.
    static func sentName(_ serverName: String) -> String? {
        let name = serverName.hasSuffix(".") ? String(serverName.dropLast()) : serverName
        guard !name.isEmpty, IPAddress(text: unbracketed(name)) == nil else { return nil }
        return name
    }
}

import TrustEngine

/// A TLS client that inspects a server and does not trust it. It finishes a handshake, takes the
/// server's certificates, and closes. It sends no application data and verifies nothing. It offers
/// every protocol version that the TLS library has, so that old servers can be judged too.
public enum TLSConnection {
    /// Connects to a server, finishes a handshake and reports what the handshake showed.
    ///
    /// - Parameters:
    ///   - address: a name or a numeric address, IPv6 with or without brackets.
    ///   - serverName: the name to send by SNI. Nil and addresses (RFC 6066 section 3) send no
    ///     name.
    ///   - alpn: the application protocols to offer, the preferred first. A server that knows none
    ///     of them may refuse. A protocol outside 1 to 255 octets is left out, because RFC 7301
    ///     section 3.1 has no room for it.
    ///   - timeoutSeconds: the time for connecting and handshake together, from 1 to a day. The
    ///     system's resolver has its own time before that.
    /// - Throws: `ProbeError`, which names the step that failed.
    public static func probe(
        address: String, port: UInt16, serverName: String?, alpn: [String] = webProtocols,
        timeoutSeconds: Int
    ) throws(ProbeError) -> ProbedConnection {
        try probe(
            address: address, port: port, serverName: serverName, startTLS: nil, alpn: alpn,
            timeoutSeconds: timeoutSeconds)
    }

    /// The same, with `startTLS`, the protocol in which the server is asked to begin TLS; nil if
    /// TLS begins at once. The clear text takes its part of the time.
    package static func probe(
        address: String, port: UInt16, serverName: String?, startTLS: StartTLSProtocol?,
        alpn: [String], timeoutSeconds: Int
    ) throws(ProbeError) -> ProbedConnection {
        let deadline = Deadline(seconds: min(max(1, timeoutSeconds), 86_400))
        let host = unbracketed(address)
        let name = serverName.flatMap(sentName)
        let offer = protocolList(alpn)
        return try BrokenPipe.withoutSignal { () throws(ProbeError) -> ProbedConnection in
            let socket = try Socket(host: host, port: port, deadline: deadline)
            if let startTLS {
                try StartTLS.begin(startTLS, on: socket.descriptor, deadline: deadline)
            }
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

    /// The application protocols that a web client offers.
    public static let webProtocols = ["h2", "http/1.1"]

    /// The ProtocolNameList without its own length (RFC 7301 section 3.1). That length has two
    /// octets; protocols that do not fit are left out.
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

    /// An address without the brackets of `[::1]`; any other text unchanged.
    static func unbracketed(_ address: String) -> String {
        guard address.hasPrefix("["), address.hasSuffix("]") else { return address }
        return String(address.dropFirst().dropLast())
    }

    /// The name to send by SNI, without a root dot; nil for an address and for an empty name.
    static func sentName(_ serverName: String) -> String? {
        let name = serverName.hasSuffix(".") ? String(serverName.dropLast()) : serverName
        guard !name.isEmpty, IPAddress(text: unbracketed(name)) == nil else { return nil }
        return name
    }
}

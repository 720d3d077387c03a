#if NIO

import Hawser
import TrustEngine

/// The hosts by whose rules a table is tested when it is loaded.
///
/// A table is often an organisation's, and a service asks a few of its hosts. A rule for another
/// host concerns the service as little as that host does. So a service that knows its hosts lists
/// them.
public enum AskedHosts: Hashable, Sendable {
    /// The rules that decide for these hosts.
    case hosts([AskedHost])
    /// Every rule of the table: for a service whose hosts can be any of the table's, such as a
    /// proxy.
    case everyHost
}

/// A host and a port that a service opens connections to.
public struct AskedHost: Hashable, Sendable {
    /// A name or an address, as in a request.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Makes a host. A text that is not a host is accepted here, and is named in the log when a
    /// table is loaded.
    public init(_ host: String, port: UInt16 = 443) {
        self.host = host
        self.port = port
    }
}

extension AskedHost: ExpressibleByStringLiteral {
    /// A host at port 443. The text has no port.
    public init(stringLiteral host: String) { self.init(host) }
}

extension AskedHosts {
    /// The demands of the rules in question, each rule once.
    ///
    /// Cost: linear in the number of listed hosts; for every host, in the number of rules.
    func demands(of engine: Engine, at time: UTCInstant) -> [ConnectionDemands] {
        guard case .hosts(let hosts) = self else {
            return ConnectionDemands.all(of: engine, at: time)
        }
        var rules: Set<String> = []
        return hosts.compactMap { asked in
            let demands = ConnectionDemands(
                of: engine, host: asked.host, port: asked.port, at: time)
            guard let demands, rules.insert(demands.ruleID).inserted else { return nil }
            return demands
        }
    }

    /// The listed hosts for which no rule of a table decides. Every connection to them is refused.
    func withoutRule(of engine: Engine, at time: UTCInstant) -> [AskedHost] {
        guard case .hosts(let hosts) = self else { return [] }
        return hosts.filter {
            ConnectionDemands(of: engine, host: $0.host, port: $0.port, at: time) == nil
        }
    }
}

#endif
